/**
 * One agent's connection. CHALLENGED: until the agent has proved its key. LEAVING: its frames are no longer read, and the
 * WebSocket is being closed.
 *
 * welcomed   the key is proved, and a worker has it
 * farewell   the control plane ends it: the agent is refused, a frame is not acceptable, or the control plane stops
 * closed     the WebSocket is closed
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type SessionState = 'CHALLENGED' | 'WELCOMED' | 'LEAVING' | 'ENDED';
export type SessionEvent = 'welcomed' | 'farewell' | 'closed';

export const SESSION: Machine<SessionState, SessionEvent> = {
  initial: 'CHALLENGED',
  finals: ['ENDED'],
  transitions: {
    CHALLENGED: { welcomed: 'WELCOMED', farewell: 'LEAVING', closed: 'ENDED' },
    WELCOMED: { farewell: 'LEAVING', closed: 'ENDED' },
    LEAVING: { closed: 'ENDED' },
    ENDED: {},
  },
  // CHALLENGED is held by the limit of the greeting, WELCOMED by the silence that the gateway allows, LEAVING by the
  // WebSocket's own closing handshake.
  heldBy: { CHALLENGED: 'TIMER', WELCOMED: 'USER', LEAVING: 'TRANSACTION', ENDED: 'NOBODY' },
};
