/**
 * The load that a form describes, as a curve: call starts per second and simultaneous calls, calculated from its numbers. Pure.
 */
import { fastestOf, gathered, type LoadStep, rateAt, stepsUntil } from '@carillon/proto/load/load-step.ts';
import { hasBuildup, loadShape, stepsOf, waits } from '@carillon/proto/load/shapes/shapes.ts';
import { arrivalsOf, type LoadDraft } from '../drafts/load-draft.ts';

export type LoadCurve = {
  /** Seconds since the start. */
  readonly times: readonly number[];
  readonly perSecond: readonly number[];
  /** The limit that 19 of 20 seconds of a random load do not exceed. */
  readonly perSecondAtMost: readonly number[] | null;
  readonly atOnce: readonly number[];
  /** The number of simultaneous calls for which endpoints are missing; null: there are enough endpoints. */
  readonly lacking: number | null;
};

const POINTS = 240;
const SIGMAS = 1.645;
/** This many points show the form of a wave. */
const POINTS_OF_WAVE = 8;

/** Null: the load has no end, or no length. */
export function curveOf(draft: LoadDraft): LoadCurve | null {
  const { load, endpoints, durationSeconds: hold } = draft;
  const { seconds } = arrivalsOf(draft);
  if (seconds === null || !Number.isFinite(seconds) || hold <= 0) return null;
  const step = Math.max(1, Math.ceil((seconds + hold) / POINTS));
  const last = Math.ceil((seconds + hold) / step) + 1;
  const times = Array.from({ length: last + 1 }, (_, i) => i * step);
  const begun = cumulative(draft, seconds);
  const planned = times.map((t) => begun(t) - begun(t - hold));
  const rate = rateOver(draft, seconds, begun, step);
  const most = maxPlanned(draft, begun, Math.max(...planned));
  return {
    times,
    perSecond: times.map(rate),
    perSecondAtMost: loadShape(load.shape).pace?.isRandom
      ? times.map((t) => rate(t) + SIGMAS * Math.sqrt(rate(t)))
      : null,
    atOnce: planned.map((n) => Math.min(n, endpoints)),
    lacking: !waits(load) && most > endpoints * 1.0001 ? most - endpoints : null,
  };
}

/** The maximum of simultaneous calls. The drawn points may miss the crests of a wave. */
function maxPlanned({ load, durationSeconds: hold }: LoadDraft, begun: (at: number) => number, drawn: number): number {
  if (hasBuildup(load)) return drawn;
  const waves = stepsOf(load).flatMap(({ wave }) => wave ?? []);
  const around = waves.flatMap(({ periodSeconds }) =>
    Array.from({ length: POINTS }, (_, i) => hold + (i * periodSeconds) / POINTS),
  );
  return Math.max(drawn, ...around.map((t) => begun(t) - begun(t - hold)));
}

/** The rate at each instant. A load that waits is first limited by its own rate, and then by the calls that end. */
function rateOver(
  { load, endpoints, buildup, durationSeconds }: LoadDraft,
  seconds: number,
  begun: (at: number) => number,
  step: number,
): (at: number) => number {
  if (hasBuildup(load))
    return (t) => (buildup === 0 ? (t === 0 ? endpoints : 0) : t < seconds ? endpoints / buildup : 0);
  const steps = stepsOf(load);
  // If a rate rises and falls between two points, the mean between them is drawn.
  if (steps.some(({ wave }) => wave && wave.periodSeconds < POINTS_OF_WAVE * step))
    return (t) => (t < seconds ? (begun(t + step) - begun(t)) / Math.min(step, seconds - t) : 0);
  if (!waits(load)) return (t) => (t < seconds ? (rateAt(steps, t) ?? 0) : 0);
  const { filledAt, most, held } = fillOf(steps, endpoints, durationSeconds);
  return (t) => (t >= seconds ? 0 : t < filledAt ? most : held);
}

/** The rate until all endpoints are busy, and the rate of calls that end from then on. */
function fillOf(steps: readonly LoadStep[], endpoints: number, durationSeconds: number) {
  const most = fastestOf(steps);
  const filledAt = most > 0 ? endpoints / most : 0;
  return { filledAt, most, held: Math.min(most, endpoints / durationSeconds) };
}

/** The number of calls that have begun by an instant. Ringing takes no time. */
function cumulative(draft: LoadDraft, seconds: number): (at: number) => number {
  const { load, endpoints, buildup, durationSeconds } = draft;
  if (hasBuildup(load)) return (t) => (t < 0 ? 0 : buildup === 0 ? endpoints : endpoints * Math.min(1, t / buildup));
  const steps = stepsOf(load);
  const within = (t: number) => Math.min(Math.max(0, t), seconds);
  if (!waits(load)) return (t) => gathered(stepsUntil(steps, within(t)));
  const { filledAt, most, held } = fillOf(steps, endpoints, durationSeconds);
  return (t) => Math.min(within(t), filledAt) * most + Math.max(0, within(t) - filledAt) * held;
}
