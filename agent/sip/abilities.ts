import type { SipEngine } from './engine.ts';

/**
 * SIP abilities of an engine beyond simple calls, by name: reported to the control plane, which refuses tests that need
 * others.
 */
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
  // All actions of the scenario; a callee's answer by status and time; transports other than UDP.
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
  // Calls without media: an inactive offer; INVITE and 200 without SDP.
  'WITHOUT_MEDIA',
  'WITHOUT_SDP',
  // Endpoints that register, or are called, and have call after call (agent/run/endpoint/lasting-endpoint.ts).
  'CALL_AFTER_CALL',
  // Caller identity by account or group, custom header fields and keys; HA1 instead of passwords.
  'IDENTITY',
  // Several addresses of one registrar, tried in turn (RFC 3263, 4.3).
  'GATEWAYS',
  // An address of the host beside the agent's own, that SIP and media come from.
  'SOURCE_ADDRESS',
] as const;
export type SipAbility = (typeof SIP_ABILITIES)[number];

/** The abilities of each engine; the README's table is checked against it. */
export const ENGINE_ABILITIES: { readonly [engine in SipEngine['name']]: readonly SipAbility[] } = {
  core: SIP_ABILITIES,
  'sip.js': [
    'INFO',
    'RE_INVITE',
    'DELAYED_OFFER',
    'EARLY_MEDIA',
    'ACTIONS',
    'ANSWERING',
    'REGISTER_ONLY',
    'WITHOUT_MEDIA',
    'IDENTITY',
    'SOURCE_ADDRESS',
  ],
  drachtio: [
    'INFO',
    'RE_INVITE',
    'DELAYED_OFFER',
    'EARLY_MEDIA',
    'ACTIONS',
    'ANSWERING',
    'TCP',
    'REGISTER_ONLY',
    'WITHOUT_MEDIA',
    'IDENTITY',
  ],
};

/** A group's transport is no matter of its engine alone: these are asked for by their own names. */
const TRANSPORTS: ReadonlySet<string> = new Set(['TCP', 'TLS', 'AUTO']);
const called = (engine: SipEngine['name'], suffix: string): string[] =>
  ENGINE_ABILITIES[engine].filter((one) => !TRANSPORTS.has(one)).map((one) => `${one} ${suffix}`);

/**
 * Abilities of an agent whose endpoints use `main`, over WebSockets always the core, and SIP.js where a group asks for it. Those of
 * the latter two have separate names: `main` may be another engine, and agents of earlier versions had only SIP.js for WebSockets.
 */
export const abilitiesWith = (main: SipEngine['name']): string[] => [
  ...ENGINE_ABILITIES[main],
  'WS',
  'WSS',
  // A server whose WebSocket has a custom path.
  'WS_PATH',
  // This is an ability of the agent, whatever its engine: endpoints place several calls (proto/load).
  'LOAD',
  // This is an ability of its media (RFC 8445).
  'ICE',
  // Groups that do no more than ask a STUN server.
  'STUN',
  ...called('core', 'over WebSocket'),
  'LOAD over WebSocket',
  'SIPJS',
  ...called('sip.js', 'with SIPJS'),
];
