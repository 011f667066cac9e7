/** The place where peers find a user agent: the URI of its Contact. */
import type { SipTransport } from '../engine.ts';
import { escapeUser, hostPortText } from '../message/uri.ts';
import { wireText } from '../message/wire-text.ts';
import { isWebSocket } from '../transport/web-socket-line.ts';
import type { Core } from './core.ts';

/** A SIPS URI needs no transport: TLS is what it means (RFC 5630, 3.1.1). */
export function contactUri(core: Core, user: string, transport: SipTransport, isSecure: boolean): string {
  const scheme = isSecure ? 'sips' : 'sip';
  const name = escapeUser(wireText(user));
  // One name for both (RFC 7118, 5.2.2).
  if (isWebSocket(transport)) return `${scheme}:${name}@${core.webSocketHost};transport=ws`;
  const port = isSecure || transport === 'TLS' ? core.tlsPort || core.local.port : core.local.port;
  const parameters = isSecure || transport === 'UDP' ? '' : `;transport=${transport.toLowerCase()}`;
  return `${scheme}:${name}@${hostPortText(core.host, port)}${parameters}`;
}
