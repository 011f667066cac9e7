/**
 * The way to the HEP collector. OPENING: the collector is being looked for; LOST: it cannot be reached, and is tried again.
 *
 * opened    datagrams can be sent, or the connection stands
 * lost      the collector was not found, may not be reached, or has closed the connection
 * retried   the wait is over
 * closed    by us
 */
import type { Machine } from '@carillon/proto/machine.ts';

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
  // OPENING: by the kernel's limits for the DNS and TCP.
  heldBy: { OPENING: 'TRANSACTION', OPEN: 'USER', LOST: 'TIMER', CLOSED: 'NOBODY' },
};
