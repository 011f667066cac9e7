/** How many of a run's calls were heard, in words: that both ends were is said only of calls in which the far end reported. Pure. */
import type { CallQuality } from './findings.ts';

type HeardCounts = Pick<CallQuality, 'soundAsked' | 'heard' | 'unreported'>;

/** Calls of which it is known whether both ends were heard: what heardShare rests on. */
export const judgedOf = (q: Pick<CallQuality, 'soundAsked' | 'unreported'>): number => q.soundAsked - q.unreported;

/** Calls in which we heard the far end. */
export const heardHere = (q: Pick<CallQuality, 'heard' | 'unreported'>): number => q.heard + q.unreported;

const count = (n: number): string => n.toLocaleString('en-US');

/** What the far end says of calls in which we heard it; null: in all of them that it heard us. */
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
