/**
 * A load as instants of call starts, milliseconds after the run's start, and as sent to agents whose endpoints place
 * several calls. Pure; the same seed gives the same instants.
 */
import { seedOf } from '@carillon/media/seeded.ts';
import { type LoadOrder, loadClock } from '@carillon/proto/load/load-clock.ts';
import { WHOLE } from '@carillon/proto/load/load-part.ts';
import { callsIn, fastestOf, gathered, lengthOf, secondsUntil } from '@carillon/proto/load/load-step.ts';
import { builtUp } from '@carillon/proto/load/shapes/buildup.ts';
import { MAX_CALLS, MAX_LOAD_SECONDS } from '@carillon/proto/load/shapes/shape.ts';
import {
  hasOneRate,
  isSized,
  LOAD_SHAPES,
  type Load,
  loadShape,
  paceOf,
  stepsOf,
} from '@carillon/proto/load/shapes/shapes.ts';
import { anyOf } from '../../../contract/test-settings/load.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { type Callers, isLasting, testCallers } from './callers.ts';

/** For more calls than this, the instants are not computed: bounds and means replace them. */
export const MAX_DRAWN = 100_000;
/** The extra time of a call beyond its duration, if the next one waits for its end. */
const SETUP_SECONDS = 5;

/** One instant for each of `calls` endpoints with one call each, in ascending order. */
export function instants(load: Load, calls: number, buildupSeconds: number): number[] {
  const endless = isSized(load) ? { ...load, seconds: undefined } : load;
  const order = loadOrder(endless, { endpoints: calls, calls });
  if (order === null) return builtUp(calls, buildupSeconds);
  // If each endpoint has one call, no call waits for another.
  return instantsOf({ ...order, calls, shape: paceOf(order.shape).waits ? 'EVEN' : order.shape });
}

/** The instants at which the calls start. If calls wait for endpoints, they are not known in advance. */
export function instantsOf(order: LoadOrder): number[] {
  if (paceOf(order.shape).waits) return [];
  const clock = loadClock(order, WHOLE, seedOf);
  const all: number[] = [];
  for (; clock.nextMs < Number.POSITIVE_INFINITY; clock.take(clock.nextMs)) all.push(Math.round(clock.nextMs));
  return all;
}

/** The load for agents; null: it starts each endpoint once. */
export function loadOrder(load: Load, { calls }: Callers): LoadOrder | null {
  const { pace } = loadShape(load.shape);
  if (pace === null) return null;
  const inAll = calls ?? Number.POSITIVE_INFINITY;
  return {
    shape: pace.wire,
    steps: stepsOf(load),
    calls: lengthIn(load).calls ?? inAll,
    seed: 'seed' in load ? load.seed : 0,
  };
}

/** The same for a test whose endpoints place several calls; null: they do not. */
export const lastingOrder = (config: TestConfig): LoadOrder | null =>
  isLasting(config) ? loadOrder(config.load, testCallers(config)) : null;

const lengthIn = (load: Load): { readonly seconds?: number | undefined; readonly calls?: number | undefined } =>
  isSized(load) ? load : {};

/** A Poisson count passes its mean by four standard deviations once in 30,000. */
const chance = (calls: number): number => 4 * Math.sqrt(calls);

/**
 * The number of calls that the load starts, or more; if calls follow the end of others, only the limit by its rate is
 * known.
 */
export function maxCalls(load: Load, callers: Callers): number {
  const order = loadOrder(load, callers);
  if (order === null) return callers.endpoints;
  const within = callsIn(order.steps);
  return Math.min(order.calls, paceOf(order.shape).isRandom ? within + Math.ceil(chance(within)) : within);
}

/** If calls have rows, both ends are compared when the run settles; this is impossible with sums. */
const MAX_PAIRED_CALLS = 100_000;

