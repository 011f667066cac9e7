/**
 * One run on many agents of one pool, whose rate is changed, paused and raised again: at which of the calls that the plan has each
 * agent began one, by its own account. Then agents are killed, cut off and joined, and the control plane is killed.
 */
import path from 'node:path';
import { seedOf } from '@carillon/media/seeded.ts';
import { loadClock } from '@carillon/proto/load/load-clock.ts';
import { WHOLE } from '@carillon/proto/load/load-part.ts';
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import type { Lab, RunCall } from '../../../../scripts/peers/lab/lab.ts';
import { callsTo, type TestInput } from '../../../../scripts/peers/lab/provision.ts';
import type { Loopback } from '../../../../scripts/peers/network/loopback.ts';
import { type Peer, until } from '../../../../scripts/peers/process.ts';
import type { LoadChange } from '../../../domain/run/load/load-change.ts';
import type { AnsweredChange } from './fleet-change.ts';
import { startPoolAgent } from './pool-agent.ts';

const CALL_SECONDS = 1;
/** With more calls in its plan, also at twice the rate, not each would have a row. The run is ended before. */
const MAX_PLANNED = 48_000;
const loadSeconds = (callsPerSecond: number): number => Math.floor(MAX_PLANNED / callsPerSecond);
/** Agents that begin at the same time: each needs a processor for a moment. */
const AT_ONCE = 2;
/** A small agent. */
const CAPACITY = 100;
/** The conversion of an instant to the agent's clock and back, and rounding to milliseconds. */
const OFF_MS = 5;

export const fleetTest = (uri: string, callsPerSecond: number): TestInput =>
  callsTo(uri, 'fleet', {
    endpoints: 6 * callsPerSecond,
    calls: null,
    durationSeconds: CALL_SECONDS,
    breaker: null,
    media: { mediaTracks: [] },
    load: { shape: 'RATE', callsPerSecond, seconds: loadSeconds(callsPerSecond) },
  });

/** An agent is connected when it resolves. */
export async function joinFleet(
  lab: Lab,
  net: Loopback,
  size: number,
): Promise<{ agents: Peer[]; join(): Promise<void> }> {
  const { joinToken } = await lab.call('createPool', { name: 'fleet', maxAgents: 2 * size });
  const agents: Peer[] = [];
  let n = 0;
  const join = async (): Promise<void> => {
    const nth = n++;
    const place = { folder: `fleet-${nth}`, token: joinToken, address: net.address(11 + (nth % 180)) };
    // One compiles for all.
    const env = { CARILLON_CAPACITY: String(CAPACITY), NODE_COMPILE_CACHE: path.join(lab.dir, 'compiled') };
    const agent = await startPoolAgent(lab, { ...place, env });
    agents.push(agent);
    await until('it has joined', () => connections(agent) > 0);
  };
  const joinAll = async (): Promise<void> => {
    while (n < size) await join();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, joinAll));
  return { agents, join };
}

/** How often an agent was connected. */
export const connections = (agent: Peer): number => agent.output().split('connected to the control plane').length - 1;

/** The changes of a run as they are in its orders. */
export const changesOf = async (lab: Lab, testRunId: string): Promise<readonly LoadChange[]> =>
  (
    await lab.query<{ changes: LoadChange[] }>('select load_changes as changes from test_runs where id = $1', [
      testRunId,
    ])
  )[0]?.changes ?? [];

/** The instants that a load has with its changes, in milliseconds after the start, up to `untilMs`. */
export function plannedInstants(callsPerSecond: number, changes: readonly LoadChange[], untilMs: number): number[] {
  const all = [{ fromSeconds: 0, callsPerSecond }, ...changes];
  const steps = all.map(
    (change, i): LoadStep => ({
      callsPerSecond: change.callsPerSecond,
      seconds: (all[i + 1]?.fromSeconds ?? loadSeconds(callsPerSecond)) - change.fromSeconds,
    }),
  );
  const clock = loadClock({ shape: 'EVEN', steps, calls: Number.POSITIVE_INFINITY, seed: 0 }, WHOLE, seedOf);
  const instants: number[] = [];
  for (; clock.nextMs <= untilMs; clock.take(clock.nextMs)) instants.push(clock.nextMs);
  return instants;
}

/**
 * How the calls of agents agree with the plan: `strange` began when no call was due, as after a change that an agent did not have
 * yet; `twice` are of an instant that another call has; `agents` is how many placed one.
 */
export function againstPlan(calls: readonly RunCall[], startedAt: string, instants: readonly number[]) {
  const taken = new Set<number>();
  let [strange, twice, offMs] = [0, 0, 0];
  for (const { plannedAt } of calls) {
    // The agent was killed before it reported the call.
    if (plannedAt === null) continue;
    const at = Date.parse(plannedAt) - Date.parse(startedAt);
    const near = nearest(instants, at);
    const off = Math.abs((instants[near] ?? Number.POSITIVE_INFINITY) - at);
    if (!(off <= OFF_MS)) strange++;
    else if (taken.has(near)) twice++;
    else {
      taken.add(near);
      offMs = Math.max(offMs, off);
    }
  }
  return { strange, twice, offMs, agents: new Set(calls.map(({ worker }) => worker.id)).size };
}

function nearest(ascending: readonly number[], at: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) + (ascending[middle + 1] as number) < 2 * at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Changes the rate to each of these, and lets it hold until twice as many calls as that are planned, or all have ended. */
export async function changeRates(lab: Lab, testRunId: string, rates: readonly number[]): Promise<AnsweredChange[]> {
  const { projectId } = lab;
  const answeredMs: number[] = [];
  for (const callsPerSecond of rates) {
    await lab.call('updateTestRunLoad', { projectId, testRunId, callsPerSecond });
    answeredMs.push(Date.now());
    const before = (await lab.run(testRunId)).starts.planned;
    await lab.reaches(testRunId, `has the rate ${callsPerSecond}`, ({ starts, progress }) =>
      callsPerSecond === 0
        ? progress.callsEnded === progress.callsStarted
        : starts.planned >= before + 2 * callsPerSecond,
    );
  }
  const startedMs = Date.parse((await lab.run(testRunId)).startedAt ?? '');
  const changes = (await changesOf(lab, testRunId)).slice(-rates.length);
  return changes.map(({ callsPerSecond, fromSeconds }, i) => ({
    callsPerSecond,
    fromMs: startedMs + 1000 * fromSeconds,
    answeredMs: answeredMs[i] as number,
  }));
}
