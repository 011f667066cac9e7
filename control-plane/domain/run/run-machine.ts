/**
 * The life of a run (docs/contract.md, States), for load tests and probes alike. Runs only move forward; the database
 * enforces the same pairs (store/migrations, table run_transitions; a test proves that both are equal).
 *
 * validated     registrars, accounts, media, plan and workers are available
 * refused       one of them is not available
 * ready         every agent has reported that it is ready
 * unallocated   the agents have no capacity, or one of them refused or did not get ready in time
 * closed        every endpoint is CLOSED, or its worker is lost while another ended properly
 * lost          every worker is lost
 * overdue       the state's time is up
 * aborted       a rule of the test ended it
 * broken        the control plane failed
 * cancelled     a user stopped it
 */

import { isFinal, type Machine } from '@carillon/proto/base/machine.ts';
import type { RunStatus } from '../../contract/run-status.ts';

export type RunEvent =
  | 'validated'
  | 'refused'
  | 'ready'
  | 'unallocated'
  | 'closed'
  | 'lost'
  | 'overdue'
  | 'aborted'
  | 'broken'
  | 'cancelled';

export const RUN: Machine<RunStatus, RunEvent> = {
  initial: 'PENDING',
  finals: ['COMPLETED', 'FAILED', 'CANNOT_RUN_FOR_NOW', 'CANCELLED'],
  transitions: {
    PENDING: {
      validated: 'QUEUED',
      refused: 'CANNOT_RUN_FOR_NOW',
      overdue: 'CANNOT_RUN_FOR_NOW',
      broken: 'CANNOT_RUN_FOR_NOW',
      cancelled: 'CANCELLED',
    },
    QUEUED: {
      ready: 'RUNNING',
      unallocated: 'CANNOT_RUN_FOR_NOW',
      overdue: 'CANNOT_RUN_FOR_NOW',
      broken: 'CANNOT_RUN_FOR_NOW',
      cancelled: 'CANCELLED',
    },
    RUNNING: {
      closed: 'COMPLETED',
      lost: 'FAILED',
      overdue: 'FAILED',
      aborted: 'FAILED',
      broken: 'FAILED',
      cancelled: 'CANCELLED',
    },
    COMPLETED: {},
    FAILED: {},
    CANNOT_RUN_FOR_NOW: {},
    CANCELLED: {},
  },
  heldBy: {
    PENDING: 'JOB',
    QUEUED: 'JOB',
    RUNNING: 'JOB',
    COMPLETED: 'NOBODY',
    FAILED: 'NOBODY',
    CANNOT_RUN_FOR_NOW: 'NOBODY',
    CANCELLED: 'NOBODY',
  },
};

export const isOver = (status: RunStatus): boolean => isFinal(RUN.transitions, status);

/** Seconds that a run may stay in a state before `overdue`; RUNNING: until the end of its maximum execution time. */
export const PENDING_LIMIT_SECONDS = 60;
/**
 * Agents have this long to get ready, in addition to the build-up time, in which their receivers register, and the time
 * of encoding.
 */
export const READY_LIMIT_SECONDS = 30;
/** The time between the last agent's ready and the start instant: the Start must have reached every agent. */
export const START_LEAD_MS = 1000;
/** After a stop, agents have this long for BYE, un-REGISTER and the last samples. */
export const STOP_LIMIT_SECONDS = 8;
/** Callers register, call, hang up and un-register within about this much more than build-up and duration. */
export const TEARDOWN_SECONDS = 3;
/**
 * Facts that agents could not deliver are accepted for this long after the end of the run: enough for a day without a
 * network.
 */
export const REVISABLE_SECONDS = 86_400;

/** True if the run has started, and later facts change its figures, even repeatedly. */
export const isRevisable = (
  run: { readonly startedAt: Date | null; readonly endedAt: Date | null },
  at: Date,
): boolean =>
  run.startedAt !== null && (run.endedAt === null || at.getTime() - run.endedAt.getTime() < REVISABLE_SECONDS * 1000);
