/** A load that is changed while it goes on: from an instant on it has another rate, to its end. Pure. */
import { callsIn, type LoadOrder, type LoadStep } from '@carillon/proto/load/load-clock.ts';
import type { TestConfig } from '../../contract/test/test.ts';
import { isLasting, testCallers } from './callers.ts';
import { loadOrder, MOST_CALLS } from './load.ts';

/** `callsPerSecond` 0: no more calls, until it is changed again. */
export type LoadChange = { readonly fromSeconds: number; readonly callsPerSecond: number };

/** Steps that are over stay as they were: whatever has begun by them has begun by the new ones, too. */
function changed(steps: readonly LoadStep[], { fromSeconds, callsPerSecond }: LoadChange): LoadStep[] {
  const kept: LoadStep[] = [];
  let at = 0;
  for (const step of steps) {
    const left = fromSeconds - at;
    if (left > 0) kept.push(step.seconds <= left ? step : { ...step, seconds: left });
    at += step.seconds;
  }
  return at <= fromSeconds ? kept : [...kept, { seconds: at - fromSeconds, callsPerSecond }];
}

/** The load of a test whose endpoints place more than one call, as it is by now; null: it has none. */
export function presentLoad(config: TestConfig, changes: readonly LoadChange[]): LoadOrder | null {
  if (config.load.shape === 'BUILDUP' || !isLasting(config)) return null;
  const order = loadOrder(config.load, testCallers(config));
  return { ...order, steps: changes.reduce(changed, order.steps) };
}

/** Why the load, with its last change, cannot be; null: it can. `allowed`: calls in a second by each host and its share of the load. */
export function changeFault(
  { steps, calls }: LoadOrder,
  { callsPerSecond }: LoadChange,
  allowed: readonly { readonly worker: string; readonly perSecond: number; readonly share: number }[],
): string | null {
  const most = Math.min(calls, callsIn(steps));
  if (most > MOST_CALLS) return `the load would start ${most} calls, and a run has at most ${MOST_CALLS}`;
  const short = allowed.find(({ perSecond, share }) => callsPerSecond * share > perSecond);
  if (!short) return null;
  const asked = Math.round(callsPerSecond * short.share * 100) / 100;
  return `${short.worker} would start ${asked} calls a second, and its host allows ${short.perSecond}`;
}
