import type { SipEngine } from './engine.ts';

/** What of SIP beyond the simple call an engine can do, by name: told to the control plane, which refuses tests that ask for more. */
export const SIP_ABILITIES = [
  'INFO',
  'RE_INVITE',
  'UPDATE',
  'REFER',
  // REFER to the far end of another call of the endpoint, with Replaces (RFC 3891).
  'ATTENDED_TRANSFER',
  'PRACK',
  'SESSION_TIMER',
  'DELAYED_OFFER',
  'REDIRECT',
  'EARLY_MEDIA',
  // Any action of the scenario; how a callee answers, by status and time; transports beside UDP.
  'ACTIONS',
  'ANSWERING',
  'TCP',
  'TLS',
  'AUTO',
  // Registrations that offer an outbound flow (RFC 5626).
  'OUTBOUND',
  // Waits of the group's own before a REGISTER that failed is sent again.
  'REGISTER_RETRY',
  // Groups that do no more than register, or ask for options.
  'REGISTER_ONLY',
  'OPTIONS',
  // Calls that are signalling alone: an offer that nobody sends to; INVITE and 200 without SDP.
  'WITHOUT_MEDIA',
  'WITHOUT_SDP',
  // Endpoints that register, or are called, and have call after call (agent/run/endpoint/lasting-endpoint.ts).
  'CALL_AFTER_CALL',
  // Endpoints that name themselves as their account or group says, with header fields and keys of their own; HA1 in the place of passwords.
  'IDENTITY',
  // Several addresses of one registrar, tried in turn (RFC 3263, 4.3).
  'GATEWAYS',
  // An address of the host beside the agent's own, that SIP and media come from.
  'SOURCE_ADDRESS',
] as const;
export type SipAbility = (typeof SIP_ABILITIES)[number];

/** By engine; the README's table is checked against it. */
export const ENGINE_ABILITIES: { readonly [engine in SipEngine['name']]: readonly SipAbility[] } = {
  core: SIP_ABILITIES,
  'sip.js': [
    'INFO',
    'RE_INVITE',
    'UPDATE',
    'REFER',
    'ATTENDED_TRANSFER',
    'PRACK',
    'SESSION_TIMER',
    'DELAYED_OFFER',
    'REDIRECT',
    'EARLY_MEDIA',
    'ACTIONS',
    'ANSWERING',
    'REGISTER_RETRY',
    'REGISTER_ONLY',
    'OPTIONS',
    'WITHOUT_MEDIA',
    'IDENTITY',
    'SOURCE_ADDRESS',
  ],
  drachtio: [
    'INFO',
    'RE_INVITE',
    'REFER',
    'ATTENDED_TRANSFER',
    'DELAYED_OFFER',
    'REDIRECT',
    'EARLY_MEDIA',
    'ACTIONS',
    'ANSWERING',
    'TCP',
    'REGISTER_RETRY',
    'REGISTER_ONLY',
    'OPTIONS',
    'WITHOUT_MEDIA',
    'IDENTITY',
  ],
};

/**
 * What an agent says it can do, whose endpoints live on `main`, and on sip.js where they speak WebSocket: that is another engine, so
 * each of its abilities has a name of its own.
 */
export const abilitiesWith = (main: SipEngine['name']): string[] => [
  ...ENGINE_ABILITIES[main],
  'WS',
  'WSS',
  // Where a server has its WebSocket at a path of its own.
  'WS_PATH',
  // Of the agent, whichever engine: endpoints that place call after call (proto/load).
  'LOAD',
  // Of its media (RFC 8445).
  'ICE',
  // Groups that do no more than ask a STUN server.
  'STUN',
  ...ENGINE_ABILITIES['sip.js'].map((ability) => `${ability} over WebSocket`),
];
