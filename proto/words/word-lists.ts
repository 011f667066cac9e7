/** Words that the wire sends as their index in these lists. New words are added at the end, and none is ever moved. */

/** The phases of an endpoint, in the order of its life. */
export const PHASES = [
  'INITIALIZING',
  'REGISTERED',
  'CALLING',
  'RINGING',
  'NEGOTIATING',
  'INCALL',
  'DISCONNECTING',
  'CLOSED',
] as const;
export type Phase = (typeof PHASES)[number];

export const SIP_TRANSPORTS = ['UDP', 'TCP', 'TLS', 'WS', 'WSS'] as const;
export type SipTransport = (typeof SIP_TRANSPORTS)[number];
