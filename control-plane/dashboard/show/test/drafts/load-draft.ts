/** When a test's calls start, as the form has it, and how many those are. */
import type { Output } from '../../../../contract/catalogue.ts';

export type DraftedLoad = Output<'getTest'>['load'];
export type LoadShape = DraftedLoad['shape'];

export type LoadDraft = {
  /** Of callers: calls at once. */
  readonly endpoints: number;
  /** null: as many as the load asks for. */
  readonly callsEach: number | null;
  readonly load: DraftedLoad;
  /** Of BUILDUP. */
  readonly buildup: number;
  readonly durationSeconds: number;
};

/** The end of a load: after a time, after a number of calls, or when every endpoint has placed its calls. */
export type Length = 'SECONDS' | 'CALLS' | 'ENDPOINTS';
type Sized = Extract<DraftedLoad, { readonly callsPerSecond: number }>;

const FIRST_SECONDS = 60;
const FIRST_RATE = 10;
/** Beyond what a rate needs on average. */
const MARGIN = 1.25;

export const lengthOf = ({ seconds, calls }: Sized): Length =>
  seconds !== undefined ? 'SECONDS' : calls !== undefined ? 'CALLS' : 'ENDPOINTS';

/** About as long as it was. */
export function withLength({ seconds, calls, ...load }: Sized, length: Length): Sized {
  const rate = load.callsPerSecond || 1;
  const lasted = seconds ?? Math.max(1, Math.round((calls ?? rate * FIRST_SECONDS) / rate));
  if (length === 'SECONDS') return { ...load, seconds: lasted };
  return length === 'CALLS' ? { ...load, calls: calls ?? Math.max(1, Math.round(rate * lasted)) } : load;
}

const firstStep = ({ load }: LoadDraft): number =>
  load.shape === 'STEPS' ? (load.steps[0]?.callsPerSecond ?? FIRST_RATE) : rateOf(load);
const rateOf = (load: DraftedLoad): number => ('callsPerSecond' in load ? load.callsPerSecond : FIRST_RATE);

/** The same in another shape, as far as that has it. */
export function inShape(draft: LoadDraft, shape: LoadShape): Partial<LoadDraft> {
  if (shape === 'BUILDUP') return { load: { shape }, callsEach: 1 };
  const callsPerSecond = firstStep(draft);
  const [seconds, calls] = 'callsPerSecond' in draft.load ? [draft.load.seconds, draft.load.calls] : [];
  const length = {
    ...(calls !== undefined && { calls }),
    ...(calls === undefined && { seconds: seconds ?? FIRST_SECONDS }),
  };
  const load: DraftedLoad =
    shape === 'STEPS'
      ? {
          shape,
          steps: [1, 2].map((times) => ({ callsPerSecond: callsPerSecond * times, seconds: FIRST_SECONDS / 2 })),
        }
      : shape === 'POISSON'
        ? { shape, callsPerSecond, seed: 1, ...length }
        : { shape, callsPerSecond, ...length };
  if (draft.load.shape !== 'BUILDUP') return { load };
  const needed = Math.ceil(arrivalsOf({ ...draft, load }).perSecond * draft.durationSeconds * MARGIN);
  return { load, callsEach: null, ...(shape !== 'CONCURRENCY' && { endpoints: Math.max(1, needed) }) };
}

/** As the form takes it; null: somebody wrote something else. */
export function readLoad(load: DraftedLoad): DraftedLoad | null {
  if (load.shape === 'BUILDUP') return { shape: 'BUILDUP' };
  if (load.shape === 'STEPS') {
    const areSteps = load.steps.every((s) => typeof s.callsPerSecond === 'number' && typeof s.seconds === 'number');
    return areSteps && load.steps.length > 0 ? load : null;
  }
  if (!['RATE', 'POISSON', 'CONCURRENCY'].includes(load.shape) || typeof load.callsPerSecond !== 'number') return null;
  return load.shape === 'POISSON' ? { ...load, seed: load.seed ?? 1 } : load;
}

export type Arrivals = {
  /** null: nobody says where it ends. */
  readonly calls: number | null;
  /** The calls are that many on average, or as long as none is longer than planned. */
  readonly isAbout: boolean;
  /** Over which calls are started; null as above. */
  readonly seconds: number | null;
  /** At most. */
  readonly perSecond: number;
};

export function arrivalsOf({ load, endpoints, callsEach, buildup, durationSeconds }: LoadDraft): Arrivals {
  if (load.shape === 'BUILDUP') {
    const perSecond = buildup === 0 ? endpoints : endpoints / buildup;
    return { calls: endpoints, isAbout: false, seconds: buildup, perSecond };
  }
  if (load.shape === 'STEPS') {
    const seconds = load.steps.reduce((sum, step) => sum + step.seconds, 0);
    const calls = Math.ceil(load.steps.reduce((sum, step) => sum + step.seconds * step.callsPerSecond, 0) - NEARLY);
    return { calls, isAbout: false, seconds, perSecond: Math.max(...load.steps.map((step) => step.callsPerSecond)) };
  }
  const { shape, callsPerSecond: perSecond } = load;
  const mean = shape === 'CONCURRENCY' ? Math.min(perSecond, endpoints / durationSeconds) : perSecond;
  const total = load.calls ?? (load.seconds === undefined && callsEach !== null ? endpoints * callsEach : undefined);
  const calls = total ?? (load.seconds === undefined ? null : Math.ceil(mean * load.seconds - NEARLY));
  const seconds = load.seconds ?? (calls === null || mean === 0 ? null : calls / mean);
  return { calls, isAbout: total === undefined && shape !== 'RATE', seconds, perSecond };
}

/** Calls that fall short of the next whole one only by rounding. */
const NEARLY = 1e-6;