/** The duration of the starts, in whole seconds. BUILDUP: as requested. `durationSeconds`: the duration of a call. */
export function loadSeconds(load: Load, callers: Callers, buildupSeconds: number, durationSeconds: number): number {
  const order = loadOrder(load, callers);
  if (order === null) return buildupSeconds;
  const length = lengthOf(order.steps);
  if (Number.isFinite(length)) return length;
  const { endpoints, calls } = callers;
  const { isRandom, waits } = paceOf(order.shape);
  const isOnce = calls === endpoints;
  const all = lengthIn(load).calls ?? calls ?? 0;
  if (isRandom && isOnce) return wholeSeconds(((instants(load, endpoints, 0).at(-1) ?? 0) + 1) / 1000);
  const byRate = secondsUntil(order.steps, isRandom ? all + chance(all) : all);
  if (!waits || isOnce) return wholeSeconds(byRate);
  const rounds = Math.ceil(all / endpoints) - 1;
  const oneByOne = endpoints / fastestOf(order.steps) + rounds * (durationSeconds + SETUP_SECONDS);
  return wholeSeconds(Math.max(byRate, oneByOne));
}

/** A value exceeds a whole second by less than this only through rounding. */
const NEARLY = 1e-6;
const wholeSeconds = (seconds: number): number => Math.ceil(seconds - NEARLY);

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };
const fault = (message: string, ...path: PropertyKey[]): Fault[] => [{ path: ['load', ...path], message }];

/** `buildupSeconds`: written in addition to the load; null or 0: nothing. */
export function loadFaults(
  load: Load,
  callers: Callers,
  buildupSeconds: number | null,
  durationSeconds: number,
): Fault[] {
  const unfit = lengthFaults(load, callers);
  if (unfit.length > 0) return unfit;
  const seconds = loadSeconds(load, callers, 0, durationSeconds);
  if (buildupSeconds && seconds !== buildupSeconds && hasOneRate(load.shape) && loadShape(load.shape).product)
    return fault(
      `${product({ ...load, seconds: buildupSeconds } as Load, callers)}; leave buildup out, or change the number of endpoints`,
      'callsPerSecond',
    );
  if (seconds > MAX_LOAD_SECONDS) {
    const started =
      callers.calls === callers.endpoints ? callersText(callers.endpoints) : `${maxCalls(load, callers)} calls`;
    return fault(`starting ${started} would take ${seconds} s, more than ${MAX_LOAD_SECONDS} s`);
  }
  const most = maxCalls(load, callers);
  if (callers.calls === callers.endpoints) return [];
  if (most > MAX_CALLS) return fault(`starts ${most} calls, but a run can have at most ${MAX_CALLS}`);
  return callers.isPaired && most > MAX_PAIRED_CALLS
    ? fault(
        `starts ${most} calls among groups of the test, and a run compares both ends of at most ${MAX_PAIRED_CALLS}`,
      )
    : [];
}

/** Checks whether the load and its callers' calls have the same, finite length. */
function lengthFaults(load: Load, callers: Callers): Fault[] {
  const { endpoints, calls } = callers;
  const { pace } = loadShape(load.shape);
  if (pace === null) {
    const others = anyOf(LOAD_SHAPES.filter((shape) => loadShape(shape).pace !== null));
    return calls === endpoints
      ? []
      : fault(`${load.shape} starts each caller once: take ${others}, or let callers place one call`, 'shape');
  }
  const steps = stepsOf(load);
  const length = lengthOf(steps);
  const inAll = lengthIn(load).calls;
  if (calls === null) {
    const isEndless = !Number.isFinite(length) && inAll === undefined;
    return isEndless ? fault('has no end: set seconds or calls, or the number of calls that each caller places') : [];
  }
  if (inAll !== undefined && inAll !== calls) return fault(`starts ${inAll} calls, ${placed(callers)}`, 'calls');
  if (!Number.isFinite(length)) return [];
  if (!loadShape(load.shape).product)
    return fault(
      `starts calls for ${length} s, however many those are, ${placed(callers)}: say calls: null there`,
      'seconds',
    );
  return callsIn(steps) === calls ? [] : fault(product(load, callers), isSized(load) ? 'seconds' : 'steps');
}

const product = (load: Load, callers: Callers): string =>
  `${loadShape(load.shape).product?.(load as never)} = ${rounded(gathered(stepsOf(load)))} calls, ${placed(callers)}`;

const rounded = (calls: number): number => Math.round(calls * 100) / 100;
const callersText = (callers: number): string => (callers === 1 ? '1 caller' : `${callers} callers`);
const placed = ({ endpoints, calls }: Callers): string =>
  calls === endpoints
    ? `an endpoint places one call, and the test has ${callersText(endpoints)}`
    : `and the ${callersText(endpoints)} of the test place ${calls ?? 'as many as it asks for'}`;
