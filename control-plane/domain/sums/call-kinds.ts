/**
 * Progress and end of calls: calls that are equal in all of it are one kind, and counted. A run's figures are sums over
 * kinds, from rows or from ended calls. Pure.
 */
import type { EndpointType } from '../../contract/words.ts';
import { PHASES } from '../../contract/words.ts';
import type { QualityCounts } from '../figures/call-quality.ts';
import type { Seizure } from '../figures/ner.ts';

/** Each is a key of the count; endpoints without calls are a kind, too. */
export type CallKind = {
  readonly endpointType: EndpointType;
  readonly countsAsCall: boolean;
  /** Index into contract PHASES. */
  readonly phase: number;
  /** It has not closed, and has come to CALLING. */
  readonly calling: boolean;
  /** Null: it has not closed. */
  readonly outcome: string | null;
  readonly attempted: boolean;
  readonly callResult: string | null;
  readonly answered: boolean;
  readonly finalStatus: number | null;
  readonly rang: boolean;
  /** We gave up a call that was ringing. */
  readonly gaveUp: boolean;
  readonly unheard: boolean;
  /** It is not known whether the far end was heard there. Sums of earlier versions do not have it. */
  readonly unreported?: boolean;
  readonly dropped: boolean;
  /** It was answered, and audio was expected long enough for a judgement. */
  readonly soundAsked: boolean;
};

/** Sums of the calls of a kind. */
export type KindSums = {
  readonly n: number;
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
};
export type CountedKind = CallKind & KindSums;

/** A shorter time cannot be judged; same as in agents (agent/run/outcome/call-findings.ts). */
export const ENOUGH_MS = 400;

const CLOSED = PHASES.indexOf('CLOSED');

type Test = (kind: CallKind) => boolean;
const sumOf = (kinds: readonly CountedKind[], of: keyof KindSums, test: Test): number =>
  kinds.reduce((sum, kind) => (test(kind) ? sum + kind[of] : sum), 0);

/** Its INVITE was sent, as far as is known: not by the phase, as an endpoint that never called un-registers, too. */
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

/** How calls ended, for the ratios. */
export const seizuresOf = (kinds: readonly CountedKind[]): (Seizure & { readonly n: number })[] =>
  kinds.filter((k) => k.countsAsCall && k.attempted);

/** Endpoints by phase, in the order of PHASES. */
export const phaseCountsOf = (kinds: readonly CountedKind[]): number[] =>
  PHASES.map((_, phase) => sumOf(kinds, 'n', (k) => k.phase === phase));

export const answeredOf = (kinds: readonly CountedKind[], type?: EndpointType): number =>
  sumOf(kinds, 'n', (k) => k.answered && (type === undefined || k.endpointType === type));
