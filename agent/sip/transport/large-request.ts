/**
 * Requests too large for UDP go by TCP, and by UDP if the peer has no TCP (RFC 3261, 18.1.1). Only the topmost Via
 * differs: we listen for both on the same port (18.2.1).
 */
import type { SipTarget } from '../engine.ts';

/** The path's MTU is not known: larger ones must not go by UDP. */
export const MAX_UDP_REQUEST_BYTES = 1300;

/** There is UDP if TCP is swallowed, as firewalls do: two SYNs. */
const CONNECT_LIMIT_MS = 3000;

const UDP = '\r\nVia: SIP/2.0/UDP ';
const TCP = '\r\nVia: SIP/2.0/TCP ';

export const overTcp = (text: string): string => text.replace(UDP, TCP);
export const overUdp = (text: string): string => text.replace(TCP, UDP);

export const tcpTarget = (target: SipTarget): SipTarget => ({
  ...target,
  transport: 'TCP',
  connectLimitMs: CONNECT_LIMIT_MS,
});
export const udpTarget = (target: SipTarget): SipTarget => ({ ...target, transport: 'UDP' });
