/** The load that a form describes, drawn: starts a second and calls at once, as they follow from its numbers. Pure. */
import { arrivalsOf, type LoadDraft } from '../drafts/load-draft.ts';

export type LoadCurve = {
  /** Seconds since the start. */
  readonly times: readonly number[];
  readonly perSecond: readonly number[];
  /** Of a Poisson load 19 of 20 seconds have no more than this. */
  readonly perSecondAtMost: readonly number[] | null;
  readonly atOnce: readonly number[];
  /** Calls at once that no endpoint is there for; null: there are enough. */
  readonly lacking: number | null;
};

const POINTS = 240;
const SIGMAS = 1.645;

/** null: the load has no end, or no length. */
export function curveOf(draft: LoadDraft): LoadCurve | null {
  const { load, endpoints, durationSeconds: hold } = draft;
  const { seconds } = arrivalsOf(draft);
  if (seconds === null || !Number.isFinite(seconds) || hold <= 0) return null;
  const rate = rateAt(draft, seconds);
  const step = Math.max(1, Math.ceil((seconds + hold) / POINTS));
  const last = Math.ceil((seconds + hold) / step) + 1;
  const times = Array.from({ length: last + 1 }, (_, i) => i * step);
  const begun = cumulative(draft, seconds);
  const planned = times.map((t) => begun(t) - begun(t - hold));
  const most = Math.max(...planned);
  const isHeldUp = load.shape === 'CONCURRENCY';
  return {
    times,
    perSecond: times.map(rate),
    perSecondAtMost:
      load.shape === 'POISSON' ? times.map((t) => (rate(t) === 0 ? 0 : rate(t) + SIGMAS * Math.sqrt(rate(t)))) : null,
    atOnce: planned.map((n) => Math.min(n, endpoints)),
    lacking: !isHeldUp && most > endpoints * 1.0001 ? most - endpoints : null,
  };
}

/** Of a load that is held up, as many as it takes: at first its own limit, then one for each that ends. */
function rateAt({ load, endpoints, buildup, durationSeconds }: LoadDraft, seconds: number): (at: number) => number {
  if (load.shape === 'BUILDUP')
    return (t) => (buildup === 0 ? (t === 0 ? endpoints : 0) : t < seconds ? endpoints / buildup : 0);
  if (load.shape === 'STEPS') {
    const ends: number[] = [];
    for (const step of load.steps) ends.push((ends.at(-1) ?? 0) + step.seconds);
    return (t) => load.steps[ends.findIndex((end) => t < end)]?.callsPerSecond ?? 0;
  }
  const { callsPerSecond } = load;
  if (load.shape !== 'CONCURRENCY') return (t) => (t < seconds ? callsPerSecond : 0);
  const filledAt = callsPerSecond > 0 ? endpoints / callsPerSecond : 0;
  const held = Math.min(callsPerSecond, endpoints / durationSeconds);
  return (t) => (t >= seconds ? 0 : t < filledAt ? callsPerSecond : held);
}

/** Calls that have begun until then; ringing takes no time. */
function cumulative(draft: LoadDraft, seconds: number): (at: number) => number {
  const { load, endpoints, buildup, durationSeconds } = draft;
  if (load.shape === 'BUILDUP')
    return (t) => (t < 0 ? 0 : buildup === 0 ? endpoints : endpoints * Math.min(1, t / buildup));
  if (load.shape === 'STEPS')
    return (t) => {
      let before = 0;
      let calls = 0;
      for (const step of load.steps) {
        calls += step.callsPerSecond * Math.min(step.seconds, Math.max(0, t - before));
        before += step.seconds;
      }
      return calls;
    };
  const { callsPerSecond } = load;
  const within = (t: number) => Math.min(Math.max(0, t), seconds);
  if (load.shape !== 'CONCURRENCY') return (t) => callsPerSecond * within(t);
  // Up to the number that is held up, and from then on as many as end.
  const filledAt = callsPerSecond > 0 ? endpoints / callsPerSecond : 0;
  const held = Math.min(callsPerSecond, endpoints / durationSeconds);
  return (t) => {
    const at = within(t);
    return Math.min(at, filledAt) * callsPerSecond + Math.max(0, at - filledAt) * held;
  };
}
