/** What keeps an installation from its work, or soon will; `/readyz` says it, and the dashboard reads it there. */

export const TROUBLES = [
  'DATABASE_AWAY',
  'CONNECTIONS_SPENT',
  'DISK_FULL',
  'DISK_NEARLY_FULL',
  'JOBS_STALLED',
] as const;
export type TroubleKind = (typeof TROUBLES)[number];

/** `message`: the problem and its solution. */
export type Trouble = { readonly kind: TroubleKind; readonly message: string };

/** The answer of `/readyz`: 200 without faults, otherwise 503. */
export type ReadyAnswer = {
  /** `ok`, or the message of the first fault. */
  readonly status: string;
  /** What keeps it from being ready. */
  readonly faults: readonly Trouble[];
  /** Problems that do not stop it, but need attention. */
  readonly warnings: readonly Trouble[];
};
