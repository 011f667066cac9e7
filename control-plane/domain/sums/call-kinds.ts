/**
 * The progress and end of calls: calls that are equal in all of it are one kind, and are counted. A run's figures are
 * sums over kinds, from rows or from ended calls. Pure.
 */

import { PHASES } from '../../contract/run/words.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import type { QualityCounts } from '../figures/call-quality.ts';
import type { Seizure } from '../figures/ner.ts';

/** Each field is part of the count's key; endpoints without calls are a kind as well. */
export type CallKind = {
  readonly endpointType: EndpointType;
  readonly countsAsCall: boolean;
  /** An index into contract PHASES. */
  readonly phase: number;
  /** True: it has not closed, and has reached CALLING. */
  readonly calling: boolean;
  /** Null: it has not closed. */
  readonly outcome: string | null;
  readonly attempted: boolean;
  readonly callResult: string | null;
  readonly answered: boolean;
  readonly finalStatus: number | null;
  readonly rang: boolean;
  /** True: the caller gave up a call that was ringing. */
  readonly gaveUp: boolean;
  readonly unheard: boolean;
  /** True: it is not known whether the far end heard this endpoint. Sums of earlier versions do not have it. */
  readonly unreported?: boolean;
  readonly dropped: boolean;
  /** True: it was answered, and audio was expected long enough for a judgement. */
  readonly soundAsked: boolean;
};

export type KindSums = {
  readonly n: number;
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
};
export type CountedKind = CallKind & KindSums;

/** A shorter time cannot be judged; agents use the same value (agent/run/outcome/call-findings.ts). */
export const ENOUGH_MS = 400;

const CLOSED = PHASES.indexOf('CLOSED');

type Test = (kind: CallKind) => boolean;
const sumOf = (kinds: readonly CountedKind[], of: keyof KindSums, test: Test): number =>
  kinds.reduce((sum, kind) => (test(kind) ? sum + kind[of] : sum), 0);

/**
 * True if its INVITE was sent, as far as is known. The phase does not decide, because an endpoint that never called
 * un-registers as well.
 */
const placed: Test = (k) => k.attempted || (k.calling && k.endpointType === 'CALLER');

export type EndpointCounts = {
  readonly calls: number;
  readonly success: number;
  readonly timeout: number;
  readonly rejected: number;
  readonly error: number;
  readonly inProgress: number;
  readonly answered: number;
  readonly ended: number;
  readonly failures: number;
};

export function callCountsOf(kinds: readonly CountedKind[]): EndpointCounts {
  const count = (test: Test): number => sumOf(kinds, 'n', (k) => k.countsAsCall && test(k));
  const ended = (result: string) => count((k) => k.attempted && k.callResult === result);
  return {
    calls: count(placed),
    success: ended('SUCCESS'),
    timeout: ended('TIMEOUT'),
    rejected: ended('REJECTED'),
    error: ended('ERROR'),
    inProgress: count((k) => placed(k) && k.callResult === null),
    answered: count((k) => k.answered),
    ended: count((k) => k.attempted && k.phase === CLOSED),
    failures: count(hasFailed),
  };
}

const hasFailed: Test = ({ outcome }) => outcome !== null && outcome !== 'SUCCESS';

/** The quality counts of calls; each call counts once. */
export function qualityCountsOf(kinds: readonly CountedKind[]): QualityCounts {
  const calls = kinds.filter((k) => k.countsAsCall);
  const count = (test: Test): number => sumOf(calls, 'n', test);
  return {
    calls: count(placed),
    successful: count((k) => k.attempted && k.outcome === 'SUCCESS'),
    inProgress: count((k) => placed(k) && k.outcome === null),
    notPlaced: count((k) => !k.attempted && k.phase === CLOSED && hasFailed(k)),
    answered: count((k) => k.answered),
    answeredFailed: count((k) => k.answered && hasFailed(k)),
    soundAsked: count((k) => k.soundAsked),
    heard: count((k) => k.soundAsked && !k.unheard && !k.unreported),
    unreported: count((k) => k.soundAsked && !k.unheard && k.unreported === true),
    dropped: count((k) => k.answered && k.dropped),
    awaitedMs: sumOf(calls, 'awaitedMs', () => true),
    absentMs: sumOf(calls, 'absentMs', () => true),
    pausedMs: sumOf(calls, 'pausedMs', () => true),
  };
}

/** The ends of calls, for the ratios. */
export const seizuresOf = (kinds: readonly CountedKind[]): (Seizure & { readonly n: number })[] =>
  kinds.filter((k) => k.countsAsCall && k.attempted);

/** Endpoints by phase, in the order of PHASES. */
export const phaseCountsOf = (kinds: readonly CountedKind[]): number[] =>
  PHASES.map((_, phase) => sumOf(kinds, 'n', (k) => k.phase === phase));

export const answeredOf = (kinds: readonly CountedKind[], type?: EndpointType): number =>
  sumOf(kinds, 'n', (k) => k.answered && (type === undefined || k.endpointType === type));
