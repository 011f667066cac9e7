/** What keeps an installation from its work, or soon will. `/readyz` reports it, and the dashboard reads it there. */

export const TROUBLES = [
  'DATABASE_AWAY',
  'CONNECTIONS_SPENT',
  'DISK_FULL',
  'DISK_NEARLY_FULL',
  'JOBS_STALLED',
  'CERTIFICATE',
] as const;
export type TroubleKind = (typeof TROUBLES)[number];

/** `message` states the problem and its solution. */
export type Trouble = { readonly kind: TroubleKind; readonly message: string };

/** The answer of `/readyz`. The status is 200 without faults, otherwise 503. */
export type ReadyAnswer = {
  /** `ok`, or the message of the first fault. */
  readonly status: string;
  /** The problems that keep the installation from being ready. */
  readonly faults: readonly Trouble[];
  /** The problems that do not stop the installation, but need attention. */
  readonly warnings: readonly Trouble[];
};
