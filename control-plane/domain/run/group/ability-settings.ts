/**
 * The abilities that tests may need of an agent beyond simple calls, by their names in its greeting (agent/sip/abilities.ts): each
 * with the settings of a test that need it, in the words of the form. A need without a row does not compile.
 */
export const ABILITY_SETTINGS = {
  LOAD: 'calls at a rate',
  CALL_AFTER_CALL: 'several calls of a registered endpoint, or of a callee',
  REGISTER_ONLY: 'groups that only register',
  OPTIONS: 'groups that send OPTIONS',
  STUN: 'groups that ask a STUN server',
  ACTIONS: 'actions in a call',
  INFO: 'digits by INFO',
  RE_INVITE: 'hold, resume and re-INVITE',
  UPDATE: 'UPDATE',
  REFER: 'transfer (REFER)',
  ATTENDED_TRANSFER: 'attended transfer',
  ANSWERING: "a callee's ringing, delay and refusal",
  EARLY_MEDIA: 'early media (183)',
  PRACK: 'reliable provisional responses',
  SESSION_TIMER: 'session timer',
  DELAYED_OFFER: 'INVITE without SDP',
  WITHOUT_SDP: 'calls without SDP',
  WITHOUT_MEDIA: 'calls without media',
  REDIRECT: 'redirects',
  IDENTITY: "caller identity, header fields and accounts' own values",
  OUTBOUND: 'outbound flow',
  REGISTER_RETRY: 'register again after a failure',
  GATEWAYS: 'several addresses of a registrar',
  SOURCE_ADDRESS: 'source address',
  ICE: 'ICE',
  TCP: 'SIP over TCP',
  TLS: 'SIP over TLS',
  AUTO: 'transport by DNS',
  WS: 'SIP over WebSocket',
  WSS: 'SIP over secure WebSocket',
  WS_PATH: 'path of a WebSocket',
  SIPJS: 'SIP stack SIP.js',
} as const;
export type Ability = keyof typeof ABILITY_SETTINGS;
