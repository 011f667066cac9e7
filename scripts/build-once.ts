/** A build is made once for each state of its sources, by a program of its own. Several processes may do so at the same time. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { besideOf, putBuild } from './put-build.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** In the build: the hash of the contents that it was made of. */
const STAMP = '.sources';

export type Build = {
  /** As in `Building the … ...` */
  readonly what: string;
  /** The build's folder. */
  readonly place: string;
  /** Patterns of files, and the program, from the root of the repository. The program is given a folder to write to. */
  readonly sources: readonly string[];
  readonly program: string;
};

/** @throws Error with the program's own words, or the reason of `ending` where that is aborted meanwhile */
export async function buildOnce({ what, place, sources, program }: Build, ending?: AbortSignal): Promise<void> {
  const stamp = stampOf(sources);
  if (stampIn(place) === stamp) return;
  console.error(`Building the ${what} ...`);
  const built = besideOf(place);
  try {
    await run(program, built, what, ending);
    writeFileSync(path.join(built, STAMP), stamp);
    putBuild(built, place);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function stampIn(place: string): string | null {
  try {
    return readFileSync(path.join(place, STAMP), 'utf8');
  } catch {
    // There is no build yet.
    return null;
  }
}

/** Of contents, not of times: a checkout of the same commit changes nothing. */
function stampOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: ROOT, exclude: (name) => /(^|\/)(dist(-[^/]*)?|node_modules)$/.test(name) });
  const sum = createHash('sha256');
  for (const file of files.filter((name) => !name.endsWith('.test.ts')).sort())
    sum
      .update(`${file}\0`)
      .update(readFileSync(path.join(ROOT, file)))
      .update('\0');
  return sum.digest('hex');
}

async function run(program: string, folder: string, what: string, ending: AbortSignal | undefined): Promise<void> {
  ending?.throwIfAborted();
  // Neither the preloads of a test runner nor its hooks.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [path.join(ROOT, program), folder], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const end = () => void child.kill('SIGTERM');
  ending?.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  ending?.removeEventListener('abort', end);
  ending?.throwIfAborted();
  if (code !== 0) throw new Error(`Building the ${what} failed:\n${said}`);
  if (said !== '') console.error(said.trimEnd());
}
