/** A change of a load in progress: another rate from an instant to its end. Pure. */
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import { callsIn, type LoadStep, lengthOf, rateAt, stepsUntil } from '@carillon/proto/load/load-step.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { testCallers } from './callers.ts';
import { lastingOrder } from './load.ts';

/** `callsPerSecond` 0: no more calls, until it is changed again. */
export type LoadChange = { readonly fromSeconds: number; readonly callsPerSecond: number };

/** Completed steps do not change: calls that they started belong to the new load as well. */
function changed(steps: readonly LoadStep[], { fromSeconds, callsPerSecond }: LoadChange): LoadStep[] {
  const left = lengthOf(steps) - fromSeconds;
  const over = stepsUntil(steps, fromSeconds);
  return left > 0 ? [...over, { seconds: left, callsPerSecond }] : over;
}

/** The current load of a test whose endpoints place several calls; null: it has none. */
export function presentLoad(config: TestConfig, changes: readonly LoadChange[]): LoadOrder | null {
  const order = lastingOrder(config);
  return order && { ...order, steps: changes.reduce(changed, order.steps) };
}

/** A load in progress, `seconds` after its start, with its last change; null: it cannot be changed, or has ended. */
export function loadNow(config: TestConfig, changes: readonly LoadChange[], seconds: number) {
  const planned = presentLoad(config, []);
  const load = presentLoad(config, changes);
  // A change takes effect shortly after the request.
  const now = load && rateAt(load.steps, Math.max(seconds, changes.at(-1)?.fromSeconds ?? 0));
  if (!planned || !load || now === undefined || now === null) return null;
  const before =
    changes.findLast(({ callsPerSecond }) => callsPerSecond > 0)?.callsPerSecond ??
    rateAt(planned.steps, changes[0]?.fromSeconds ?? seconds);
  return {
    shape: config.load.shape,
    endpoints: testCallers(config).endpoints,
    calls: load.calls,
    callsPerSecond: now,
    callsPerSecondUnpaused: now || (before ?? 0),
    seconds: lengthOf(load.steps),
  };
}

/**
 * The reason why the load with its last change is impossible; null: it is possible. `allowed`: calls per second of each
 * host and its share of the load. `maxCalls`: the limit of the run.
 */
export function changeFault(
  { steps, calls }: LoadOrder,
  { callsPerSecond }: LoadChange,
  allowed: readonly { readonly worker: string; readonly perSecond: number; readonly share: number }[],
  maxCalls: number,
): string | null {
  const most = Math.min(calls, callsIn(steps));
  if (most > maxCalls) return `the load would start ${most} calls, but this run can have at most ${maxCalls}`;
  const short = allowed.find(({ perSecond, share }) => callsPerSecond * share > perSecond);
  if (!short) return null;
  const requested = Math.round(callsPerSecond * short.share * 100) / 100;
  return `${short.worker} would start ${requested} calls a second, but its host allows ${short.perSecond}`;
}
