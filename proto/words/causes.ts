/**
 * Why an endpoint did not succeed: each cause has the endpoint's outcome, the call's result, and the party at fault. Agents
 * report the cause, and the control plane shows the rest. A cause without a row does not compile.
 */
import { FAULT_KINDS, type FaultKind, FINDINGS, type FindingParty, type Party } from './findings.ts';
import { Q850 } from './q850.ts';

type Row = {
  readonly outcome: 'REGISTRATION_FAILED' | 'NEGOTIATION_FAILED' | 'CALL_FAILED';
  /** The result of an attempted call by signalling; SUCCESS: the call was answered, but not heard. */
  readonly result: 'SUCCESS' | 'TIMEOUT' | 'REJECTED' | 'ERROR';
  readonly party: Party | FindingParty;
  /** One sentence for people, without a full stop. */
  readonly meaning: string;
};

const row = (outcome: Row['outcome'], result: Row['result'], party: Row['party'], meaning: string): Row => ({
  outcome,
  result,
  party,
  meaning,
});

/** The rows for answered calls that failed because of a finding. */
const FOUND = Object.fromEntries(
  FAULT_KINDS.map((kind) => [kind, row('CALL_FAILED', 'SUCCESS', FINDINGS[kind].party, FINDINGS[kind].title)]),
) as Record<FaultKind, Row>;

const SIGNALLED = {
  REGISTRATION_DENIED: row(
    'REGISTRATION_FAILED',
    'ERROR',
    'caller',
    'The registrar refused the account: 401, 403, 404 or 407 to REGISTER',
  ),
  REGISTRATION_REJECTED: row('REGISTRATION_FAILED', 'ERROR', 'network', 'Another final response to REGISTER'),
  REGISTRATION_TIMEOUT: row('REGISTRATION_FAILED', 'ERROR', 'network', 'No final response to REGISTER'),
  REGISTRATION_UNREACHABLE: row(
    'REGISTRATION_FAILED',
    'ERROR',
    'network',
    'REGISTER could not be sent, or its connection broke',
  ),
  REGISTRATION_NOT_SENT: row(
    'REGISTRATION_FAILED',
    'ERROR',
    'agent',
    "The agent's host cannot send to the registrar: no such address family, no route, no permission",
  ),
  REGISTRATION_ERROR: row('REGISTRATION_FAILED', 'ERROR', 'unknown', 'Another error during registration'),
  OPTIONS_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network', 'No final response to OPTIONS, or a 408'),
  OPTIONS_REFUSED: row(
    'CALL_FAILED',
    'REJECTED',
    'network',
    'The final response to OPTIONS says that there is no service',
  ),
  CALL_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network', 'No final response to INVITE (timer B)'),
  NO_ANSWER: row('CALL_FAILED', 'TIMEOUT', 'callee', 'It rang, but the call was not answered in time'),
  STUN_TIMEOUT: row('CALL_FAILED', 'TIMEOUT', 'network', 'No answer from the STUN server of the group'),
  REDIRECTED: row('CALL_FAILED', 'REJECTED', 'unknown', 'A 3xx that was not followed'),
  BUSY: row('CALL_FAILED', 'REJECTED', 'callee', '486 or 600'),
  DECLINED: row('CALL_FAILED', 'REJECTED', 'callee', '603, 607 or 608'),
  UNAVAILABLE: row('CALL_FAILED', 'REJECTED', 'callee', '480'),
  NOT_FOUND: row('CALL_FAILED', 'REJECTED', 'caller', '404, 410, 484 or 604'),
  FORBIDDEN: row('CALL_FAILED', 'REJECTED', 'caller', '401, 402, 403 or 407 to INVITE'),
  REQUEST_REJECTED: row('CALL_FAILED', 'REJECTED', 'unknown', 'Another 4xx or 6xx to INVITE'),
  SERVER_ERROR: row('CALL_FAILED', 'REJECTED', 'network', '5xx to INVITE'),
  MEDIA_NOT_ACCEPTED: row('NEGOTIATION_FAILED', 'REJECTED', 'callee', '415, 488 or 606: the media were not accepted'),
  ANSWER_UNUSABLE: row('NEGOTIATION_FAILED', 'ERROR', 'far end', 'The SDP of the answer cannot be used, or is missing'),
  OFFER_UNUSABLE: row('NEGOTIATION_FAILED', 'ERROR', 'far end', 'The SDP of the offer cannot be used, or is missing'),
  ACK_MISSING: row('CALL_FAILED', 'ERROR', 'caller', 'Callee: the 200 OK was never acknowledged'),
  CANCELLED_BY_CALLER: row('CALL_FAILED', 'ERROR', 'caller', 'Callee: the caller sent CANCEL'),
  TRANSPORT_ERROR: row('CALL_FAILED', 'ERROR', 'network', 'The request could not be sent, or its connection broke'),
  NOT_SENT: row(
    'CALL_FAILED',
    'ERROR',
    'agent',
    "The agent's host cannot send to the target: no such address family, no route, no permission",
  ),
  PROTOCOL_ERROR: row('CALL_FAILED', 'ERROR', 'far end', 'The far end broke the protocol'),
  DNS_FAILED: row(
    'CALL_FAILED',
    'ERROR',
    'network',
    'No server was found for the name (RFC 3263); the text has the failed queries',
  ),
  TARGET_NOT_ALLOWED: row(
    'CALL_FAILED',
    'ERROR',
    'agent',
    "The host's policy does not allow an address or name for signalling or media",
  ),
  NUMBER_NOT_ALLOWED: row('CALL_FAILED', 'ERROR', 'agent', "The host's policy does not allow the number"),
  MINUTES_SPENT: row(
    'CALL_FAILED',
    'ERROR',
    'agent',
    "The minutes of calls per day that the host's policy allows are used up",
  ),
  DURATION_NOT_ALLOWED: row(
    'CALL_FAILED',
    'ERROR',
    'agent',
    "The call reached the longest duration that the host's policy allows",
  ),
  MEDIA_PORTS_EXHAUSTED: row('CALL_FAILED', 'ERROR', 'agent', 'The agent has no free media port'),
  ICE_FAILED: row(
    'CALL_FAILED',
    'SUCCESS',
    'network',
    'The call was answered, but no pair of candidates worked (RFC 8445), or consent was lost (RFC 7675)',
  ),
  NO_CALL_RECEIVED: row('CALL_FAILED', 'ERROR', 'caller', 'Callee: no call came'),
  NOT_STARTED: row('CALL_FAILED', 'ERROR', 'agent', 'The agent could not start the call'),
  SESSION_EXPIRED: row('CALL_FAILED', 'ERROR', 'network', 'The session expired without a refresh (RFC 4028)'),
  BREAKER_OPEN: row(
    'CALL_FAILED',
    'ERROR',
    'network',
    'The circuit breaker prevented the call: too many previous calls failed',
  ),
  ACTION_FAILED: row('CALL_FAILED', 'ERROR', 'unknown', 'The call was answered, but an action of the scenario failed'),
  STOPPED: row('CALL_FAILED', 'ERROR', 'unknown', 'The run was stopped before the call was answered'),
  WORKER_LOST: row('CALL_FAILED', 'ERROR', 'agent', 'The agent was lost during the run'),
} as const satisfies Record<string, Row>;

