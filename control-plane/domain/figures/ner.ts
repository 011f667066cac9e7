/**
 * The answer seizure ratio and the network effectiveness ratio (ITU-T E.425; the SIP mapping is this project's, README
 * "What the figures mean").
 */

export type Seizure = {
  readonly answered: boolean;
  /** The final response to INVITE; null: no final response. */
  readonly finalStatus: number | null;
  /** True: a provisional response of 180 or above preceded it. */
  readonly rang: boolean;
  /** True: the caller gave up a call that was ringing. */
  readonly gaveUp: boolean;
};

/** Busy, ring-no-answer and terminal rejection: the network did its work. */
const EFFECTIVE = new Set([480, 486, 600, 603, 607]);

export const isEffective = (s: Seizure): boolean =>
  s.answered ||
  (s.finalStatus !== null && EFFECTIVE.has(s.finalStatus)) ||
  (s.rang && (s.gaveUp || s.finalStatus === 487 || s.finalStatus === 408));

/** The percentage of `total`; 0 if `total` is 0. */
export const percent = (part: number, total: number): number => (total === 0 ? 0 : (part / total) * 100);
