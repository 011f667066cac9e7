/**
 * `node scripts/build-dashboard.ts`: builds the dashboard if its sources are newer than the build. Takes some seconds.
 * Several processes may do so at the same time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { besideOf, putBuild } from './put-build.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DASHBOARD = path.join(ROOT, 'control-plane', 'dashboard');
const PLACE = path.join(DASHBOARD, 'dist');
const SOURCES = [
  'control-plane/{dashboard,contract}/**/*.{ts,tsx,css,html,svg}',
  'proto/{findings,q850}.ts',
  'proto/figures/*.ts',
  'media/impairment/impairment.ts',
  'package-lock.json',
];

const changedAtMs = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @throws Error with Vite's own words, or the reason of `ending` where that is aborted meanwhile */
export async function buildDashboard(ending?: AbortSignal): Promise<void> {
  const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (file) => !/(^|\/)(dist(-[^/]*)?|node_modules)\/|\.test\.ts$/.test(file),
  );
  const newest = Math.max(...sources.map((file) => changedAtMs(path.join(ROOT, file))));
  if (changedAtMs(path.join(PLACE, 'index.html')) > newest) return;
  console.error('Building the dashboard ...');
  const built = besideOf(PLACE);
  try {
    await build(built, ending);
    for (const file of globSync('assets/*.{js,css}', { cwd: built })) compress(path.join(built, file));
    putBuild(built, PLACE);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function build(folder: string, ending: AbortSignal | undefined): Promise<void> {
  const vite = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'warn'], {
    cwd: DASHBOARD,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const end = () => void child.kill('SIGTERM');
  ending?.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  ending?.throwIfAborted();
  if (code !== 0) throw new Error(`The dashboard cannot be built:\n${said}`);
}

/** Compressed once for all requests: the control plane sends the file beside it. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

if (import.meta.main) await buildDashboard();