export const CAUSES: Readonly<Record<keyof typeof SIGNALLED | FaultKind, Row>> = { ...SIGNALLED, ...FOUND };

export type Cause = keyof typeof CAUSES;

export const isCause = (text: string): text is Cause => Object.hasOwn(CAUSES, text);

/** Causes that the far end reported. A Q.850 cause beside them is more specific. */
const REPORTED_BY_FAR_END: readonly Cause[] = [
  'REGISTRATION_REJECTED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'FORBIDDEN',
  'REQUEST_REJECTED',
  'SERVER_ERROR',
  'ENDED_EARLY',
];

/**
 * The party at fault, seen from the end that reports the cause. `q850` is the cause of a Reason header (RFC 3326) in the message
 * that ended the call; null: the message had none.
 */
export function partyAtFault(cause: Cause, end: 'CALLER' | 'CALLEE', q850: number | null): Party {
  const { party, outcome } = CAUSES[cause];
  const byRelease = q850 === null || !REPORTED_BY_FAR_END.includes(cause) ? undefined : Q850[q850]?.party;
  const at = byRelease === undefined || byRelease === 'unknown' ? party : byRelease;
  // A registrar is not an end of a call.
  if (at === 'far end' && outcome === 'REGISTRATION_FAILED') return 'network';
  if (at === 'far end') return end === 'CALLER' ? 'callee' : 'caller';
  return at === 'near end' ? (end === 'CALLER' ? 'caller' : 'callee') : at;
}

/** The final responses to INVITE that have a cause of their own. */
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

/** The cause of a final response of 300 and above to INVITE. `rang`: a provisional response of 180 or above preceded it. */
export function causeOfInviteResponse(status: number, rang = false): Cause {
  // RFC 3261, 21.4.9: there was no answer in time, wherever the time was spent.
  if (status === 408) return rang ? 'NO_ANSWER' : 'CALL_TIMEOUT';
  const named = BY_STATUS[status];
  if (named) return named;
  if (status < 400) return 'REDIRECTED';
  return status >= 500 && status < 600 ? 'SERVER_ERROR' : 'REQUEST_REJECTED';
}

/** The cause of a final response of 300 and above to REGISTER. */
export const causeOfRegisterResponse = (status: number): Cause =>
  status === 401 || status === 403 || status === 404 || status === 407
    ? 'REGISTRATION_DENIED'
    : 'REGISTRATION_REJECTED';

/**
 * The cause of a final response to OPTIONS; null: the server is available. Only 408 and 5xx except 501 mean that it is
 * not (RFC 3261, 11.2: 404, 405, 486 and the like concern the user or the method).
 */
export function causeOfOptionsResponse(status: number): Cause | null {
  if (status === 408) return 'OPTIONS_TIMEOUT';
  return status >= 500 && status < 600 && status !== 501 ? 'OPTIONS_REFUSED' : null;
}
