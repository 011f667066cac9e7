/**
 * A load as instants of call starts, milliseconds after the run's start, and as sent to agents whose endpoints place
 * several calls. Pure; the same seed gives the same instants.
 */
import { seedOf } from '@carillon/media/impairment/impairment.ts';
import { callsIn, type LoadOrder, loadClock } from '@carillon/proto/load/load-clock.ts';
import { WHOLE } from '@carillon/proto/load/load-part.ts';
import { type Load, MOST_CALLS } from '../../../contract/test/scenario.ts';
import type { Callers } from './callers.ts';

/** Within the limits of a database column and a delayed job: a day. */
const LONGEST_LOAD_SECONDS = 86_400;
/** Extra time of a call beyond its duration, if the next one waits for its end. */
const SETUP_SECONDS = 5;

/** One for each of `calls` endpoints with one call each, in ascending order. */
export function instants(load: Load, calls: number, buildupSeconds: number): number[] {
  if (load.shape === 'BUILDUP')
    return Array.from({ length: calls }, (_, i) => Math.round((i * buildupSeconds * 1000) / calls));
  const steps =
    load.shape === 'STEPS' ? load.steps : [{ callsPerSecond: load.callsPerSecond, seconds: Number.POSITIVE_INFINITY }];
  const isRandom = load.shape === 'POISSON';
  return instantsOf({ shape: isRandom ? 'POISSON' : 'EVEN', steps, calls, seed: isRandom ? load.seed : 0 });
}

/** When the calls of EVEN and POISSON start; those of HOLD are not known in advance. */
export function instantsOf(order: LoadOrder): number[] {
  if (order.shape === 'HOLD') return [];
  const clock = loadClock(order, WHOLE, seedOf);
  const all: number[] = [];
  for (; clock.nextMs < Number.POSITIVE_INFINITY; clock.take(clock.nextMs)) all.push(Math.round(clock.nextMs));
  return all;
}

/** The load for agents. BUILDUP has none: it starts each endpoint once. */
export function loadOrder(load: Exclude<Load, { shape: 'BUILDUP' }>, { calls }: Callers): LoadOrder {
  const inAll = calls ?? Number.POSITIVE_INFINITY;
  if (load.shape === 'STEPS') return { shape: 'EVEN', steps: load.steps, calls: inAll, seed: 0 };
  const { shape, callsPerSecond, seconds } = load;
  return {
    shape: SHAPES[shape],
    steps: [{ callsPerSecond, seconds: seconds ?? Number.POSITIVE_INFINITY }],
    calls: load.calls ?? inAll,
    seed: load.shape === 'POISSON' ? load.seed : 0,
  };
}

const SHAPES = { RATE: 'EVEN', POISSON: 'POISSON', CONCURRENCY: 'HOLD' } as const;

/** As many calls as it starts, or more; of what follows its calls' ends no more are known than its rate allows. */
export function mostCalls(load: Load, callers: Callers): number {
  if (load.shape === 'BUILDUP') return callers.endpoints;
  const { steps, calls, shape } = loadOrder(load, callers);
  const within = callsIn(steps);
  // Of a Poisson count four standard deviations are passed by one in 30,000.
  return Math.min(calls, shape === 'POISSON' ? within + Math.ceil(4 * Math.sqrt(within)) : within);
}

/** Of rows both ends of a call are compared when the run settles; of sums they cannot be. */
const MOST_PAIRED_CALLS = 100_000;

/** Duration of the starts, in whole seconds. BUILDUP: as requested. `durationSeconds`: of a call. */
export function loadSeconds(load: Load, callers: Callers, buildupSeconds: number, durationSeconds: number): number {
  if (load.shape === 'BUILDUP') return buildupSeconds;
  if (load.shape === 'STEPS') return load.steps.reduce((sum, { seconds }) => sum + seconds, 0);
  if (load.seconds !== undefined) return load.seconds;
  const { endpoints, calls } = callers;
  const { callsPerSecond } = load;
  const all = load.calls ?? calls ?? 0;
  if (load.shape === 'POISSON' && calls === endpoints)
    return wholeSeconds(((instants(load, calls, 0).at(-1) ?? 0) + 1) / 1000);
  if (load.shape === 'POISSON') return wholeSeconds((all + 4 * Math.sqrt(all)) / callsPerSecond);
  if (load.shape === 'RATE' || calls === endpoints) return wholeSeconds(all / callsPerSecond);
  const rounds = Math.ceil(all / endpoints) - 1;
  const oneByOne = endpoints / callsPerSecond + rounds * (durationSeconds + SETUP_SECONDS);
  return wholeSeconds(Math.max(all / callsPerSecond, oneByOne));
}

