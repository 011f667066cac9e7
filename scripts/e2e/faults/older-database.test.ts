/**
 * A database that is restored from an older state (a snapshot of its disk, taken during a run), and an agent that is
 * disconnected for longer than its grace period: compared with SIPp's counts, only what the run's events name is missing, and
 * the next run is normal.
 */
import path from 'node:path';
import t from 'tap';
import { putBack, takeSnapshot } from '../../peers/lab/cluster-snapshot.ts';
import { type Lab, openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { openTcpRelay, type TcpRelay } from '../../peers/network/tcp-relay.ts';
import { until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const GRACE_SECONDS = 6;
const CALLS = 12;
const net = ownLoopback();
const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
t.teardown(() => sipp.stop('SIGKILL'));

let opening: Promise<TcpRelay> | undefined;
const shape = { endpoints: CALLS, buildup: 6, media: SPEAKS_ONLY } as const;
const lab: Lab = await openLab(t, {
  agents: 2,
  net,
  database: 'embedded',
  graceSeconds: GRACE_SECONDS,
  linkUrl: async (url) => {
    opening ??= openTcpRelay(Number(new URL(url).port));
    return `http://127.0.0.1:${(await opening).port}`;
  },
  provision: () => ({
    tests: [
      callsTo(sipp.uri, 'calls', { ...shape, durationSeconds: 6 }),
      callsTo(sipp.uri, 'of-one', { ...shape, durationSeconds: 3, workers: ['agent-1'] }),
      callsTo(sipp.uri, 'slow', { ...shape, endpoints: 40, buildup: 40, durationSeconds: 2, workers: ['agent-1'] }),
      callsTo(sipp.uri, 'long', { ...shape, endpoints: 2, buildup: 0, durationSeconds: 600 }),
    ],
  }),
});
const relay = (await opening) as TcpRelay;
t.teardown(() => relay.close());

/** SIPp's counts since the last call. */
const counted = { calls: 0, ended: 0 };
async function sippSince(): Promise<{ calls: number; ended: number }> {
  const { '0_INVITE_Recv': calls = 0, '4_BYE_Recv': ended = 0 } = (await sipp.history()).at(-1)?.messages ?? {};
  return { calls: calls - counted.calls, ended: ended - counted.ended };
}
async function begin(slug: string): Promise<string> {
  const now = await sippSince();
  counted.calls += now.calls;
  counted.ended += now.ended;
  return lab.startRun(slug);
}

const eventsOf = async (testRunId: string): Promise<string[]> => {
  const query = { projectId: lab.projectId, testRunId, kind: 'WORKER' as const, per_page: 50 };
  return (await lab.call('listTestRunEvents', query)).rows.map((e) => e.detail);
};
const has = (n: number) => (run: RunDetail) => run.callTiming.successCount >= n;
/** The control plane and its database end at once; the next ones have the state of the snapshot. */
async function comeBackOlder(snapshot: string): Promise<void> {
  await lab.controlPlane.stop('SIGKILL');
  await putBack(lab.dataDir, snapshot);
  await lab.startControlPlane();
}
const inUse = async (agent: number): Promise<number> =>
  (await scrape(lab.agents[agent]?.metricsUrl ?? '')).value('carillon_agent_endpoints_active') ?? Number.NaN;
const snapshot = path.join(lab.dir, 'snapshot');

t.test('a run that was open in the snapshot and has ended since, and one that it does not know', async (t) => {
  const id = await begin('calls');
  await lab.reaches(id, 'has two calls up', (run) => run.progress.phases.INCALL >= 2);
  await takeSnapshot(lab.dataDir, snapshot);
  t.match(await lab.ended(id), { status: 'COMPLETED', callTiming: { successCount: CALLS } });
  const unknown = await lab.startRun('long');
  await lab.reaches(unknown, 'has its calls up', (run) => run.progress.phases.INCALL === 2);

  await comeBackOlder(snapshot);
  await lab.online(2);
  const run = await lab.ended(id);
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    revisedAt: null,
    callTiming: { totalCalls: CALLS, successCount: CALLS },
  });
  t.same(await eventsOf(id), [], 'what the snapshot lacked was sent again');
  for (const agent of lab.agents) {
    t.match(agent.output(), /restored to an older state: committed batches are sent again/);
    t.notMatch(agent.output(), /facts are dropped/, 'nothing good is refused for ever');
  }
  await t.rejects(lab.run(unknown), /no test run|NOT_FOUND/);
  await until('the calls of a run that is not known have ended', async () => {
    const { calls, ended } = await sippSince();
    return calls === CALLS + 2 && ended === calls;
  });
  await until('no agent holds anything', async () => (await inUse(0)) === 0 && (await inUse(1)) === 0);
});

