/**
 * One folded run on many simulated agents of one pool: what the control plane has to count, to the unit, and its percentiles from all
 * values. In the course of it agents are killed, cut off and joined, and the control plane is killed.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { n } from '../../../../scripts/measure/table.ts';
import type { Lab, RunDetail } from '../../../../scripts/peers/lab/lab.ts';
import { callsTo, type TestInput } from '../../../../scripts/peers/lab/provision.ts';
import { openTcpRelay, type TcpRelay } from '../../../../scripts/peers/network/tcp-relay.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { inTime } from './fleet-behind.ts';
import { SimulatedAgent } from './simulated-agent.ts';

/** Nobody listens there: no call leaves its agent. */
const NOWHERE = 'sip:nobody@127.0.0.1:9';
/** The run is ended before. */
const LOAD_SECONDS = 3600;
const CUT_OFF_MS = 5000;
/** A host that bears the rate needs a few of them. */
const JOIN_SECONDS = 60;
const DRAIN_SECONDS = 120;
/** The error of percentiles from sums (docs/decisions.md, Folded runs). */
const RELATIVE_ERROR = 0.01;

export const endsTest = (callsPerSecond: number): TestInput =>
  callsTo(NOWHERE, 'ends', {
    endpoints: callsPerSecond,
    calls: null,
    durationSeconds: 1,
    breaker: null,
    media: { mediaTracks: [] },
    load: { shape: 'RATE', callsPerSecond, seconds: LOAD_SECONDS },
  });

export class EndsFleet {
  readonly agents: SimulatedAgent[] = [];
  readonly #lab: Lab;
  readonly #joinToken: string;
  /** The ways of the first two agents to the control plane. */
  readonly #relays: readonly TcpRelay[];
  #killed: SimulatedAgent | null = null;

  private constructor(lab: Lab, joinToken: string, relays: readonly TcpRelay[]) {
    this.#lab = lab;
    this.#joinToken = joinToken;
    this.#relays = relays;
  }

  /** All of them have joined a pool. */
  static async join(lab: Lab, size: number): Promise<EndsFleet> {
    const { joinToken } = await lab.call('createPool', { name: 'ends', maxAgents: size + 1 });
    const relays = await Promise.all([openTcpRelay(lab.port), openTcpRelay(lab.port)]);
    const fleet = new EndsFleet(lab, joinToken, relays);
    while (fleet.agents.length < size) await fleet.#joinOne();
    return fleet;
  }

  async #joinOne(): Promise<void> {
    const nth = this.agents.length;
    const port = this.#relays[nth]?.port ?? this.#lab.port;
    const agent = await SimulatedAgent.open({
      url: `ws://127.0.0.1:${port}/agent/v1`,
      joinToken: this.#joinToken,
      stateDir: path.join(this.#lab.dir, `ends-${nth}`),
      seed: nth,
    });
    this.agents.push(agent);
    const hasJoined = inTime(
      JOIN_SECONDS,
      () => agent.welcomes > 0,
      () => `agent ${nth + 1} has not joined (${agent.refused ?? 'no answer'})`,
    );
    await until('it has joined', () => hasJoined(null));
  }

  /** Calls that have ended. */
  get ended(): number {
    return this.agents.reduce((sum, { played }) => sum + played.ended, 0);
  }

  /** Calls that have begun. */
  get placed(): number {
    return this.agents.reduce((sum, { played }) => sum + played.begun, 0);
  }

  /** Of these, the ones that the control plane does not have, as far as their agents know. */
  get waiting(): number {
    return this.agents.reduce((sum, agent) => sum + agent.played.begun - agent.reportedUntil(agent.committed).begun, 0);
  }

