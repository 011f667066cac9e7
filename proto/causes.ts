/**
 * Why an endpoint did not succeed: cause -> the outcome of spec section 2, the call's result, and the party at fault.
 * Agents report the cause, the control plane shows the rest; a cause without a row does not compile.
 */

export type Party = 'caller' | 'callee' | 'network' | 'agent' | 'unknown';

type Row = {
  readonly outcome: 'REGISTRATION_FAILED' | 'NEGOTIATION_FAILED' | 'CALL_FAILED';
  /** Of a call that was attempted. */
  readonly result: 'TIMEOUT' | 'REJECTED' | 'ERROR';
  readonly party: Party;
};

const row = (outcome: Row['outcome'], result: Row['result'], party: Party): Row => ({ outcome, result, party });

export const CAUSES = {
  /** 401, 403, 404, 407 to REGISTER: the account. */
  REGISTRATION_DENIED: row('REGISTRATION_FAILED', 'ERROR', 'caller'),
  /** Any other final response to REGISTER. */
  REGISTRATION_REJECTED: row('REGISTRATION_FAILED', 'ERROR', 'network'),
  REGISTRATION_TIMEOUT: row('REGISTRATION_FAILED', 'ERROR', 'network'),
  REGISTRATION_ERROR: row('REGISTRATION_FAILED', 'ERROR', 'unknown'),
  /** No final response to OPTIONS, or a 408 in its stead. */
  OPTIONS_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network'),
  /** The final response to OPTIONS says that there is no service. */
  OPTIONS_REFUSED: row('CALL_FAILED', 'REJECTED', 'network'),
  /** No final response to INVITE (timer B). */
  CALL_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network'),
  /** It rang, nobody answered, we gave up. */
  NO_ANSWER: row('CALL_FAILED', 'TIMEOUT', 'callee'),
  REDIRECTED: row('CALL_FAILED', 'REJECTED', 'unknown'),
  BUSY: row('CALL_FAILED', 'REJECTED', 'callee'),
  DECLINED: row('CALL_FAILED', 'REJECTED', 'callee'),
  UNAVAILABLE: row('CALL_FAILED', 'REJECTED', 'callee'),
  NOT_FOUND: row('CALL_FAILED', 'REJECTED', 'caller'),
  FORBIDDEN: row('CALL_FAILED', 'REJECTED', 'caller'),
  REQUEST_REJECTED: row('CALL_FAILED', 'REJECTED', 'unknown'),
  SERVER_ERROR: row('CALL_FAILED', 'REJECTED', 'network'),
  MEDIA_NOT_ACCEPTED: row('NEGOTIATION_FAILED', 'REJECTED', 'callee'),
  /** The answer's SDP cannot be used. */
  ANSWER_UNUSABLE: row('NEGOTIATION_FAILED', 'ERROR', 'callee'),
  /** As callee: the offer's SDP cannot be used. */
  OFFER_UNUSABLE: row('NEGOTIATION_FAILED', 'ERROR', 'caller'),
  /** As callee: our 200 OK was never acknowledged. */
  ACK_MISSING: row('CALL_FAILED', 'ERROR', 'caller'),
  CANCELLED_BY_CALLER: row('CALL_FAILED', 'ERROR', 'caller'),
  TRANSPORT_ERROR: row('CALL_FAILED', 'ERROR', 'network'),
  PROTOCOL_ERROR: row('CALL_FAILED', 'ERROR', 'callee'),
  /** No server was found for the name (RFC 3263): the text says which queries were in vain. */
  DNS_FAILED: row('CALL_FAILED', 'ERROR', 'network'),
  /** The host's owner forbids the target (policy): an address or name that signalling or media would have gone to. */
  TARGET_NOT_ALLOWED: row('CALL_FAILED', 'ERROR', 'agent'),
  /** The host's owner forbids the number (policy). */
  NUMBER_NOT_ALLOWED: row('CALL_FAILED', 'ERROR', 'agent'),
  /** The minutes of calls that the host's owner allows a day are spent (policy). */
  MINUTES_SPENT: row('CALL_FAILED', 'ERROR', 'agent'),
  /** The call lasted as long as the host's owner has come to allow (policy). */
  DURATION_NOT_ALLOWED: row('CALL_FAILED', 'ERROR', 'agent'),
  MEDIA_PORTS_EXHAUSTED: row('CALL_FAILED', 'ERROR', 'agent'),
  /** As callee: nobody called. */
  NO_CALL_RECEIVED: row('CALL_FAILED', 'ERROR', 'caller'),
  /** The agent could not start the call. */
  NOT_STARTED: row('CALL_FAILED', 'ERROR', 'agent'),
  /** The session's time was up without a refresh (RFC 4028). */
  SESSION_EXPIRED: row('CALL_FAILED', 'ERROR', 'network'),
  /** The circuit breaker kept the call from being started: too many before it had failed. */
  BREAKER_OPEN: row('CALL_FAILED', 'ERROR', 'network'),
  /** The call was answered, and an action of the scenario could not be done in it. */
  ACTION_FAILED: row('CALL_FAILED', 'ERROR', 'unknown'),
  /** The run was stopped before the call was answered. */
  STOPPED: row('CALL_FAILED', 'ERROR', 'unknown'),
  WORKER_LOST: row('CALL_FAILED', 'ERROR', 'agent'),
} as const satisfies Record<string, Row>;

export type Cause = keyof typeof CAUSES;

export const isCause = (text: string): text is Cause => Object.hasOwn(CAUSES, text);

/** Final responses to INVITE that have a cause of their own. */
const BY_STATUS: Readonly<Record<number, Cause>> = {
  401: 'FORBIDDEN',
  402: 'FORBIDDEN',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  407: 'FORBIDDEN',
  410: 'NOT_FOUND',
  415: 'MEDIA_NOT_ACCEPTED',
  480: 'UNAVAILABLE',
  484: 'NOT_FOUND',
  486: 'BUSY',
  488: 'MEDIA_NOT_ACCEPTED',
  600: 'BUSY',
  603: 'DECLINED',
  604: 'NOT_FOUND',
  606: 'MEDIA_NOT_ACCEPTED',
  607: 'DECLINED',
  608: 'DECLINED',
};

/** The cause behind a final response of 300 and above to INVITE. */
export function causeOfInviteResponse(status: number): Cause {
  const named = BY_STATUS[status];
  if (named) return named;
  if (status < 400) return 'REDIRECTED';
  return status >= 500 && status < 600 ? 'SERVER_ERROR' : 'REQUEST_REJECTED';
}

/** The cause behind a final response of 300 and above to REGISTER. */
export const causeOfRegisterResponse = (status: number): Cause =>
  status === 401 || status === 403 || status === 404 || status === 407
    ? 'REGISTRATION_DENIED'
    : 'REGISTRATION_REJECTED';

/**
 * The cause behind a final response to OPTIONS; null: who answers so is there (RFC 3261, 11.2: 404, 405, 486 and the like tell of a
 * user or a method, not of the server), and only 408 and 5xx say that he is not, 501 apart.
 */
export function causeOfOptionsResponse(status: number): Cause | null {
  if (status === 408) return 'OPTIONS_TIMEOUT';
  return status >= 500 && status < 600 && status !== 501 ? 'OPTIONS_REFUSED' : null;
}
