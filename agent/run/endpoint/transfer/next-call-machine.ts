/**
 * A call that replaces the previous one.
 *
 * taken    it is established, and has the endpoint's media
 * left     the previous one has ended, too
 * failed   it failed
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

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
