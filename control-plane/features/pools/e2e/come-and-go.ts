/**
 * Disposable agents that come and go under runs of calls to SIPp, one run after the other: the counts of all runs, and SIPp's own.
 * An agent that is asked to leave lets its calls go on for a moment, and ends its share of the run then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { callsTo, type TestInput } from '../../../../scripts/peers/lab/provision.ts';
import type { Loopback } from '../../../../scripts/peers/network/loopback.ts';
import { type Peer, until } from '../../../../scripts/peers/process.ts';
import { startSipp } from '../../../../scripts/peers/sip/sipp.ts';
import { startPoolAgent } from './pool-agent.ts';

const CALL_SECONDS = 1;
const DRAIN_SECONDS = 2;

export type Coming = {
  readonly agents: number;
  /** As long as runs are begun. */
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly secondsOfRun: number;
  /** From the leave of one agent to that of the next. */
  readonly everySeconds: number;
};

export const openSipp = (net: Loopback) => startSipp({ address: net.address(200), scenario: { builtIn: 'uas' } });

export const comingTest = (uri: string, { callsPerSecond, secondsOfRun }: Coming): TestInput =>
  callsTo(uri, 'calls', {
    endpoints: 3 * callsPerSecond,
    calls: null,
    durationSeconds: CALL_SECONDS,
    breaker: null,
    media: { mediaTracks: [] },
    load: { shape: 'RATE', callsPerSecond, seconds: secondsOfRun },
  });

/** Counts over all runs; `inStates`: calls by how they ended; `sipp`: those that SIPp was sent. */
export async function comeAndGo(lab: Lab, net: Loopback, sipp: Awaited<ReturnType<typeof openSipp>>, coming: Coming) {
  const { agents: size, seconds, everySeconds } = coming;
  const pool = await lab.call('createPool', { name: 'spot', maxAgents: 2 * size });
  const there: Peer[] = [];
  let begun = 0;
  const wrongExits: string[] = [];
  const begin = async () => {
    const n = begun++;
    const args = ['--disposable', '--drain-seconds', String(DRAIN_SECONDS)];
    const address = net.address(11 + (n % 180));
    const agent = await startPoolAgent(lab, { folder: `spot-${n}`, token: pool.joinToken, address, args });
    there.push(agent);
    // One that is told to end during its start has no worker to archive.
    await until('it has joined', () => agent.output().includes('connected to the control plane'));
  };
  const endOne = async () => {
    const agent = there.shift();
    const code = await agent?.stop('SIGTERM');
    if (code !== 0) wrongExits.push(`${code}: ${agent?.output().slice(-500)}`);
  };
  await Promise.all(Array.from({ length: size }, begin));
  const endMs = Date.now() + 1000 * seconds;
  const leaving = (async () => {
    for (; Date.now() < endMs; await sleep(1000 * everySeconds)) await Promise.all([endOne(), begin()]);
  })();
  const counts = { runs: 0, unstarted: 0, calls: 0, inStates: 0, open: 0, started: 0 };
  while (Date.now() < endMs) {
    const { projectId } = lab;
    await until('half of them are online', async () => {
      const { rows } = await lab.call('listWorkers', { per_page: 100 });
      return rows.filter(({ status }) => status === 'ONLINE').length >= size / 2;
    });
    const { id } = await lab.call('runTest', { projectId, testId: lab.testId('calls') });
    const { startedAt, callTiming, starts } = await lab.ended(id);
    const { totalCalls, successCount, timeoutCount, rejectedCount, errorCount, inProgressCount } = callTiming;
    counts.runs++;
    if (startedAt === null) counts.unstarted++;
    counts.calls += totalCalls;
    counts.inStates += successCount + timeoutCount + rejectedCount + errorCount;
    counts.open += inProgressCount;
    counts.started += starts.started;
  }
  await leaving;
  while (there.length > 0) await Promise.all(there.map(endOne));
  const { rows } = await lab.call('listPools', {});
  const left = rows.reduce((sum, { joined, agents }) => sum + joined - agents, 0);
  // A BYE whose call SIPp has given up, because a CANCEL crossed its answer, is an IncomingCall as well.
  const { messages } = await sipp.end();
  return { ...counts, left, begun, wrongExits, sipp: messages['0_INVITE_Recv'] ?? 0 };
}
