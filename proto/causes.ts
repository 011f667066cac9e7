/**
 * Why an endpoint did not succeed: cause -> the endpoint's outcome, the call's result, and the party at fault.
 * Agents report the cause, the control plane shows the rest; a cause without a row does not compile.
 */
import { FAULT_KINDS, type FaultKind, FINDINGS, type FindingParty, type Party } from './findings.ts';
import { Q850 } from './q850.ts';

type Row = {
  readonly outcome: 'REGISTRATION_FAILED' | 'NEGOTIATION_FAILED' | 'CALL_FAILED';
  /** What signalling says of a call that was attempted; SUCCESS: it was answered, and not heard. */
  readonly result: 'SUCCESS' | 'TIMEOUT' | 'REJECTED' | 'ERROR';
  readonly party: Party | FindingParty;
};

const row = (outcome: Row['outcome'], result: Row['result'], party: Row['party']): Row => ({ outcome, result, party });

/** Calls that were answered and failed by what was found of them. */
const FOUND = Object.fromEntries(
  FAULT_KINDS.map((kind) => [kind, row('CALL_FAILED', 'SUCCESS', FINDINGS[kind].party)]),
) as Record<FaultKind, Row>;

const SIGNALLED = {
  /** 401, 403, 404, 407 to REGISTER: the account. */
  REGISTRATION_DENIED: row('REGISTRATION_FAILED', 'ERROR', 'caller'),
  /** Any other final response to REGISTER. */
  REGISTRATION_REJECTED: row('REGISTRATION_FAILED', 'ERROR', 'network'),
  REGISTRATION_TIMEOUT: row('REGISTRATION_FAILED', 'ERROR', 'network'),
  /** REGISTER could not be sent, or its connection broke. */
  REGISTRATION_UNREACHABLE: row('REGISTRATION_FAILED', 'ERROR', 'network'),
  /** The agent's host cannot send to the registrar at all: no such address family, no route, no permission. */
  REGISTRATION_NOT_SENT: row('REGISTRATION_FAILED', 'ERROR', 'agent'),
  REGISTRATION_ERROR: row('REGISTRATION_FAILED', 'ERROR', 'unknown'),
  /** No final response to OPTIONS, or a 408 in its stead. */
  OPTIONS_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network'),
  /** The final response to OPTIONS says that there is no service. */
  OPTIONS_REFUSED: row('CALL_FAILED', 'REJECTED', 'network'),
  /** No final response to INVITE (timer B). */
  CALL_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network'),
  /** It rang, nobody answered, we gave up. */
  NO_ANSWER: row('CALL_FAILED', 'TIMEOUT', 'callee'),
  /** No answer from the STUN server of the group. */
  STUN_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network'),
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
  /** The agent's host cannot send to the target at all: no such address family, no route, no permission. */
  NOT_SENT: row('CALL_FAILED', 'ERROR', 'agent'),
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
  /** The call was answered, and no pair of candidates worked (RFC 8445), or the far end's consent was lost (RFC 7675). */
  ICE_FAILED: row('CALL_FAILED', 'SUCCESS', 'network'),
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

export const CAUSES: Readonly<Record<keyof typeof SIGNALLED | FaultKind, Row>> = { ...SIGNALLED, ...FOUND };

export type Cause = keyof typeof CAUSES;

export const isCause = (text: string): text is Cause => Object.hasOwn(CAUSES, text);

/** Causes that are the far end's word: a Q.850 cause beside them says more. */
const SAID_BY_FAR_END: readonly Cause[] = [
  'REGISTRATION_REJECTED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'FORBIDDEN',
  'REQUEST_REJECTED',
  'SERVER_ERROR',
  'ENDED_EARLY',
];

/**
 * Which side is at fault, seen from the end that reports it. `q850`: cause of a Reason header (RFC 3326) of what ended the call;
 * null: none.
 */
export function partyAtFault(cause: Cause, end: 'CALLER' | 'CALLEE', q850: number | null): Party {
  const { party, outcome } = CAUSES[cause];
  const said = q850 === null || !SAID_BY_FAR_END.includes(cause) ? undefined : Q850[q850]?.party;
  const at = said === undefined || said === 'unknown' ? party : said;
  // A registrar is nobody's other end.
  if (at === 'far end' && outcome === 'REGISTRATION_FAILED') return 'network';
  if (at === 'far end') return end === 'CALLER' ? 'callee' : 'caller';
  return at === 'near end' ? (end === 'CALLER' ? 'caller' : 'callee') : at;
}

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

/** The cause of a final response of 300 and above to INVITE; `rang`: a provisional response of 180 or above came before it. */
export function causeOfInviteResponse(status: number, rang = false): Cause {
  // RFC 3261, 21.4.9: no answer in time, wherever the time ran out.
  if (status === 408) return rang ? 'NO_ANSWER' : 'CALL_TIMEOUT';
  const named = BY_STATUS[status];
  if (named) return named;
  if (status < 400) return 'REDIRECTED';
  return status >= 500 && status < 600 ? 'SERVER_ERROR' : 'REQUEST_REJECTED';
}

/** The cause that a final response tells, of 300 and above to REGISTER. */
export const causeOfRegisterResponse = (status: number): Cause =>
  status === 401 || status === 403 || status === 404 || status === 407
    ? 'REGISTRATION_DENIED'
    : 'REGISTRATION_REJECTED';

/**
 * The cause that a final response to OPTIONS tells; null: the server is there. Only 408 and 5xx except 501 mean that it is not
 * (RFC 3261, 11.2: 404, 405, 486 and the like concern the user or the method).
 */
export function causeOfOptionsResponse(status: number): Cause | null {
  if (status === 408) return 'OPTIONS_TIMEOUT';
  return status >= 500 && status < 600 && status !== 501 ? 'OPTIONS_REFUSED' : null;
}
