/** When a test's calls start, as the form holds it, and how many calls those are. */
import { callsIn, fastestOf, gathered, lengthOf, secondsUntil, stepsUntil } from '@carillon/proto/load/load-step.ts';
import type { LoadFieldRows } from '@carillon/proto/load/shapes/shape.ts';
import {
  hasBuildup,
  isSized,
  LOAD_SHAPES,
  type Load,
  type LoadShapeName,
  loadShape,
  type SizedLoad,
  stepsOf,
  type WrittenLoad,
} from '@carillon/proto/load/shapes/shapes.ts';

export type LoadDraft = {
  /** The number of endpoints; for callers, this is the number of simultaneous calls. */
  readonly endpoints: number;
  /** Null: as many calls as the load requires. */
  readonly callsEach: number | null;
  readonly load: Load;
  /** The build-up of a load that starts each endpoint once. */
  readonly buildup: number;
  readonly durationSeconds: number;
};

/** The end of a load: after a time, after a number of calls, or when every endpoint has placed its calls. */
export type Length = 'SECONDS' | 'CALLS' | 'ENDPOINTS';

const FIRST_SECONDS = 60;
const FIRST_RATE = 10;
/** The factor for endpoints beyond the number that a rate needs on average. */
const MARGIN = 1.25;

export const endOf = ({ seconds, calls }: SizedLoad): Length =>
  seconds !== undefined ? 'SECONDS' : calls !== undefined ? 'CALLS' : 'ENDPOINTS';

const finite = (n: number): number | null => (Number.isFinite(n) ? n : null);

/** The load with another kind of length, which is about as long as before. */
export function withLength({ seconds, calls, ...load }: SizedLoad, length: Length): SizedLoad {
  const steps = stepsOf(load);
  const ofCalls = calls === undefined ? null : finite(secondsUntil(steps, calls));
  const lasted = seconds ?? Math.max(1, Math.round(ofCalls ?? FIRST_SECONDS));
  if (length === 'SECONDS') return { ...load, seconds: lasted };
  if (length === 'ENDPOINTS') return load;
  return { ...load, calls: calls ?? Math.max(1, Math.round(gathered(stepsUntil(steps, lasted)))) };
}

type Drafted = Readonly<Record<string, unknown>>;

const withFallbacks = (fields: LoadFieldRows, values: Drafted): Drafted => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      'row' in field || field.fallback === undefined ? [] : [[name, values[name] ?? field.fallback]],
    ),
  ),
});

/** The load in another shape, with the values that both shapes have. */
export function inShape(draft: LoadDraft, shape: LoadShapeName): Partial<LoadDraft> {
  const { fields, pace, suggest } = loadShape(shape);
  if (pace === null) return { load: { shape } as Load, callsEach: 1 };
  const callsPerSecond = stepsOf(draft.load)[0]?.callsPerSecond ?? FIRST_RATE;
  const { seconds, calls } = isSized(draft.load) ? draft.load : {};
  const length = calls === undefined ? { seconds: seconds ?? FIRST_SECONDS } : { calls };
  const suggested = suggest?.(callsPerSecond) ?? { callsPerSecond };
  const plain = withFallbacks(fields, { shape, ...suggested }) as Load;
  const load = isSized(plain) ? { ...plain, ...length } : plain;
  if (!hasBuildup(draft.load)) return { load };
  const needed = Math.ceil(arrivalsOf({ ...draft, load }).perSecond * draft.durationSeconds * MARGIN);
  return { load, callsEach: null, ...(!pace.waits && { endpoints: Math.max(1, needed) }) };
}

/** The load as the form accepts it; null: the text has something else. */
export function readLoad(load: WrittenLoad): Load | null {
  if (!LOAD_SHAPES.includes(load.shape)) return null;
  const { fields } = loadShape(load.shape);
  const whole = withFallbacks(fields, load);
  return isWhole(fields, whole) ? (whole as Load) : null;
}

const isWhole = (fields: LoadFieldRows, values: Drafted): boolean =>
  Object.entries(fields).every(([name, field]) => {
    const value = values[name];
    if (!('row' in field)) return field.isOptional || typeof value === 'number';
    return Array.isArray(value) && value.length > 0 && value.every((one) => isWhole(field.row, one));
  });

export type Arrivals = {
  /** Null: the end of the load is not defined. */
  readonly calls: number | null;
  /** True: the number of calls is an average, or is valid only if no call is longer than planned. */
  readonly isAbout: boolean;
  /** The time over which calls are started; null as above. */
  readonly seconds: number | null;
  /** The highest rate. */
  readonly perSecond: number;
};

export function arrivalsOf({ load, endpoints, callsEach, buildup, durationSeconds }: LoadDraft): Arrivals {
  const { pace } = loadShape(load.shape);
  if (pace === null) {
    const perSecond = buildup === 0 ? endpoints : endpoints / buildup;
    return { calls: endpoints, isAbout: false, seconds: buildup, perSecond };
  }
  const steps = stepsOf(load);
  const held = endpoints / durationSeconds;
  const mean = pace.waits
    ? steps.map((step) => ({ ...step, callsPerSecond: Math.min(step.callsPerSecond, held) }))
    : steps;
  const length = finite(lengthOf(steps));
  const ofEndpoints = length === null && callsEach !== null ? endpoints * callsEach : undefined;
  const total = (isSized(load) ? load.calls : undefined) ?? ofEndpoints;
  const calls = total ?? (length === null ? null : callsIn(mean));
  const seconds = length ?? (calls === null ? null : finite(secondsUntil(mean, calls)));
  const isAbout = total === undefined && (pace.waits || pace.isRandom);
  return { calls, isAbout, seconds, perSecond: fastestOf(steps) };
}