t.test('an agent that was restarted meanwhile: what nobody keeps is named, and nothing else is lost', async (t) => {
  const id = await begin('slow');
  await lab.reaches(id, 'has a call up', (run) => run.progress.phases.INCALL >= 1);
  await takeSnapshot(lab.dataDir, snapshot);
  const { callTiming } = await lab.run(id);
  await lab.reaches(id, 'has two good calls more', has(callTiming.successCount + 2));
  relay.block(true);
  const before = await sippSince();
  await until('a call more was placed', async () => (await sippSince()).calls > before.calls);
  await lab.agents[0]?.stop('SIGTERM', 60_000);
  await comeBackOlder(snapshot);
  relay.block(false);
  await lab.startAgent(0);
  await lab.online(2);
  // On a slow host the agent returns after its grace period: then the run was given up first, and is revised.
  await until('the share has ended', async () => {
    const { endedAt, subPopulationInstances: shares } = await lab.run(id);
    return endedAt !== null && shares.every((i) => i.status === 'DONE');
  });
  const events = await eventsOf(id);
  t.ok(
    events.some((e) => /^agent-1 had reported data that this database/.test(e)),
    events.join('\n'),
  );
  const named = Number(/did not report the end of (\d+) of 40 endpoints/.exec(events.join('\n'))?.[1] ?? 0);
  const endpoints = await lab.endpoints(id);
  const lost = endpoints.filter((e) => e.failure?.cause === 'WORKER_LOST').length;
  t.equal(lost, named);
  t.ok(named > 0, `${named} calls are named`);
  const { calls } = await sippSince();
  const attempted = endpoints.filter((e) => e.failure?.cause !== 'WORKER_LOST' && e.callTiming !== null).length;
  t.equal(attempted + named, calls, `SIPp has seen ${calls}: ${attempted} are told, ${named} are named as lost`);
});

t.test('cut off for longer than the grace: the run is given up, and revised when the agent is back', async (t) => {
  const id = await begin('of-one');
  await lab.reaches(id, 'has a call up', (run) => run.progress.phases.INCALL >= 1);
  relay.block(true);
  const given = await lab.ended(id);
  t.match(given, { status: 'FAILED', error: { code: 'ALL_WORKERS_LOST' }, revisedAt: null });
  await until('every call has ended', async () => {
    const { calls, ended } = await sippSince();
    return calls === CALLS && ended === calls;
  });
  relay.block(false);
  const run = await until('the run is revised', async () => {
    const now = await lab.run(id);
    return now.revisedAt !== null && now;
  });
  const { calls } = await sippSince();
  t.match(run, { status: 'FAILED', callTiming: { totalCalls: calls, successCount: calls, errorCount: 0 } });
  t.ok((await eventsOf(id)).some((e) => e.startsWith('agent-1 reconnected with its share')));
  t.same(
    run.subPopulationInstances.map((i) => i.status),
    ['DONE'],
  );
});

t.test('and the next run is a run as any other', async (t) => {
  await lab.online(2);
  const run = await lab.ended(await begin('calls'));
  t.match(run, { status: 'COMPLETED', error: null, callTiming: { totalCalls: CALLS, successCount: CALLS } });
});
