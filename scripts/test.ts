/**
 * `./scripts/test` runs units, the contract, and the shortest end-to-end proof of each promise. `./scripts/test slow` runs the
 * other end-to-end files, and at last those that measure. `./scripts/test units` runs only units; with CARILLON_TEST_DATABASE, those
 * of the control plane on that server. `./scripts/test FILE ...` runs only those files, and without Debian's packages if none of them
 * is end to end. The last line is `N passed, N failed`. A signal
 * ends everything that was started.
 */

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../control-plane/store/embedded/supervisor.ts';
import { urlOf } from '../control-plane/testing/database.ts';
import { buildDashboard } from './build-dashboard.ts';
import { startDebianPostgres } from './peers/lab/debian-postgres.ts';
import { type FileGroup, isUnit, ofControlPlane, PROOFS, single, slow, units } from './test-run/files.ts';
import { ensurePackages } from './test-run/packages.ts';
import { runPool, type Task, type Tasks } from './test-run/pool.ts';
import { bundlePrograms, PROGRAMS } from './test-run/programs.ts';
import { endPrograms, makeFolder, openRunFolder, removeFolder } from './test-run/run-folder.ts';
import type { Counts } from './test-run/tap.ts';

type Env = Readonly<Record<string, string>>;

const NOTHING_RAN: Counts = { passed: 0, failed: 1, skipped: 0 };
/** The time for an end by a signal. After it, everything that is left is killed. */
const PATIENCE_MS = 6000;
/** The time of the longest run that still makes progress, on a machine of two cores that others use as well. */
const BOUND_MS = 3 * 3600_000;

const named = process.argv.slice(2);
const what =
  named.length === 1 && (named[0] === 'units' || named[0] === 'slow')
    ? named[0]
    : named.length > 0
      ? 'named'
      : 'proofs';
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort(name));
setTimeout(() => ending.abort('the bound of a run: three hours'), BOUND_MS).unref();

process.chdir(path.resolve(import.meta.dirname, '..'));
const folder = await openRunFolder();
// Everything that a test leaves there is removed with the folder.
process.env['TMPDIR'] = folder;
const ended = Promise.withResolvers<Counts>();
ending.signal.addEventListener('abort', () => {
  console.error(`Ended by ${ending.signal.reason}.`);
  void sleep(PATIENCE_MS).then(() => ended.resolve(NOTHING_RAN));
});
const given = process.env['CARILLON_TEST_DATABASE'];
const counted =
  what === 'named' && named.every(isUnit)
    ? withoutPeers()
    : what === 'units' && given
      ? runPool({ computing: tasks(ofControlPlane(), environment(given)) }, folder, ending.signal)
      : withPeers();
counted.then(ended.resolve, (error: unknown) =>
  ending.signal.aborted ? ended.resolve(NOTHING_RAN) : ended.reject(error),
);
const { passed, failed, skipped } = await ended.promise
  .finally(() => endPrograms(folder, 0))
  .finally(() => removeFolder(folder));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** Runs files that need no other programs. Those that need a database start their own. */
function withoutPeers(): Promise<Counts> {
  return runPool({ alone: tasks(named.map(single)) }, folder, ending.signal);
}

async function withPeers(): Promise<Counts> {
  const missing = await ensurePackages(undefined, ending.signal);
  if (missing !== null) {
    console.error(missing);
    return NOTHING_RAN;
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: path.join(makeFolder(folder), 'database'),
    unsafe: true,
    diesWithUs: true,
    settings: ['max_connections=300'],
    log: () => undefined,
  });
  try {
    const env = environment(urlOf(embedded.connection));
    if (what === 'named') return await runPool({ alone: tasks(named.map(single), env) }, folder, ending.signal);
    if (what === 'slow') return await runPool(endToEnd(env, slow()), folder, ending.signal);
    const debian = await startDebianPostgres();
    try {
      const { embedded: most, oldest } = units();
      const computing = [...tasks([oldest], environment(debian.url)), ...tasks(most, env)];
      const proofs = what === 'units' ? {} : endToEnd(env, { waiting: PROOFS.map(single) });
      return await runPool({ ...proofs, computing }, folder, ending.signal);
    } finally {
      await debian.stop();
    }
  } finally {
    await embedded.stop();
  }
}

type Files = { waiting: readonly FileGroup[]; computing?: readonly FileGroup[]; measuring?: readonly FileGroup[] };

function endToEnd(env: Env, files: Files): Tasks {
  // Without this, the first file would start while another one builds the dashboard.
  const needs = Promise.all([buildDashboard(ending.signal), bundlePrograms()]);
  needs.catch(() => undefined);
  const withPrograms = { ...env, CARILLON_TEST_PROGRAMS: PROGRAMS };
  return {
    waiting: tasks(files.waiting, withPrograms, needs),
    computing: tasks(files.computing ?? [], env),
    alone: tasks(files.measuring ?? [], withPrograms, needs),
  };
}

function tasks(groups: readonly FileGroup[], env: Env = {}, needs?: Promise<unknown>): Task[] {
  return groups.map((group) => ({ ...group, env, ...(needs && { needs }) }));
}

function environment(url: string): Env {
  return { CARILLON_TEST_DATABASE: url };
}
