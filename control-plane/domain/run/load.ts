/**
 * A load shape as instants at which calls start, milliseconds after the run's start, in ascending order: as many as there are
 * callers, because an endpoint places one call. Pure; the same seed gives the same instants.
 */
import { seedOf } from '@carillon/media/impairment/impairment.ts';
import type { Load } from '../../contract/test/scenario.ts';

/** Calls that fall short of the next whole one only by rounding. */
const NEARLY = 1e-6;
/** What a column of the database and a delayed job hold with ease: a day. */
const LONGEST_LOAD_SECONDS = 86_400;

export function instants(load: Load, calls: number, buildupSeconds: number): number[] {
  switch (load.shape) {
    case 'BUILDUP':
      return Array.from({ length: calls }, (_, i) => Math.round((i * buildupSeconds * 1000) / calls));
    case 'RATE':
      return Array.from({ length: calls }, (_, i) => Math.round((i * 1000) / load.callsPerSecond));
    case 'STEPS':
      return stepInstants(load.steps, calls);
    case 'POISSON':
      return arrivals(load, calls);
  }
}

/** How long starting takes, in whole seconds. BUILDUP: as long as was asked for. */
export function loadSeconds(load: Load, calls: number, buildupSeconds: number): number {
  if (load.shape === 'BUILDUP') return buildupSeconds;
  if (load.shape === 'STEPS') return load.steps.reduce((sum, { seconds }) => sum + seconds, 0);
  if (load.shape === 'RATE') return wholeSeconds(calls / load.callsPerSecond);
  return wholeSeconds(((instants(load, calls, 0).at(-1) ?? 0) + 1) / 1000);
}

const wholeSeconds = (seconds: number): number => Math.ceil(seconds - NEARLY);

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };

/** `buildupSeconds`: what somebody wrote beside the load; null or 0: nothing. */
export function loadFaults(load: Load, calls: number, buildupSeconds: number | null): Fault[] {
  const said = calls === 1 ? '1 caller' : `${calls} callers`;
  if (load.shape === 'STEPS') {
    const terms = load.steps.map((step) => `${step.callsPerSecond} × ${step.seconds}`).join(' + ');
    const places = load.steps.reduce((sum, { callsPerSecond, seconds }) => sum + callsPerSecond * seconds, 0);
    if (Math.ceil(places - NEARLY) !== calls) {
      const message = `start ${terms} = ${rounded(places)} calls, an endpoint places one call, and the test has ${said}`;
      return [{ path: ['load', 'steps'], message }];
    }
  }
  if (load.shape === 'RATE' && buildupSeconds) {
    const { callsPerSecond } = load;
    if (loadSeconds(load, calls, 0) !== buildupSeconds) {
      const message = `${callsPerSecond} calls/s × ${buildupSeconds} s = ${rounded(callsPerSecond * buildupSeconds)} calls, an endpoint places one call, and the test has ${said}; leave buildup out, or change the number of endpoints`;
      return [{ path: ['load', 'callsPerSecond'], message }];
    }
  }
  const seconds = loadSeconds(load, calls, 0);
  if (seconds <= LONGEST_LOAD_SECONDS) return [];
  const message = `starting ${said} would take ${seconds} s, more than ${LONGEST_LOAD_SECONDS} s`;
  return [{ path: ['load'], message }];
}

const rounded = (calls: number): number => Math.round(calls * 100) / 100;

/** Call k starts when the steps have gathered k calls. */
function stepInstants(steps: Extract<Load, { shape: 'STEPS' }>['steps'], calls: number): number[] {
  const starts: number[] = [];
  let gathered = 0;
  let fromMs = 0;
  for (const { callsPerSecond, seconds } of steps) {
    const until = gathered + callsPerSecond * seconds - NEARLY;
    while (starts.length < calls && starts.length < until) {
      starts.push(Math.round(fromMs + (Math.max(0, starts.length - gathered) * 1000) / callsPerSecond));
    }
    gathered += callsPerSecond * seconds;
    fromMs += seconds * 1000;
  }
  return starts;
}

/** Exponential pauses; the first call, too, comes after one. */
function arrivals({ callsPerSecond, seed }: Extract<Load, { shape: 'POISSON' }>, calls: number): number[] {
  let atMs = 0;
  return Array.from({ length: calls }, (_, i) => {
    // Never 0, of which there is no logarithm.
    const uniform = ((seedOf(seed, i) >>> 0) + 0.5) / 2 ** 32;
    atMs += (-Math.log(uniform) * 1000) / callsPerSecond;
    return Math.round(atMs);
  });
}
