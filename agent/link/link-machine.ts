/**
 * The agent's connection to the control plane. WAITING: before the first attempt, and between two. CHALLENGED: the
 * greeting is sent. ENDED: closed by us, or refused permanently.
 *
 * connecting   the WebSocket is being opened
 * challenged   the control plane's challenge has arrived
 * welcomed     the control plane has accepted the greeting
 * lost         the WebSocket is closed, or was never opened
 * ended        the agent stops, or the control plane refuses it
 */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type LinkState = 'WAITING' | 'CONNECTING' | 'CHALLENGED' | 'ONLINE' | 'ENDED';
export type LinkEvent = 'connecting' | 'challenged' | 'welcomed' | 'lost' | 'ended';

export const LINK: Machine<LinkState, LinkEvent> = {
  initial: 'WAITING',
  finals: ['ENDED'],
  transitions: {
    WAITING: { connecting: 'CONNECTING', ended: 'ENDED' },
    CONNECTING: { challenged: 'CHALLENGED', lost: 'WAITING', ended: 'ENDED' },
    CHALLENGED: { welcomed: 'ONLINE', lost: 'WAITING', ended: 'ENDED' },
    ONLINE: { lost: 'WAITING', ended: 'ENDED' },
    ENDED: {},
  },
  // The timers: the wait until the next attempt; the time within which it must be online; the silence that ends a connection.
  heldBy: { WAITING: 'TIMER', CONNECTING: 'TIMER', CHALLENGED: 'TIMER', ONLINE: 'TIMER', ENDED: 'NOBODY' },
};

export const LINK_STATES = Object.keys(LINK.transitions) as LinkState[];
