/**
 * One agent's connection. CHALLENGED: until the agent has proved its key. LEAVING: its frames are not read any more, and the WebSocket
 * is being closed.
 *
 * welcomed   the key is proved, and a worker has it
 * farewell   we end it: refused, a frame that cannot be taken, a control plane that stops
 * closed     the WebSocket is closed
 */
import type { Machine } from '@carillon/proto/machine.ts';

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
  // The limit of the greeting; the silence that the gateway allows; the WebSocket's own closing handshake.
  heldBy: { CHALLENGED: 'TIMER', WELCOMED: 'USER', LEAVING: 'TRANSACTION', ENDED: 'NOBODY' },
};
