/**
 * The connection to the HEP collector. OPENING: its address is being resolved; LOST: it cannot be reached, and is tried again.
 *
 * opened    datagrams can be sent, or the connection is established
 * lost      the collector was not found, may not be reached, or has closed the connection
 * retried   the wait is over
 * closed    we have closed it
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type HepState = 'OPENING' | 'OPEN' | 'LOST' | 'CLOSED';
export type HepEvent = 'opened' | 'lost' | 'retried' | 'closed';

export const HEP: Machine<HepState, HepEvent> = {
  initial: 'OPENING',
  finals: ['CLOSED'],
  transitions: {
    OPENING: { opened: 'OPEN', lost: 'LOST', closed: 'CLOSED' },
    OPEN: { lost: 'LOST', closed: 'CLOSED' },
    LOST: { retried: 'OPENING', closed: 'CLOSED' },
    CLOSED: {},
  },
  // OPENING lasts as long as the kernel's limits for DNS and TCP allow.
  heldBy: { OPENING: 'TRANSACTION', OPEN: 'USER', LOST: 'TIMER', CLOSED: 'NOBODY' },
};
