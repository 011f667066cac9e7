/** Why a server refuses a SIP WebSocket (RFC 6455, 4.1; RFC 7118, 4), in sentences with a solution. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { connectionFault } from '../../net/text/connection-fault.ts';

/** The subprotocol that both ends have to name. */
export const SUBPROTOCOL = 'sip';

const MAX_CHARACTERS = 200;

/** The response to our handshake is not 101. The first words matter most: failures have little space. */
export function upgradeFault(status: number, headers: IncomingHttpHeaders, path: string): string {
  const answer = `HTTP ${status} at ${path}`;
  if (status === 404) return `${answer}: its WebSocket has another path`;
  if (status === 426) return `${answer}: it requires ${wanted(headers)}`;
  if (status === 401 || status === 403) return `${answer}: it requires HTTP credentials or an Origin`;
  if (status >= 300 && status < 400) return `${answer}: it is at ${plain(headers.location ?? 'another place')}`;
  return `${answer}: it has no WebSocket`;
}

function wanted(headers: IncomingHttpHeaders): string {
  const version = headers['sec-websocket-version'];
  if (version !== undefined) return `version ${plain(version)} of WebSockets, we support 13`;
  return plain(headers.upgrade ?? 'another protocol');
}

/** The error in the subprotocol of the server's 101; null: it is SIP. */
export function subprotocolFault(named: string | undefined): string | null {
  if (named === SUBPROTOCOL) return null;
  return `its WebSocket speaks ${named === undefined ? 'no subprotocol' : plain(named)}, not sip (RFC 7118, 4.1)`;
}

export function handshakeFault(error: Error): string {
  // The response is not HTTP: most likely a SIP or TLS port.
  const isNoHttp = 'code' in error && String(error.code).startsWith('HPE_');
  return isNoHttp ? `the server does not use HTTP (${String(error.code)})` : connectionFault(error);
}

/** It is quoted in our sentence. */
const plain = (text: string): string => text.replace(/[^ -~]/g, ' ').slice(0, MAX_CHARACTERS);
