/** A connection from its opening to its end, and how long it may stay in a state (RFC 3261, 18; RFC 5626, 4.4.1). */
import type { Machine } from '@carillon/proto/base/machine.ts';
import { T1_MS } from '../timers.ts';

export type ConnectionState = 'CONNECTING' | 'OPEN' | 'PINGED' | 'CLOSED';

export type ConnectionEvent =
  | 'OPENED'
  /** The peer opened it. */
  | 'ACCEPTED'
  /** Regardless of the peer's data. */
  | 'RECEIVED'
  /** We sent a ping, and wait for the pong. */
  | 'PING'
  /** Timer of the state. */
  | 'LIMIT'
  /** The peer, the network or we have closed it. */
  | 'CLOSE';

export const CONNECTION: Machine<ConnectionState, ConnectionEvent> = {
  initial: 'CONNECTING',
  finals: ['CLOSED'],
  transitions: {
    CONNECTING: { OPENED: 'OPEN', ACCEPTED: 'OPEN', LIMIT: 'CLOSED', CLOSE: 'CLOSED' },
    OPEN: { RECEIVED: 'OPEN', PING: 'PINGED', LIMIT: 'CLOSED', CLOSE: 'CLOSED' },
    PINGED: { RECEIVED: 'OPEN', LIMIT: 'CLOSED', CLOSE: 'CLOSED' },
    CLOSED: {},
  },
  heldBy: { CONNECTING: 'TIMER', OPEN: 'TIMER', PINGED: 'TIMER', CLOSED: 'NOBODY' },
};

/** Connect and TLS handshake together. */
export const CONNECT_LIMIT_MS = 10_000;
/** No pong after a ping: the flow has failed (RFC 5626, 4.4.1). */
export const PONG_LIMIT_MS = 10_000;
/** We ping after 80 to 100 % of this time without sending (RFC 5626, 4.4.1). */
export const PING_AFTER_MS = 120_000;
/** The same over a WebSocket: proxies of HTTP forget silent ones after a minute (RFC 7118, 6). */
export const WEB_SOCKET_PING_AFTER_MS = 30_000;
/**
 * A message must be complete this long after its first byte; an incoming connection must have sent something by then.
 */
export const SLOW_FRAME_MS = 64 * T1_MS;
/** For our connections, when the engine is no longer used: time that a transaction may still need. */
export const UNUSED_MS = 64 * T1_MS;
/** The time without messages other than keep-alives: longer than any Flow-Timer (RFC 5626, 4.4.1). */
export const IDLE_MS = 900_000;
