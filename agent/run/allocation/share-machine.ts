/**
 * One thread's share of an allocation, from its order to its end.
 *
 * prepared   ports are bound, receivers registered
 * refused    that failed
 * started    the start instant is known
 * stopped    by an order, or at its hard end
 * emptied    every endpoint is closed
 */
import { isFinal, type Transitions } from '@carillon/proto/machine.ts';

export type ShareState = 'PREPARING' | 'READY' | 'RUNNING' | 'STOPPING' | 'DONE' | 'REFUSED';
export type ShareEvent = 'prepared' | 'refused' | 'started' | 'stopped' | 'emptied';

export const SHARE: Transitions<ShareState, ShareEvent> = {
  PREPARING: { prepared: 'READY', refused: 'REFUSED', stopped: 'STOPPING' },
  READY: { started: 'RUNNING', stopped: 'STOPPING' },
  RUNNING: { stopped: 'STOPPING', emptied: 'DONE' },
  STOPPING: { emptied: 'DONE' },
  DONE: {},
  REFUSED: {},
};

export const isShareOver = (state: ShareState): boolean => isFinal(SHARE, state);
