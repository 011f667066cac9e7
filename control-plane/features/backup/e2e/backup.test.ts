/**
 * `npm run backup` during a run, a lost database, `npm run restore` into an empty one: the installation continues with its
 * agents. With the embedded database, or the given server.
 */
import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { checkWholeness } from '../../../../scripts/e2e/wholeness.ts';
import { openLabDatabase, postmasterPid } from '../../../../scripts/peers/lab/database.ts';
import { openLab } from '../../../../scripts/peers/lab/lab.ts';
import { callsAmongAgents } from '../../../../scripts/peers/lab/provision.ts';
import { startPeer, until } from '../../../../scripts/peers/process.ts';

const COMMANDS = path.resolve(import.meta.dirname, '../commands');
const CALLS = 5;

const lab = await openLab(t, {
  agents: 2,
  database: 'embedded',
  graceSeconds: 60,
  provision: () => ({
    tests: [
      // Until the test ends it: a busy host takes its time for the commands.
      callsAmongAgents('calls', { endpoints: CALLS, buildup: 1, durationSeconds: 600 }),
      callsAmongAgents('brief', { endpoints: 2, durationSeconds: 2 }),
    ],
  }),
});
const file = path.join(lab.dir, 'carillon.backup');

/** `npm run …` without npm. */
async function command(
  name: 'backup' | 'restore',
  code: number,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const peer = startPeer(process.execPath, [path.join(COMMANDS, `${name}.ts`), file], {
    env: { DATABASE_URL: '', CARILLON_DATA_DIR: lab.dataDir, ...env },
  });
  t.equal(await peer.exited, code, peer.output());
  return peer.output();
}

async function killControlPlane(): Promise<void> {
  const { child } = lab.controlPlane;
  child.kill('SIGKILL');
  await until('the control plane is gone', () => child.signalCode !== null);
  const pid = postmasterPid(lab.dataDir);
  if (pid !== null) process.kill(pid, 'SIGKILL');
  await until('PostgreSQL is gone', () => postmasterPid(lab.dataDir) === null);
}

t.test('backup, kill, restore', async (t) => {
  const { id: before } = await lab.runWhole('brief');
  const kept = await lab.run(before);
  const id = await lab.startRun('calls', 'has everyone in a call', (run) => run.progress.phases.INCALL === 2 * CALLS);
  const [begun] = await lab.query<{ n: number }>('select count(*) as n from test_runs');
  t.match(await command('backup', 0), /\d+ rows of \d+ tables.*1 open runs, 2 workers/);
  t.match(await command('backup', 1), /exists: a backup replaces no file/);
  t.equal((await stat(file)).mode & 0o777, 0o600, 'it holds secrets');
  t.match(await command('restore', 1), /A control plane is using this database/);
  t.equal((await lab.run(id)).status, 'RUNNING', 'nobody noticed');

  await killControlPlane();
  t.match(await command('restore', 1), /The database is not empty/);
  await rename(path.join(lab.dataDir, 'postgres'), path.join(lab.dir, 'lost'));
  t.match(await command('restore', 0), /restored \d+ rows as of .*1 runs were open/);
  t.equal(postmasterPid(lab.dataDir), null, 'what it started it has stopped');

  const other = await openLabDatabase(lab.dataDir, 'given');
  if (other.url !== undefined) {
    t.match(await command('restore', 0, { DATABASE_URL: other.url }), /restored \d+ rows/, 'into a server, too');
    const [row] = await other.query<{ n: number }>('select count(*) as n from test_runs');
    t.equal(row?.n, begun?.n);
    await other.close();
  }

  await lab.startControlPlane();
  await lab.online(2);
  t.same(await lab.run(before), kept, 'what had ended reads as before');
  const cancelled = lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: id });
  // Without a control plane for so long, its agents may have ended it themselves.
  await cancelled.catch(({ code }: { code?: string }) => t.equal(code, 'CONFLICT'));
  const run = await lab.ended(id);
  t.ok(run.endedAt, `the open run came to an end: ${run.status}`);
  const { id: next } = await lab.runWhole('brief');
  await checkWholeness(t, lab, next, 2);
});
