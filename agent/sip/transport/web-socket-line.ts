/**
 * A user agent's own way to its WebSocket server. Browsers have a connection each, and a server knows by the connection
 * whose it is (RFC 7118, 5.2; RFC 5626): user agents never share one, as they do over TCP.
 */
import type { SipTransport } from '../engine.ts';

export const isWebSocket = (transport: SipTransport): boolean => transport === 'WS' || transport === 'WSS';

let lines = 0;

export class WebSocketLine {
  /** Different from that of every other. */
  readonly number = lines++;
  /** The path of the server's resource: '/' at most servers, '/ws' at some. */
  readonly path: string;
  /** Its user agent is there; afterwards connections are kept as long as a transaction may need them. */
  isUsed = true;
  /** The connection that a binding was made over is gone: the registrar reaches us no more. */
  onLost: (() => void) | null = null;

  constructor(path: string) {
    this.path = path;
  }
}
