/** Agents and control planes die during runs, and links are cut: remaining facts are reported, nothing counts twice. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { freeze } from '../../peers/freeze.ts';
import { postmasterPid } from '../../peers/lab/database.ts';
import { type Lab, openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { openTcpRelay, type TcpRelay } from '../../peers/network/tcp-relay.ts';
import { until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { checkWholeness } from '../wholeness.ts';

const CALLS = 10;
const CALLS_TO_SIPP = 12;
const GRACE_SECONDS = 4;
/** Planned: the calls that are ended when the grace is over. */
const LONG_SECONDS = 60;

const HASTY = [process.execPath, path.resolve(import.meta.dirname, '..', '..', 'peers', 'lab', 'hasty-agent.ts')];
/** By agent, the version that replaces this checkout's at its next start. */
const programs: (readonly string[])[] = [];
const net = ownLoopback();
const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
t.teardown(() => sipp.stop('SIGKILL'));

let opening: Promise<TcpRelay> | undefined;
const lab: Lab = await openLab(t, {
  agents: 2,
  net,
  agentPrograms: programs,
  database: 'embedded',
  graceSeconds: GRACE_SECONDS,
  linkUrl: async (url) => {
    opening ??= openTcpRelay(Number(new URL(url).port));
    return `http://127.0.0.1:${(await opening).port}`;
  },
  provision: () => ({
    tests: [
      callsAmongAgents('calls', { endpoints: CALLS, buildup: 1, durationSeconds: 9 }),
      callsAmongAgents('one-agent', { endpoints: 5, durationSeconds: 300, workers: ['agent-1'] }),
      callsTo(sipp.uri, 'to-sipp', {
        endpoints: CALLS_TO_SIPP,
        buildup: 12,
        durationSeconds: LONG_SECONDS,
        media: SPEAKS_ONLY,
        workers: ['agent-1'],
      }),
      callsAmongAgents('brief', { endpoints: 2, durationSeconds: 1 }),
    ],
  }),
});

const relay = (await opening) as TcpRelay;
t.teardown(() => relay.close());

const startCalls = (slug: string, endpoints = 2 * CALLS): Promise<string> =>
  lab.startRun(slug, `has ${endpoints} endpoints in calls`, (run) => run.progress.phases.INCALL === endpoints);
/** Waits until at least this many endpoints have stored samples and messages: samples of at least this many received packets. */
const isStored = (id: string, endpoints: number, packets = 0) =>
  until(`${endpoints} endpoints have left traces`, async () => {
    const [row] = await lab.query<{ n: number }>(
      `select count(distinct endpoint_number)::int as n from samples join sip_messages using (run_id, endpoint_number)
       where run_id = $1 and packets_received >= $2`,
      [id, packets],
    );
    return (row?.n ?? 0) >= endpoints;
  });
const linksUp = async (): Promise<number> => {
  const scrapes = await Promise.all(lab.agents.map((agent) => scrape(agent.metricsUrl)));
  return scrapes.filter((s) => s.value('carillon_agent_link_up') === 1).length;
};

t.test('links that are cut repeatedly, and a control plane that stalls', async (t) => {
  const id = await startCalls('calls');
  for (let i = 0; i < 4; i++) {
    await until('both links are up', async () => (await linksUp()) === 2);
    relay.cut();
    await until('a link is down', async () => (await linksUp()) < 2, { everyMs: 5 }).catch(() => undefined);
  }
  await freeze(lab.controlPlane.pid, 2500);
  const run = await lab.ended(id);
  t.ok(relay.cuts >= 8, `${relay.cuts} connections were cut`);
  await checkWholeness(t, lab, id, CALLS);
  t.comment(`after the cuts: ${run.status}, MOS ${run.summary.avgMos}, ${run.validity?.verdict}`);
});

t.test('kill -9 of the control plane, and the next on the same port and data', async (t) => {
  const id = await startCalls('calls');
  const postgres = postmasterPid(lab.dataDir);
  await lab.controlPlane.stop('SIGKILL');
  t.equal(postmasterPid(lab.dataDir), postgres, 'PostgreSQL goes on');
  await until('both agents notice', async () => (await linksUp()) === 0);
  await lab.startControlPlane();
  t.equal(postmasterPid(lab.dataDir), postgres, 'the next control plane adopts it');
  const run = await lab.ended(id);
  await checkWholeness(t, lab, id, CALLS);
  t.comment(`after the restart: ${run.status}, MOS ${run.summary.avgMos}, ${run.validity?.verdict}`);
});

