/** Agents of a pool as processes: they join, carry a run, and leave in the middle of one without losing a call. */
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { openLab } from '../../../../scripts/peers/lab/lab.ts';
import { callsAmongAgents } from '../../../../scripts/peers/lab/provision.ts';
import { type Peer, until } from '../../../../scripts/peers/process.ts';
import { startPoolAgent } from './pool-agent.ts';

const CALLS = 40;
const lab = await openLab(t, {
  agents: 0,
  provision: () => ({
    tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 4, buildup: 4 })],
  }),
});
const pool = await lab.call('createPool', { name: 'spot', maxAgents: 2, namePattern: 'spot {n}' });
const started: Peer[] = [];
t.teardown(() => Promise.all(started.map((agent) => agent.stop('SIGKILL'))));

const start = async (folder: string, n: number, ...args: string[]) => {
  const agent = await startPoolAgent(lab, {
    folder,
    token: pool.joinToken,
    address: lab.net.address(11 + n),
    args: ['--disposable', ...args],
  });
  started.push(agent);
  return agent;
};
const agents = async () => (await lab.call('listPoolAgents', { poolId: pool.id, sort: 'joinedAt' })).rows;
const filesOf = (folder: string) => readdir(path.join(lab.dir, folder));

t.jobs = 1;

t.test('two join, the third waits for a place, and gets it when one leaves', async (t) => {
  const [first] = await Promise.all([start('one', 0), start('two', 1, '--name', '{host} of {pool} {n}')]);
  await lab.online(2);
  const third = await start('three', 2);
  await until('it is told to wait', () => third.output().includes('JOIN_TOKEN_REFUSED'));
  t.match(third.output(), /has 2 agents, its limit/);
  t.ok((await filesOf('one')).includes('agent.key'));
  t.equal(await first.stop('SIGTERM'), 0, first.output());
  t.notOk((await filesOf('one')).includes('agent.key'), 'its key is deleted');
  await until('the third is in', async () => (await agents()).length === 3, { idleMs: 90_000 });
  const { rows: workers } = await lab.call('listWorkers', {});
  t.equal(workers.length, 2, 'an archived worker is in no list of workers');
  const [gone] = (await agents()).filter(({ leftAt }) => leftAt !== null);
  t.match(gone, { isDisposable: true, status: 'OFFLINE' });
});

t.test('an agent leaves in the middle of a run: its calls go on, and each is in the figures', async (t) => {
  const ready = { idleMs: 90_000 };
  await until('both take runs', async () => (await agents()).filter((a) => a.status === 'ONLINE').length === 2, ready);
  const runId = await lab.startRun('calls', 'has calls', ({ progress }) => (progress.phases.INCALL ?? 0) > 3);
  const third = started[2] as Peer;
  t.equal(await third.stop('SIGTERM'), 0, third.output());
  const run = await lab.ended(runId);
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  const left = (await agents()).filter(({ leftAt }) => leftAt !== null);
  t.ok(
    left.some(({ runs, endpoints }) => runs === 1 && endpoints > 0),
    'its figures are kept with its row',
  );
});

t.test('two agents with copies of one state folder are two workers', async (t) => {
  const more = await lab.call('createPool', { name: 'copies' });
  const begin = (folder: string, n: number) =>
    startPoolAgent(lab, { folder, token: more.joinToken, address: lab.net.address(21 + n) });
  const first = await begin('original', 0);
  started.push(first);
  const found = async () => (await lab.call('listPoolAgents', { poolId: more.id })).rows;
  await until('it is in', async () => (await found()).length === 1);
  await cp(path.join(lab.dir, 'original'), path.join(lab.dir, 'copy'), { recursive: true });
  await rm(path.join(lab.dir, 'copy', 'agent.lock'), { force: true });
  const copy = await begin('copy', 1);
  started.push(copy);
  const both = async () => (await found()).filter(({ status }) => status === 'ONLINE').length === 2;
  await until('the copy has joined anew', both, { idleMs: 120_000 });
  t.match(copy.output(), /joins its pool anew/);
  t.notMatch(first.output(), /KEY_COPIED/);
});
