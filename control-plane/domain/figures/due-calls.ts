/** How many calls of a run are due by when: the plan, for comparison with the results. Pure. */
import { callsIn, type LoadOrder } from '@carillon/proto/load/load-clock.ts';
import type { TestConfig } from '../../contract/test/test.ts';
import { instants, instantsOf } from '../run/load/load.ts';
import { type LoadChange, presentLoad, stepsUntil } from '../run/load/load-change.ts';
import { deal } from '../run/load/timetable.ts';

/** Calls due before that many milliseconds after the start. */
export type DueBefore = (ms: number) => number;

/** Instants of more random calls than this are not worked out, only how many they are on average. */
const MOST_DRAWN = 100_000;

/**
 * null: not known in advance, because each call waits for the end of another. `registers`: number of registrars with a
 * REGISTER before the call.
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
  if (shape === 'HOLD') return null;
  if (shape === 'POISSON' && Math.min(calls, callsIn(steps)) <= MOST_DRAWN) return ofInstants(instantsOf(load));
  return (ms) => Math.min(calls, callsIn(stepsUntil(steps, ms / 1000)));
}

/** `all`: ascending. */
const ofInstants =
  (all: readonly number[]): DueBefore =>
  (ms) => {
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((all[middle] as number) < ms) from = middle + 1;
      else to = middle;
    }
    return from;
  };