t.test('kill -9 of one of two agents', async (t) => {
  const id = await startCalls('calls');
  await isStored(id, 2 * CALLS, 1);
  await lab.agents[1]?.stop('SIGKILL');
  const run = await lab.ended(id);
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    callTiming: { totalCalls: CALLS, successCount: CALLS / 2, errorCount: CALLS / 2, inProgressCount: 0 },
    summary: { totalStreams: 2 * CALLS },
  });
  const endpoints = await lab.endpoints(id);
  const [left, lost] = ['agent-1', 'agent-2'].map((name) => endpoints.filter((e) => e.worker.name === name));
  t.same([left?.length, lost?.length], [CALLS, CALLS]);
  t.ok(
    left?.every((e) => e.outcome === 'SUCCESS'),
    'the other agent ended its share',
  );
  for (const endpoint of lost ?? []) {
    t.match(endpoint, {
      phase: 'CLOSED',
      outcome: 'CALL_FAILED',
      failure: { cause: 'WORKER_LOST', party: 'agent', sipStatus: null },
    });
  }
  t.same(run.subPopulationInstances.map((i) => `${i.worker.name} ${i.status}`).sort(), [
    'agent-1 DONE',
    'agent-1 DONE',
    'agent-2 LOST',
    'agent-2 LOST',
  ]);
  const [kept] = await lab.query<{ n: number }>(
    `select count(*)::int as n from streams s join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number
     where s.run_id = $1 and e.cause = 'WORKER_LOST' and s.packets_received > 0`,
    [id],
  );
  t.equal(kept?.n, CALLS, 'what the lost agent had reported of its streams is kept');
});

t.test('kill -9 of the only agent of a run', async (t) => {
  const id = await startCalls('one-agent', 10);
  await isStored(id, 10);
  const killedAt = Date.now();
  await lab.agents[0]?.stop('SIGKILL');
  const run = await lab.ended(id);
  const seconds = (Date.now() - killedAt) / 1000;
  t.match(run, { status: 'FAILED', error: { code: 'ALL_WORKERS_LOST' }, callTiming: { totalCalls: 5, errorCount: 5 } });
  // Its calls would have lasted for five minutes.
  t.ok(seconds >= GRACE_SECONDS, `given up after ${seconds} s`);
  t.ok(run.counts.sipMessages > 0, 'its traces remain');
  t.ok((await lab.endpoints(id)).every((e) => e.failure?.cause === 'WORKER_LOST'));

  programs[0] = HASTY;
  await Promise.all([lab.startAgent(0), lab.startAgent(1)]);
  await lab.online(2);
  const after = await lab.runWhole('brief');
  t.match(after, { status: 'COMPLETED', callTiming: { successCount: 2 } }, 'agents that come back work on');
});

t.test('an agent without a control plane starts no more calls, and ends those it has', async (t) => {
  const id = await lab.startRun('to-sipp');
  // A second later there are three.
  await lab.reaches(id, 'has two calls up', (run) => run.progress.phases.INCALL >= 2);
  await isStored(id, 2);
  await lab.controlPlane.stop('SIGKILL');
  const counted = async () => (await sipp.history()).at(-1)?.messages ?? {};
  await until('SIPp has a BYE of each call', async () => {
    const { '0_INVITE_Recv': calls, '4_BYE_Recv': byes } = await counted();
    return (byes ?? 0) >= 2 && byes === calls;
  });
  await lab.startControlPlane();
  const run = await lab.ended(id);
  const { '0_INVITE_Recv': placed } = await counted();
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    callTiming: { totalCalls: placed, successCount: placed, inProgressCount: 0 },
    result: { failures: CALLS_TO_SIPP - (placed ?? 0), verdict: 'VOID' },
  });
  t.ok(
    run.validity?.reasons.some((r) => r.check === 'notStarted' && r.level === 'VOID'),
    'calls that it did not start void the run',
  );
  const endpoints = await lab.endpoints(id);
  t.ok(
    endpoints.every((e) => (e.callTiming?.callDurationMs ?? 0) < 1000 * LONG_SECONDS),
    'none lasted as long as it was to',
  );
  t.same([...new Set(endpoints.map((e) => e.failure?.reason ?? ''))].sort(), [
    '',
    'the agent was without a control plane',
    'the control plane was unreachable for too long',
  ]);
});

t.test('Ctrl-C ends the control plane in order, the database last', async (t) => {
  await Promise.all(lab.agents.map((agent) => agent.stop('SIGINT', 60_000)));
  t.equal(await lab.controlPlane.stop('SIGINT', 60_000), 0);
  t.equal(postmasterPid(lab.dataDir), null, 'PostgreSQL has ended');
  const log = await readFile(path.join(lab.dataDir, 'postgres', 'postgres.log'), 'utf8');
  t.notMatch(log, /terminating connection due to administrator command/, 'nobody was connected any more');
});

t.test('kill -9 leaves nothing that stops the next start', async (t) => {
  await lab.startControlPlane();
  await lab.controlPlane.stop('SIGKILL');
  await lab.startControlPlane();
  t.equal((await fetch(`${lab.controlPlane.url}/readyz`)).status, 200);
  process.kill(postmasterPid(lab.dataDir) ?? 0, 'SIGKILL');
  await lab.controlPlane.stop('SIGKILL');
  await lab.startControlPlane();
  t.equal((await fetch(`${lab.controlPlane.url}/readyz`)).status, 200, 'also when both are killed');
});
