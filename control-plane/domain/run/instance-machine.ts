/**
 * The life of a sub-population instance: one worker's part of one sub-population.
 *
 * ready      the agent holds it: receivers registered, ports bound
 * refused    the agent will not take it (policy, capacity)
 * started    the run's start instant was sent
 * done       every endpoint is CLOSED and its last facts have arrived
 * lost       the worker is gone, or did not end in time
 * released   the run ended before the instance began
 * returned   its agent came back with its measurements, and the run can be revised
 */

import { isFinal, type Machine, openStates } from '@carillon/proto/base/machine.ts';
import type { InstanceStatus } from '../../contract/run/words.ts';

export type InstanceEvent = 'ready' | 'refused' | 'started' | 'done' | 'lost' | 'released' | 'returned';

export const INSTANCE: Machine<InstanceStatus, InstanceEvent> = {
  initial: 'ALLOCATED',
  finals: ['DONE', 'REFUSED', 'RELEASED'],
  transitions: {
    ALLOCATED: { ready: 'READY', refused: 'REFUSED', lost: 'LOST', released: 'RELEASED' },
    READY: { started: 'RUNNING', lost: 'LOST', released: 'RELEASED' },
    RUNNING: { done: 'DONE', lost: 'LOST' },
    DONE: {},
    REFUSED: {},
    LOST: { returned: 'RUNNING' },
    RELEASED: {},
  },
  heldBy: {
    ALLOCATED: 'JOB',
    READY: 'JOB',
    RUNNING: 'JOB',
    DONE: 'NOBODY',
    REFUSED: 'NOBODY',
    // It is held by its run, as long as that can be revised.
    LOST: 'USER',
    RELEASED: 'NOBODY',
  },
};

/** True if the instance is no longer awaited. */
export const isInstanceOver = (status: InstanceStatus): boolean =>
  status === 'LOST' || isFinal(INSTANCE.transitions, status);
/** The states of instances that use capacity of their worker. */
export const OPEN_INSTANCE_STATUSES = openStates(INSTANCE.transitions).filter((status) => !isInstanceOver(status));
