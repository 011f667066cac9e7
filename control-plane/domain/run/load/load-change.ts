/** A change of a load in progress: another rate from an instant to its end. Pure. */
import { callsIn, type LoadOrder, type LoadStep } from '@carillon/proto/load/load-clock.ts';
import type { TestConfig } from '../../../contract/test/test.ts';
import { isLasting, testCallers } from './callers.ts';
import { loadOrder } from './load.ts';

/** `callsPerSecond` 0: no more calls, until it is changed again. */
export type LoadChange = { readonly fromSeconds: number; readonly callsPerSecond: number };

/** The part completed this many seconds after the start. */
export function stepsUntil(steps: readonly LoadStep[], seconds: number): LoadStep[] {
  const over: LoadStep[] = [];
  let left = seconds;
  for (const step of steps) {
    if (left > 0) over.push(step.seconds <= left ? step : { ...step, seconds: left });
    left -= step.seconds;
  }
  return over;
}

const lengthOf = (steps: readonly LoadStep[]): number => steps.reduce((sum, { seconds }) => sum + seconds, 0);

/** Completed steps do not change: calls started by them also belong to the new load. */
function changed(steps: readonly LoadStep[], { fromSeconds, callsPerSecond }: LoadChange): LoadStep[] {
  const left = lengthOf(steps) - fromSeconds;
  const over = stepsUntil(steps, fromSeconds);
  return left > 0 ? [...over, { seconds: left, callsPerSecond }] : over;
}

/** The current load of a test whose endpoints place several calls; null: it has none. */
export function presentLoad(config: TestConfig, changes: readonly LoadChange[]): LoadOrder | null {
  if (config.load.shape === 'BUILDUP' || !isLasting(config)) return null;
  const order = loadOrder(config.load, testCallers(config));
  return { ...order, steps: changes.reduce(changed, order.steps) };
}

/** undefined: all are completed. */
function stepAt(steps: readonly LoadStep[], seconds: number): LoadStep | undefined {
  let until = 0;
  return steps.find((step) => {
    until += step.seconds;
    return until > seconds;
  });
}

/** A load in progress, `seconds` after its start, with its last change; null: it cannot be changed, or has ended. */
export function loadNow(config: TestConfig, changes: readonly LoadChange[], seconds: number) {
  const planned = presentLoad(config, []);
  const load = presentLoad(config, changes);
  // A change takes effect shortly after the request.
  const now = load && stepAt(load.steps, Math.max(seconds, changes.at(-1)?.fromSeconds ?? 0));
  if (!planned || !load || !now) return null;
  const before =
    changes.findLast(({ callsPerSecond }) => callsPerSecond > 0) ??
    stepAt(planned.steps, changes[0]?.fromSeconds ?? seconds);
  return {
    shape: config.load.shape,
    endpoints: testCallers(config).endpoints,
    calls: load.calls,
    callsPerSecond: now.callsPerSecond,
    callsPerSecondUnpaused: now.callsPerSecond || (before?.callsPerSecond ?? 0),
    seconds: lengthOf(load.steps),
  };
}

/**
 * Why the load with its last change is impossible; null: it is possible. `allowed`: calls per second of each host and
 * its share of the load. `mostCalls`: limit of the run.
 */
export function changeFault(
  { steps, calls }: LoadOrder,
  { callsPerSecond }: LoadChange,
  allowed: readonly { readonly worker: string; readonly perSecond: number; readonly share: number }[],
  mostCalls: number,
): string | null {
  const most = Math.min(calls, callsIn(steps));
  if (most > mostCalls) return `the load would start ${most} calls, but this run can have at most ${mostCalls}`;
  const short = allowed.find(({ perSecond, share }) => callsPerSecond * share > perSecond);
  if (!short) return null;
  const requested = Math.round(callsPerSecond * short.share * 100) / 100;
  return `${short.worker} would start ${requested} calls a second, but its host allows ${short.perSecond}`;
}
