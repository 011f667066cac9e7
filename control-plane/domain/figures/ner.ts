/**
 * Answer seizure ratio and network effectiveness ratio (ITU-T E.425; the SIP mapping is ours, README "What the figures
 * mean").
 */

export type Seizure = {
  readonly answered: boolean;
  /** Final response to INVITE; null if none came. */
  readonly finalStatus: number | null;
  /** A provisional response of 180 or above came before it. */
  readonly rang: boolean;
  /** We gave up a call that was ringing. */
  readonly gaveUp: boolean;
};

/** Busy, ring-no-answer and terminal rejection: the network did its work. */
const EFFECTIVE = new Set([480, 486, 600, 603, 607]);

export const isEffective = (s: Seizure): boolean =>
  s.answered ||
  (s.finalStatus !== null && EFFECTIVE.has(s.finalStatus)) ||
  (s.rang && (s.gaveUp || s.finalStatus === 487 || s.finalStatus === 408));

/** Percent of `total`, 0 without any. */
export const percent = (part: number, total: number): number => (total === 0 ? 0 : (part / total) * 100);
