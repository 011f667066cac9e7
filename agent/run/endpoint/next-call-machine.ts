/**
 * A call that is to take the place of the one before.
 *
 * taken    it is up, and the endpoint's media are with it
 * left     the one before has ended, too
 * failed   nothing came of it
 */
import type { Machine } from '@carillon/proto/machine.ts';

export type NextCallState = 'CALLING' | 'TAKEN' | 'LEFT' | 'FAILED';
export type NextCallEvent = 'taken' | 'left' | 'failed';

export const NEXT_CALL: Machine<NextCallState, NextCallEvent> = {
  initial: 'CALLING',
  finals: ['LEFT', 'FAILED'],
  transitions: {
    CALLING: { taken: 'TAKEN', failed: 'FAILED' },
    TAKEN: { left: 'LEFT' },
    LEFT: {},
    FAILED: {},
  },
  heldBy: { CALLING: 'TRANSACTION', TAKEN: 'USER', LEFT: 'NOBODY', FAILED: 'NOBODY' },
};
