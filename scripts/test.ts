/**
 * Every test. Units on two cores; end to end three files at a time where nothing is timed (they wait more than they work), the
 * others one by one (they measure); then statements once more on Debian's PostgreSQL 15. The last line is `N passed, N failed`.
 * With file names: only those, and where none of them is end to end, without Debian's packages. A signal ends all that was started.
 */
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startEmbeddedPostgres } from '../control-plane/store/embedded/supervisor.ts';
import { buildDashboard } from './build-dashboard.ts';
import { startDebianPostgres } from './peers/debian-postgres.ts';
import { ensurePackages } from './test-run/packages.ts';
import { buildTap, type Counts, runTap, sum } from './test-run/tap.ts';

/** End to end, and true on a busy machine, too: what is counted there is not timed. The longest begin first. */
const UNTIMED = [
  'dashboard',
  'loss-of-processes',
  'bad-datagrams',
  'bad-frames',
  'bad-requests',
  'commands',
  'containers',
  'database-loss',
  'dropped',
  'files',
  'heard',
  'heard-probes',
  'kamailio',
  'media-session',
  'memory',
  'operator',
  'packages',
  'prometheus',
  'repository',
  'shared-limit',
  'signalling',
  'sipp-callee',
  'srtp',
  'video',
];

/** Units that between them send most statements that the control plane has: these again on the oldest PostgreSQL that it takes. */
const STATEMENTS = ['incidents', 'operations', 'provision', 'queue', 'retention', 'run-page', 'store', 'write'];

const ROOT = path.resolve(import.meta.dirname, '..');
const find = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).sort();

const asked = process.argv.slice(2);
const isUnit = (file: string): boolean => !path.resolve(file).startsWith(path.join(ROOT, 'scripts', 'e2e'));
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort(name));

process.chdir(ROOT);
const results = asked.length > 0 && asked.every(isUnit) ? await units(asked) : await withPeers();
const { passed, failed, skipped } = sum(results);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Those that need a database start one of their own; no other program is needed. */
async function units(files: readonly string[]): Promise<Counts[]> {
  await buildTap();
  return [await runTap('asked for', files, { jobs: 1, ending: ending.signal })];
}

async function withPeers(): Promise<Counts[]> {
  const missing = ensurePackages();
  if (missing !== null) {
    console.error(missing);
    return [{ passed: 0, failed: 1, skipped: 0 }];
  }
  await buildTap();
  const scratch = await mkdtemp('/tmp/carillon-test-');
  await chmod(scratch, 0o711);
  const embedded = await startEmbeddedPostgres({
    dataDir: scratch,
    unsafe: true,
    settings: ['max_connections=200'],
    log: () => undefined,
  });
  try {
    const run = (title: string, files: readonly string[], jobs: number, connection: object = embedded.connection) =>
      runTap(title, files, { jobs, env: { CARILLON_TEST_PG: JSON.stringify(connection) }, ending: ending.signal });
    return asked.length > 0 ? [await run('asked for', asked, 1)] : await everything(run);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    console.error(`Ended by ${ending.signal.reason}.`);
    return [{ passed: 0, failed: 1, skipped: 0 }];
  } finally {
    await embedded.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

type Run = (title: string, files: readonly string[], jobs: number, connection?: object) => Promise<Counts>;

async function everything(run: Run): Promise<Counts[]> {
  const results: Counts[] = [];
  // Beside the units: end to end, the first to need it would begin while another builds it.
  const built = buildDashboard();
  built.catch(() => undefined);
  results.push(await run('units', find('{proto,media,agent,control-plane}/test/**/*.test.ts'), 2));
  await built;
  const endToEnd = find('scripts/e2e/**/*.test.ts');
  const untimed = UNTIMED.map((name) => `scripts/e2e/${name}.test.ts`);
  results.push(await run('end to end, side by side', untimed, 3));
  const timed = endToEnd.filter((file) => !untimed.includes(file));
  results.push(await run('end to end, one by one', timed, 1));
  const debian = await startDebianPostgres();
  try {
    const statements = STATEMENTS.map((name) => `control-plane/test/${name}.test.ts`);
    results.push(await run('PostgreSQL 15', statements, 2, { connectionString: debian.url }));
  } finally {
    await debian.stop();
  }
  return results;
}
