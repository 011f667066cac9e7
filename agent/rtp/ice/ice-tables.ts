/**
 * The states of ICE of one stream, and of one pair of candidates (RFC 8445, 6.1.2 and 7). All pairs of a stream are
 * WAITING from the start, because there is one component.
 */
import type { Machine } from '@carillon/proto/base/machine.ts';
import type { IceState } from '../figures/stream-memory.ts';

export type PairState = 'WAITING' | 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED';

export type PairEvent =
  /** A check was sent. */
  | 'CHECK'
  /** The peer checks the pair, or the roles were changed: another check is due (7.3.1.4). */
  | 'TRIGGER'
  | 'SUCCESS'
  /** The check was refused, answered from another address, or not answered. */
  | 'FAILURE';

export const PAIR: Machine<PairState, PairEvent> = {
  initial: 'WAITING',
  finals: [],
  transitions: {
    WAITING: { CHECK: 'IN_PROGRESS', TRIGGER: 'WAITING', SUCCESS: 'SUCCEEDED' },
    IN_PROGRESS: { TRIGGER: 'WAITING', SUCCESS: 'SUCCEEDED', FAILURE: 'FAILED' },
    // A valid pair is checked once more to nominate it.
    SUCCEEDED: { CHECK: 'SUCCEEDED', TRIGGER: 'SUCCEEDED', SUCCESS: 'SUCCEEDED', FAILURE: 'FAILED' },
    FAILED: { TRIGGER: 'WAITING', SUCCESS: 'SUCCEEDED' },
  },
  heldBy: { WAITING: 'TIMER', IN_PROGRESS: 'TIMER', SUCCEEDED: 'USER', FAILED: 'USER' },
};

export type IceEvent =
  /** A pair is valid: media may be sent (12.1). */
  | 'VALID'
  /** The controlling end has chosen a pair. */
  | 'NOMINATED'
  /** No pair is left. */
  | 'EXHAUSTED'
  /** The peer has not answered our requests for 30 s (RFC 7675, 5.1). */
  | 'SILENCE';

export const ICE: Machine<IceState, IceEvent> = {
  initial: 'CHECKING',
  finals: ['FAILED', 'LOST'],
  transitions: {
    CHECKING: { VALID: 'CONNECTED', EXHAUSTED: 'FAILED' },
    CONNECTED: { VALID: 'CONNECTED', NOMINATED: 'COMPLETED', SILENCE: 'LOST' },
    COMPLETED: { VALID: 'COMPLETED', NOMINATED: 'COMPLETED', SILENCE: 'LOST' },
    FAILED: {},
    LOST: {},
  },
  heldBy: { CHECKING: 'TIMER', CONNECTED: 'TIMER', COMPLETED: 'TIMER', FAILED: 'NOBODY', LOST: 'NOBODY' },
};
