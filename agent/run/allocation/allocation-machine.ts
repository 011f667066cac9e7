/**
 * An allocation in the agent's book, over all its threads. JUDGING: its order is checked, and its media are loaded.
 * ENDING: the last figures of its streams may be on their way. TOLD: DONE or REFUSED has been reported, and the batch
 * that says so is not committed yet.
 *
 * taken       its shares are with their threads
 * ready       every share is READY
 * refused     by us, or by one of the threads
 * stopped     before any thread had a share of it
 * done        every share is DONE
 * read        the last figures of its streams have been read
 * committed   the control plane has what was reported
 * forgotten   the control plane no longer knows it
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type AllocationState = 'JUDGING' | 'TAKEN' | 'READY' | 'ENDING' | 'TOLD' | 'GONE';
export type AllocationEvent = 'taken' | 'ready' | 'refused' | 'stopped' | 'done' | 'read' | 'committed' | 'forgotten';

export const ALLOCATION: Machine<AllocationState, AllocationEvent> = {
  initial: 'JUDGING',
  finals: ['GONE'],
  transitions: {
    JUDGING: { taken: 'TAKEN', refused: 'TOLD', stopped: 'TOLD' },
    /** An order without endpoints belongs to no thread. */
    TAKEN: { ready: 'READY', refused: 'TOLD', stopped: 'TOLD', done: 'ENDING' },
    READY: { refused: 'TOLD', done: 'ENDING' },
    ENDING: { read: 'TOLD' },
    TOLD: { committed: 'GONE', forgotten: 'GONE' },
    GONE: {},
  },
  heldBy: { JUDGING: 'TRANSACTION', TAKEN: 'USER', READY: 'USER', ENDING: 'TIMER', TOLD: 'USER', GONE: 'NOBODY' },
};

/** Whether it occupies the agent. */
export const isOpen = (state: AllocationState): boolean => state !== 'TOLD' && state !== 'GONE';
