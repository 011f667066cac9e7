/** How many calls of a run are due by which time: the plan, for comparison with the results. Pure. */
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import { callsIn, stepsUntil } from '@carillon/proto/load/load-step.ts';
import { paceOf } from '@carillon/proto/load/shapes/shapes.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { countBelow } from '../count-below.ts';
import { instants, instantsOf, MAX_DRAWN } from '../run/load/load.ts';
import { type LoadChange, presentLoad } from '../run/load/load-change.ts';
import { deal } from '../run/load/timetable.ts';

/** The number of calls due before that many milliseconds after the start. */
export type DueBefore = (ms: number) => number;

/**
 * Null: the plan is not known in advance, because each call waits for the end of another. `registers`: the number of
 * registrars with a REGISTER before the call.
 */
export function dueCalls(
  config: TestConfig,
  buildupSeconds: number,
  registers: ReadonlySet<string>,
  changes: readonly LoadChange[] = [],
): DueBefore | null {
  const lasting = presentLoad(config, changes);
  if (lasting) return ofLoad(lasting);
  const { load } = config;
  const callers = config.groups.flatMap((group) =>
    group.subPopulations.filter((s) => s.role === 'CALLER').map((s) => ({ group, size: s.endpoints })),
  );
  const sizes = callers.map((c) => c.size);
  const starts = deal(
    sizes,
    instants(
      load,
      sizes.reduce((sum, n) => sum + n, 0),
      buildupSeconds,
    ),
    callers.map((c) => registers.has(c.group.registrarId)),
  );
  return ofInstants(
    starts
      .flatMap((rows, i) => (callers[i]?.group.mode === 'CALL' ? rows.map((row) => row.callAtMs) : []))
      .sort((a, b) => a - b),
  );
}

function ofLoad(load: LoadOrder): DueBefore | null {
  const { shape, steps, calls } = load;
  const { isRandom, waits } = paceOf(shape);
  if (waits) return null;
  if (isRandom && Math.min(calls, callsIn(steps)) <= MAX_DRAWN) return ofInstants(instantsOf(load));
  return (ms) => Math.min(calls, callsIn(stepsUntil(steps, ms / 1000)));
}

/** `all`: in ascending order. */
const ofInstants =
  (all: readonly number[]): DueBefore =>
  (ms) =>
    countBelow(all, ms, (one) => one);
