/** The status of a run and the parties of its faults, which tests, probes and messages name as well. */

export { PARTIES, type Party } from '@carillon/proto/words/findings.ts';

export const RUN_STATUSES = [
  'PENDING',
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANNOT_RUN_FOR_NOW',
  'CANCELLED',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