  /** One agent is killed, one is cut off for a while, one joins, and the control plane is killed and started again. */
  async disturb(): Promise<void> {
    const [killed] = this.agents;
    const [way, other] = this.#relays;
    // Nothing more comes through, in neither direction, as from a process that has gone.
    way?.block(true);
    killed?.kill();
    this.#killed = killed ?? null;
    other?.block(true);
    await sleep(CUT_OFF_MS);
    other?.block(false);
    await this.#joinOne();
    const before = this.agents.map(({ welcomes }) => welcomes);
    await this.#lab.controlPlane.stop('SIGKILL');
    await this.#lab.startControlPlane();
    const away = () =>
      this.agents.filter((agent, i) => agent !== this.#killed && agent.welcomes <= (before[i] as number)).length;
    const areBack = inTime(
      JOIN_SECONDS,
      () => away() === 0,
      () => `${away()} agents are not back at the control plane that was killed`,
    );
    await until('all are back', () => areBack(null));
  }

  /** Once the run has ended: what the control plane has to say of it. */
  async expected() {
    const all = await Promise.all(this.agents.map((agent) => this.#reportedOf(agent)));
    const sum = (pick: (one: (typeof all)[number]) => number): number => all.reduce((n, one) => n + pick(one), 0);
    const setupMs = Float64Array.from(all.flatMap(({ setupMs }) => setupMs)).sort();
    return {
      begun: sum(({ begun }) => begun),
      /** Those of the agent that was killed, and had begun by its own account. */
      lost: sum(({ begun, ended }) => begun - ended),
      answered: setupMs.length,
      ended: sum(({ ended }) => ended),
      setupMs,
    };
  }

  async #reportedOf(agent: SimulatedAgent) {
    const { begun, ended, answered } = agent.reportedUntil(
      agent === this.#killed ? await this.#lastBatchOf(agent) : agent.outbox.last,
    );
    return { begun, ended, setupMs: agent.played.setupMs.slice(0, answered) };
  }

  /** The control plane may have committed more than the agent has heard of. */
  async #lastBatchOf({ outbox }: SimulatedAgent): Promise<number> {
    const [row] = await this.#lab.query<{ last: number }>(
      'select last_batch as last from outboxes where outbox_id = $1',
      [outbox.id],
    );
    return row?.last ?? 0;
  }

  close(): void {
    for (const agent of this.agents) agent.kill();
    for (const relay of this.#relays) relay.close();
  }
}

type Expected = Awaited<ReturnType<EndsFleet['expected']>>;

/** The value of this rank, from ascending values. */
const rankedAt = (ascending: Float64Array, q: number): number =>
  ascending[Math.max(1, Math.ceil(q * ascending.length)) - 1] ?? Number.NaN;

/** How far a percentile of the run is from that of all values, relative to it: the worst of p50, p95 and p99. */
export function percentileError({ callTiming }: RunDetail, { setupMs }: Expected): number {
  const { p50, p95, p99 } = callTiming.callSetup;
  const pairs = [
    [p50, 0.5],
    [p95, 0.95],
    [p99, 0.99],
  ] as const;
  return Math.max(...pairs.map(([figure, q]) => Math.abs(figure / rankedAt(setupMs, q) - 1)));
}

/** What the run says otherwise than its agents. */
export function faultsOf(run: RunDetail, expected: Expected): string[] {
  const { callTiming, starts } = run;
  const { totalCalls, successCount, timeoutCount, rejectedCount, errorCount, inProgressCount, callSetup } = callTiming;
  const { begun, ended, lost, answered } = expected;
  const figures = [
    ['calls', totalCalls, ended + lost],
    ['planned', starts.planned, begun],
    ['started', starts.started, begun],
    ['answered', callSetup.count, answered],
    ['successful', successCount, answered],
    ['refused', rejectedCount, ended - answered],
    ['lost', errorCount, lost],
    ['timed out', timeoutCount, 0],
    ['in progress', inProgressCount, 0],
  ] as const;
  const wrong = figures.flatMap(([what, has, is]) => (has === is ? [] : [`${what}: ${has} of ${is}`]));
  const error = percentileError(run, expected);
  return error <= RELATIVE_ERROR ? wrong : [...wrong, `a percentile is ${(100 * error).toFixed(2)} % off`];
}

/** No more calls begin; resolves when all have ended. */
export async function pause(lab: Lab, testRunId: string): Promise<void> {
  await lab.call('updateTestRunLoad', { projectId: lab.projectId, testRunId, callsPerSecond: 0 });
  const hasNone = inTime(
    DRAIN_SECONDS,
    ({ progress }: RunDetail) => progress.callsEnded === progress.callsStarted,
    ({ progress: { callsStarted, callsEnded } }) =>
      `the control plane fell behind: it has the end of ${n(callsEnded)} of ${n(callsStarted)} calls; no call has begun since the load was paused, and this was`,
  );
  await lab.reaches(testRunId, 'has no call', hasNone, 1000);
}

export async function endRun(lab: Lab, testRunId: string): Promise<RunDetail> {
  await pause(lab, testRunId);
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId });
  return lab.ended(testRunId);
}