/** Seconds that are past a whole one only by rounding. */
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
  if (load.shape === 'RATE' && buildupSeconds && seconds !== buildupSeconds) {
    const { callsPerSecond } = load;
    const product = `${callsPerSecond} calls/s × ${buildupSeconds} s = ${rounded(callsPerSecond * buildupSeconds)} calls`;
    return fault(
      `${product}, ${placed(callers)}; leave buildup out, or change the number of endpoints`,
      'callsPerSecond',
    );
  }
  if (seconds > LONGEST_LOAD_SECONDS) {
    const started =
      callers.calls === callers.endpoints ? callersText(callers.endpoints) : `${mostCalls(load, callers)} calls`;
    return fault(`starting ${started} would take ${seconds} s, more than ${LONGEST_LOAD_SECONDS} s`);
  }
  const most = mostCalls(load, callers);
  if (callers.calls === callers.endpoints) return [];
  if (most > MOST_CALLS) return fault(`starts ${most} calls, but a run can have at most ${MOST_CALLS}`);
  return callers.isPaired && most > MOST_PAIRED_CALLS
    ? fault(
        `starts ${most} calls among groups of the test, and a run compares both ends of at most ${MOST_PAIRED_CALLS}`,
      )
    : [];
}

/** Whether the load and its callers' calls have the same, finite length. */
function lengthFaults(load: Load, callers: Callers): Fault[] {
  const { endpoints, calls } = callers;
  if (load.shape === 'BUILDUP') {
    const others = 'take RATE, STEPS, POISSON or CONCURRENCY';
    return calls === endpoints
      ? []
      : fault(`BUILDUP starts each caller once: ${others}, or let callers place one call`, 'shape');
  }
  if (load.shape === 'STEPS') {
    const terms = load.steps.map((step) => `${step.callsPerSecond} × ${step.seconds}`).join(' + ');
    const sum = load.steps.reduce((all, { callsPerSecond, seconds }) => all + callsPerSecond * seconds, 0);
    if (calls === null || callsIn(load.steps) === calls) return [];
    return fault(`start ${terms} = ${rounded(sum)} calls, ${placed(callers)}`, 'steps');
  }
  const { seconds, callsPerSecond } = load;
  if (calls === null) {
    const isEndless = seconds === undefined && load.calls === undefined;
    return isEndless ? fault('has no end: set seconds or calls, or the number of calls that each caller places') : [];
  }
  if (load.calls !== undefined && load.calls !== calls)
    return fault(`starts ${load.calls} calls, ${placed(callers)}`, 'calls');
  if (seconds === undefined) return [];
  if (load.shape !== 'RATE')
    return fault(
      `starts calls for ${seconds} s, however many those are, ${placed(callers)}: say calls: null there`,
      'seconds',
    );
  const product = `${callsPerSecond} calls/s × ${seconds} s = ${rounded(callsPerSecond * seconds)} calls`;
  return callsIn([{ callsPerSecond, seconds }]) === calls ? [] : fault(`${product}, ${placed(callers)}`, 'seconds');
}

const rounded = (calls: number): number => Math.round(calls * 100) / 100;
const callersText = (callers: number): string => (callers === 1 ? '1 caller' : `${callers} callers`);
const placed = ({ endpoints, calls }: Callers): string =>
  calls === endpoints
    ? `an endpoint places one call, and the test has ${callersText(endpoints)}`
    : `and the ${callersText(endpoints)} of the test place ${calls ?? 'as many as it asks for'}`;
