/**
 * The search of RFC 7502, 4.10, following its pseudo-code: N sessions are attempted at r per second; if all succeed the
 * rate grows by the window w, otherwise it falls by d, and both windows are halved, but not below 0.10. It ends with
 * the tenth success at or below the best rate. It has no tolerance: one failed session in N fails the step. Pure.
 */
import type { Answer, Next, TriedLevel } from './search.ts';

export type Rfc7502Rules = {
  /** The initial r, in sessions per second. */
  readonly start: number;
  /** `w`: 0 < w <= 1. */
  readonly window: number;
  /** The RFC has no limit, and does not converge for r <= 9 with w = 0.10. */
  readonly mostTrials: number;
};

/** The number of successes at or below the best rate that end the search. */
const CONVERGED = 10;
const MIN_WINDOW = 0.1;
/** A void step is repeated; after this many the generator cannot produce the rate. */
const MAX_VOID = 3;

type State = { r: number; w: number; d: number; old: number; count: number };

export function nextStep(rules: Rfc7502Rules, trials: readonly TriedLevel[]): Next {
  const state: State = {
    r: rules.start,
    w: rules.window,
    d: Math.max(MIN_WINDOW, rules.window / 2),
    old: 0,
    count: 0,
  };
  let voids = 0;
  for (const { result } of trials) {
    if (result === 'LIMITED') return done(state, 'GENERATOR_LIMIT');
    if (result === 'VOID') {
      voids++;
      if (voids >= MAX_VOID) return done(state, 'GENERATOR_LIMIT');
      continue;
    }
    voids = 0;
    if (result === 'PASSED') {
      if (passed(state)) return done(state, 'CEILING');
    } else failed(state);
    if (state.r < 1) return done(state, 'BELOW_LOWER_BOUND');
  }
  if (trials.length >= rules.mostTrials) return done(state, 'UNSETTLED');
  return { kind: 'TRY', level: state.r, phase: voids > 0 ? 'REPEAT' : 'RFC7502' };
}

/** The floor() of the RFC, for values that binary fractions put slightly below a whole number. */
const floor = (value: number): number => Math.floor(value + 1e-9);

/** True: the search has converged; R is max(r, old). */
function passed(state: State): boolean {
  if (state.r > state.old) state.old = state.r;
  else {
    state.count++;
    if (state.count >= CONVERGED) return true;
  }
  state.r = floor(state.r + state.w * state.r);
  return false;
}

function failed(state: State): void {
  state.r = floor(state.r - state.d * state.r);
  state.d = Math.max(MIN_WINDOW, state.d / 2);
  state.w = Math.max(MIN_WINDOW, state.w / 2);
}

function done({ r, old }: State, found: Answer['found']): Next {
  const level = found === 'CEILING' ? Math.max(r, old) : old;
  return { kind: 'DONE', answer: { level: level || null, from: level || null, to: null, found } };
}
