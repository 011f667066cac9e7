/**
 * An attended transfer of the far end (RFC 5589, 7).
 *
 * held      the far end waits
 * answered  the target has answered the consultation call: the far end is referred to it
 * reached   the far end has its call with the target
 * failed    the transfer failed
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type TransferState = 'HOLDING' | 'CONSULTING' | 'REFERRING' | 'DONE' | 'FAILED';
export type TransferEvent = 'held' | 'answered' | 'reached' | 'failed';

export const TRANSFER: Machine<TransferState, TransferEvent> = {
  initial: 'HOLDING',
  finals: ['DONE', 'FAILED'],
  transitions: {
    HOLDING: { held: 'CONSULTING', failed: 'FAILED' },
    CONSULTING: { answered: 'REFERRING', failed: 'FAILED' },
    REFERRING: { reached: 'DONE', failed: 'FAILED' },
    DONE: {},
    FAILED: {},
  },
  heldBy: { HOLDING: 'TRANSACTION', CONSULTING: 'TIMER', REFERRING: 'TIMER', DONE: 'NOBODY', FAILED: 'NOBODY' },
};
