/** Checks an allocation against the policy of the host's owner: calls per second, their length, the numbers that they dial. */
import type { wire } from '@carillon/proto';
import { wire as words } from '@carillon/proto';
import { dialledNumber, numberObstacle, numberPredicate } from '@carillon/proto/dialled-number.ts';
import { hostOf, targetPredicate } from '../../policy/judge.ts';
import type { DayMinutes } from '../../policy/minutes.ts';
import type { Policy } from '../../policy/policy.ts';
import { AllocationRefused } from './allocation-refused.ts';

type Allocation = wire.agent.v1.Allocation;

/** Calls of another open allocation that have not started, in milliseconds after the start of its run. */
export type CarriedCalls = {
  readonly runId: string;
  /** Whether they belong to the run of the new allocation: the two start together. */
  readonly isSameRun: boolean;
  readonly callAtMs: readonly number[];
  /** The rate of its load, in addition to these calls. */
  readonly callsPerSecond?: number;
};

/** The time after the last call's longest end: for slow registrars, ringing calls, and a clean end. */
const END_MARGIN_MS = 120_000;

/** The starts of an allocation: calls at their instants, or the rate of its load. */
export const beginsOf = (a: Allocation) => ({ callAtMs: callsOf(a), callsPerSecond: loadRate(a) });

/** Only callers start calls; those of a load have no fixed instants. */
export const callsOf = ({ role, endpoints, load }: Allocation): readonly number[] =>
  role === words.agent.v1.Role.CALLER && !load ? (endpoints?.callAtMs ?? []) : [];

/** Starts per second of its load: the rate of the steepest step. */
function loadRate({ load }: Allocation): number {
  const { steps, partFrom, partUntil, parts } = load ?? {};
  if (!steps || !parts) return 0;
  const steepest = steps.reduce((most, step) => Math.max(most, step.callsPerSecond ?? 0), 0);
  return (steepest * ((partUntil ?? 0) - (partFrom ?? 0))) / parts;
}

export const longestCallMs = (policy: Policy): number => policy.maxDurationSeconds * 1000;

/** When everything is hung up, after the start: as ordered, but not later than the last call may last. */
export function hardEndMs(a: Allocation, policy: Policy): number {
  const lastStartMs = callsOf(a).reduce((latest, at) => Math.max(latest, at), a.receiveWindowMs);
  return Math.min(a.hardEndMs, lastStartMs + longestCallMs(policy) + END_MARGIN_MS);
}

/** @throws AllocationRefused */
export function checkPolicy(
  a: Allocation,
  policy: Policy,
  carried: readonly CarriedCalls[],
  minutes: Pick<DayMinutes, 'obstacle'> | null = null,
): void {
  const spent = minutes?.obstacle ?? null;
  if (spent !== null && (a.group?.mode || 'CALL') === 'CALL') throw new AllocationRefused('MINUTES_SPENT', spent);
  if (a.callDurationMs > longestCallMs(policy)) {
    const message = `calls of ${a.callDurationMs / 1000} s, and this host allows ${policy.maxDurationSeconds} s`;
    throw new AllocationRefused('POLICY', message);
  }
  checkRate(callsOf(a), loadRate(a), policy, carried);
  const mayTarget = targetPredicate(policy);
  const mayDial = numberPredicate(policy);
  const referred = a.group?.actions?.flatMap((action) => action.target || []) ?? [];
  for (const uri of new Set([...(a.endpoints?.targetUri ?? []), ...referred])) {
    if (!mayTarget(uri)) {
      const message = `the policy of this host does not allow calls to ${hostOf(uri)}`;
      throw new AllocationRefused('TARGET_NOT_ALLOWED', message);
    }
    if (mayDial(uri)) continue;
    const message = `the policy of this host does not allow calls to ${dialledNumber(uri)}: ${numberObstacle(policy, uri)}`;
    throw new AllocationRefused('NUMBER_NOT_ALLOWED', message);
  }
}

/** The start of other runs is not known here: their busiest second is assumed to coincide with that of this run. */
function checkRate(calls: readonly number[], rate: number, policy: Policy, carried: readonly CarriedCalls[]): void {
  if (calls.length === 0 && rate === 0) return;
  const own = [...calls];
  let [ownRate, othersRate] = [rate, 0];
  const others = new Map<string, number[]>();
  for (const { runId, isSameRun, callAtMs, callsPerSecond = 0 } of carried) {
    if (isSameRun) ownRate += callsPerSecond;
    else othersRate += callsPerSecond;
    if (isSameRun) own.push(...callAtMs);
    else others.set(runId, [...(others.get(runId) ?? []), ...callAtMs]);
  }
  const ofOwn = busiestSecond(own) + Math.ceil(ownRate);
  const ofRuns = [...others.values()].reduce((sum, run) => sum + busiestSecond(run), 0);
  const ofOthers = ofRuns + Math.ceil(othersRate);
  const most = ofOwn + ofOthers;
  if (most <= policy.maxCallsPerSecond) return;
  // Occasional calls, such as a probe's, fit between those of any load (host-pace.ts).
  if (ofOwn <= 1 && policy.maxCallsPerSecond >= 1) return;
  const among = ofOthers > 0 ? `, ${ofOthers} of them of other runs` : '';
  const message = `${most} calls in a second${among}, and this host allows ${policy.maxCallsPerSecond}`;
  throw new AllocationRefused('POLICY', message);
}

function busiestSecond(calls: readonly number[]): number {
  const starts = [...calls].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (let last = 0; last < starts.length; last++) {
    while ((starts[last] as number) - (starts[first] as number) >= 1000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
