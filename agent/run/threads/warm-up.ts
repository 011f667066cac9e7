/**
 * Calls from one engine to another in memory, before an agent reports that it is ready: V8 compiles hot code, and until
 * then a call costs several times as much. Most tests would end before. Nothing leaves the thread except the facts of
 * these calls, for the main thread's rehearsal, and time is simulated.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import { nowMs } from '../../clock.ts';
import type { Policy } from '../../policy/policy.ts';
import { stepAside } from '../../sip/turns.ts';
import { takeRefused } from '../../steps.ts';
import type { SharePlan } from '../plan.ts';
import type { ShareFacts } from '../report/facts.ts';
import { AnsweringEnd, CALLEE, CallingEnd, rehearsedPolicy } from './rehearsed-ends.ts';
import { rehearsedPlan } from './rehearsed-plan.ts';

export type WarmUpLimits = {
  readonly calls: number;
  /** Of the thread's CPU time. */
  readonly cpuMs: number;
  /** Even if the host grants little CPU. */
  readonly ms: number;
};

type Rehearsal = { readonly placed: number; readonly failed: number };
/** Its facts, and their plan. */
type OnFacts = (facts: ShareFacts, plan: SharePlan) => void;

/** More calls gain too little for a longer start (scripts/bench/RESULTS.md). */
export const WARM_UP: WarmUpLimits = { calls: 4000, cpuMs: 800, ms: 3000 };

/** Fractions, as clocks have them: V8 compiles other code for integers. */
const FIRST_MS = 1000.37;
const TURN_MS = 4.003;
const CALLS_A_TURN = 8;
const CALL_MS = 40;
/** In two parts, of which this is the first one's share: V8 takes what is there once, such as a share, for a constant. */
const FIRST_PART = 8;
/** Turns before the thread checks for other work. */
const TURNS_A_ROUND = 4;
/** Interval of reports. */
const REPORT_MS = 20;

/** As many calls as the limits allow; stops when `isOver` reports other work. */
export async function warmUp(
  limits: WarmUpLimits,
  policy: Policy,
  isOver: () => boolean = () => false,
  onFacts: OnFacts = () => undefined,
): Promise<Rehearsal> {
  const restore = stepAside();
  const untilMs = nowMs() + limits.ms;
  const before = process.threadCpuUsage();
  const hasTime = (): boolean => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 < limits.cpuMs && nowMs() < untilMs && !isOver();
  };
  const sum = { placed: 0, failed: 0 };
  const few = Math.ceil(limits.calls / FIRST_PART);
  for (const calls of [few, limits.calls - few]) {
    const stage = await openStage(calls, policy, onFacts);
    while (!stage.isOver && hasTime()) {
      for (let turn = 0; turn < TURNS_A_ROUND; turn++) stage.turn();
      await nextRound();
    }
    sum.placed += stage.placed;
    sum.failed += stage.failed;
    stage.close();
  }
  takeRefused();
  restore();
  return sum;
}

async function openStage(calls: number, host: Policy, onFacts: OnFacts): Promise<Stage> {
  const policy = rehearsedPolicy(host);
  const callsPerSecond = (1000 * CALLS_A_TURN) / TURN_MS;
  const plan = await rehearsedPlan({ calls, callsPerSecond, callMs: CALL_MS, policy, target: CALLEE });
  const stage = new Stage(plan, policy, onFacts);
  await stage.open();
  return stage;
}

/** Both ends of the calls, with simulated time. */
class Stage {
  private nowMs = FIRST_MS;
  private reportedMs = FIRST_MS;
  private readonly plan: SharePlan;
  private readonly caller: CallingEnd;
  private readonly callee: AnsweringEnd;
  private readonly onFacts: OnFacts;

  constructor(plan: SharePlan, policy: Policy, onFacts: OnFacts) {
    const clock = (): number => this.nowMs;
    this.plan = plan;
    this.caller = new CallingEnd(plan, policy, clock);
    this.callee = new AnsweringEnd(clock);
    this.onFacts = onFacts;
  }

  async open(): Promise<void> {
    await this.caller.share.prepare();
    this.caller.share.start(this.nowMs);
  }

  get placed(): number {
    return this.caller.placed;
  }

  get failed(): number {
    return this.caller.failed;
  }

  get isOver(): boolean {
    return this.caller.share.isOver;
  }

  turn(): void {
    this.nowMs += TURN_MS;
    const { caller, callee, nowMs } = this;
    caller.share.turn(nowMs);
    caller.engine.turn(nowMs);
    caller.carryTo(callee, nowMs);
    callee.engine.turn(nowMs);
    callee.carryTo(caller, nowMs);
    callee.report();
    if (nowMs - this.reportedMs >= REPORT_MS || this.isOver) this.report();
  }

  close(): void {
    this.report();
    this.caller.engine.close();
    this.callee.engine.close();
  }

  private report(): void {
    this.reportedMs = this.nowMs;
    const facts = this.caller.report(this.nowMs);
    if (facts !== null) this.onFacts(facts, this.plan);
  }
}
