/**
 * How many of a run's calls were heard, in words. The words state that both ends heard each other only for calls in which the far
 * end reported. Pure.
 */
import type { CallQuality } from './findings.ts';

type HeardCounts = Pick<CallQuality, 'soundAsked' | 'heard' | 'unreported'>;

/** The number of calls of which it is known whether both ends were heard. The share `heardShare` is based on them. */
export const judgedOf = (q: Pick<CallQuality, 'soundAsked' | 'unreported'>): number => q.soundAsked - q.unreported;

/** The number of calls in which we heard the far end. */
export const heardHere = (q: Pick<CallQuality, 'heard' | 'unreported'>): number => q.heard + q.unreported;

const count = (n: number): string => n.toLocaleString('en-US');

/** What the far end reported in the calls in which we heard it; null: it heard us in all of them. */
export function reportWords({ heard, unreported }: HeardCounts): string | null {
  if (unreported === 0) return null;
  return heard === 0 ? 'the far end did not report' : `the far end reported in ${count(heard)} of these`;
}

/** `we heard 60 of 60; the far end did not report`; null: no audio was expected. */
export function heardWords(q: HeardCounts): string | null {
  if (q.soundAsked === 0) return null;
  const words = reportWords(q);
  if (words === null) return `heard both ways: ${count(q.heard)} of ${count(q.soundAsked)}`;
  return `we heard ${count(heardHere(q))} of ${count(q.soundAsked)}; ${words}`;
}
