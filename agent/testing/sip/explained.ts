/** Header fields that explain the end of a call (RFC 3326, RFC 3261, 20.43), what an engine reports of them, and a BYE without any. */

export const REASON_HEADERS = [
  'Reason: SIP;cause=200;text="Call completed elsewhere", Q.850;cause=16',
  'Warning: 399 gw "node 7"',
];
/** With `Retry-After: 0` or without it. */
export const EXPLANATION = {
  q850: 16,
  reason: 'SIP 200: Call completed elsewhere',
  warning: '399 node 7',
  retryAfterSeconds: 0,
};
export const QUIET_BYE = { byeStatus: 0, unanswered: '', explanation: null };
