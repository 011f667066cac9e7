/**
 * Every test. Units on two cores; end to end three files at a time where nothing is timed (they wait more than they work), the
 * others one by one (they measure); then statements once more on Debian's PostgreSQL 15. The last line is `N passed, N failed`.
 * With file names: those alone.
 */
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startEmbeddedPostgres } from '../control-plane/store/embedded/supervisor.ts';
import { buildDashboard } from './build-dashboard.ts';
import { startDebianPostgres } from './peers/debian-postgres.ts';
import { ensurePackages } from './test-run/packages.ts';
import { buildTap, type Counts, runTap, sum } from './test-run/tap.ts';

/** End to end, and true on a busy machine, too: what is counted there is not timed. */
const UNTIMED = [
  'bad-datagrams',
  'bad-frames',
  'bad-requests',
  'commands',
  'containers',
  'dashboard',
  'database-loss',
  'files',
  'kamailio',
  'loss-of-processes',
  'media-session',
  'memory',
  'operator',
  'packages',
  'probes',
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

const missing = ensurePackages();
if (missing !== null) {
  console.error(missing);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
process.chdir(ROOT);
await buildTap();

const scratch = await mkdtemp('/tmp/carillon-test-');
await chmod(scratch, 0o711);
const embedded = await startEmbeddedPostgres({
  dataDir: scratch,
  unsafe: true,
  settings: ['max_connections=200'],
  log: () => undefined,
});
const results: Counts[] = [];
try {
  const asked = process.argv.slice(2);
  const onEmbedded = { CARILLON_TEST_PG: JSON.stringify(embedded.connection) };
  if (asked.length > 0) {
    results.push(await runTap('asked for', asked, { jobs: 1, env: onEmbedded }));
  } else {
    // Once, beside the units: whoever needs it end to end would otherwise begin when somebody else does.
    const built = buildDashboard();
    built.catch(() => undefined);
    results.push(
      await runTap('units', find('{proto,media,agent,control-plane}/test/**/*.test.ts'), { jobs: 2, env: onEmbedded }),
    );
    await built;
    const endToEnd = find('scripts/e2e/**/*.test.ts');
    const untimed = endToEnd.filter((file) => UNTIMED.includes(path.basename(file, '.test.ts')));
    results.push(await runTap('end to end, side by side', untimed, { jobs: 3, env: onEmbedded }));
    const timed = endToEnd.filter((file) => !untimed.includes(file));
    results.push(await runTap('end to end, one by one', timed, { jobs: 1, env: onEmbedded }));
    const debian = await startDebianPostgres();
    const onDebian = { CARILLON_TEST_PG: JSON.stringify({ connectionString: debian.url }) };
    const units = STATEMENTS.map((name) => `control-plane/test/${name}.test.ts`);
    results.push(await runTap('PostgreSQL 15', units, { jobs: 2, env: onDebian }));
    await debian.stop();
  }
} finally {
  await embedded.stop();
  await rm(scratch, { recursive: true, force: true });
}
const { passed, failed, skipped } = sum(results);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
