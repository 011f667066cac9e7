/** Makes a build once for each state of its sources, with a separate program. Several processes may do so at the same time. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { besideOf, putBuild } from './put-build.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** This file in the build has the hash of the contents that it was made of. */
export const STAMP = '.sources';

export type Build = {
  /** The name in `Building the … ...` */
  readonly what: string;
  /** The build's folder. */
  readonly place: string;
  /** Patterns of files, and the program, from the root of the repository. The program gets the folder to which it writes. */
  readonly sources: readonly string[];
  readonly program: string;
};

/** @throws Error with the program's own output, or the reason of `ending` if that is aborted in the meantime */
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
    // No build exists yet.
    return null;
  }
}

/** The hash is of contents, not of times, so that a checkout of the same commit changes nothing. */
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
  // The program must not load the preloads and hooks of a test runner.
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
