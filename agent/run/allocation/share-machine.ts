/**
 * One thread's share of an allocation, from its order to its end.
 *
 * prepared   ports are bound, receivers registered
 * refused    that failed
 * started    the start instant is known
 * stopped    by an order, or at its hard end
 * emptied    every endpoint is closed
 */
import { isFinal, type Machine } from '@carillon/proto/base/machine.ts';

export type ShareState = 'PREPARING' | 'READY' | 'RUNNING' | 'STOPPING' | 'DONE' | 'REFUSED';
export type ShareEvent = 'prepared' | 'refused' | 'started' | 'stopped' | 'emptied';

export const SHARE: Machine<ShareState, ShareEvent> = {
  initial: 'PREPARING',
  finals: ['DONE', 'REFUSED'],
  transitions: {
    PREPARING: { prepared: 'READY', refused: 'REFUSED', stopped: 'STOPPING' },
    READY: { started: 'RUNNING', stopped: 'STOPPING' },
    RUNNING: { stopped: 'STOPPING', emptied: 'DONE' },
    STOPPING: { emptied: 'DONE' },
    DONE: {},
    REFUSED: {},
  },
  heldBy: { PREPARING: 'USER', READY: 'USER', RUNNING: 'TIMER', STOPPING: 'TIMER', DONE: 'NOBODY', REFUSED: 'NOBODY' },
};

export const isShareOver = (state: ShareState): boolean => isFinal(SHARE.transitions, state);
