/** Converts the SIP engine's failures to the causes that are reported. Every kind is handled: a new kind is a compile error. */
import { type Cause, causeOfInviteResponse, causeOfRegisterResponse } from '@carillon/proto';
import type { SipFailure } from '../../sip/engine.ts';

/**
 * Errors of the host itself for targets that it cannot reach at all; others, such as a refused connection, belong to
 * the far end or the network.
 */
const NOT_FROM_HERE =
  /\b(EAFNOSUPPORT|EADDRNOTAVAIL|ENETUNREACH|EPERM|EACCES|EINVAL|ENOBUFS|EMFILE)\b|cannot be sent to from/;

/** Group settings that provide what a far end requires by its option tag. */
const SETTINGS = { '100rel': 'signalling.reliableProvisional', timer: 'signalling.sessionTimer' } as const;

/** The failure in words and, if a setting would solve it, its name. */
export function textOfCallFailure({ status, reason }: SipFailure): string {
  const mend = Object.entries(SETTINGS).find(([tag]) => status === 421 && new RegExp(`\\b${tag}\\b`, 'i').test(reason));
  return mend === undefined ? reason : `${reason}: say ${mend[1]}`;
}

/** `gaveUp`: why we hung up, if CANCELLED is our own doing; `rang`: a provisional response of 180 or above was received. */
export function causeOfCallFailure(failure: SipFailure, gaveUp: Cause, rang = false): Cause {
  switch (failure.kind) {
    case 'STATUS':
      return failure.status === null ? 'PROTOCOL_ERROR' : causeOfInviteResponse(failure.status, rang);
    case 'TIMEOUT':
      return 'CALL_TIMEOUT';
    case 'TRANSPORT':
      return NOT_FROM_HERE.test(failure.reason) ? 'NOT_SENT' : 'TRANSPORT_ERROR';
    case 'PROTOCOL':
      return 'PROTOCOL_ERROR';
    case 'CANCELLED':
      return gaveUp;
    case 'POLICY':
      return 'TARGET_NOT_ALLOWED';
    case 'NUMBER':
      return 'NUMBER_NOT_ALLOWED';
    case 'DNS':
      return 'DNS_FAILED';
  }
}

export function causeOfRegistrationFailure(failure: SipFailure): Cause {
  switch (failure.kind) {
    case 'STATUS':
      return failure.status === null ? 'REGISTRATION_ERROR' : causeOfRegisterResponse(failure.status);
    case 'TIMEOUT':
      return 'REGISTRATION_TIMEOUT';
    case 'POLICY':
      return 'TARGET_NOT_ALLOWED';
    case 'NUMBER':
      return 'NUMBER_NOT_ALLOWED';
    case 'DNS':
      return 'DNS_FAILED';
    case 'TRANSPORT':
      return NOT_FROM_HERE.test(failure.reason) ? 'REGISTRATION_NOT_SENT' : 'REGISTRATION_UNREACHABLE';
    case 'PROTOCOL':
    case 'CANCELLED':
      return 'REGISTRATION_ERROR';
  }
}

/** The cause for an OPTIONS without an answer. */
export function causeOfPingFailure({ kind, reason }: SipFailure): Cause {
  switch (kind) {
    case 'TIMEOUT':
      return 'OPTIONS_TIMEOUT';
    case 'POLICY':
      return 'TARGET_NOT_ALLOWED';
    case 'NUMBER':
      return 'NUMBER_NOT_ALLOWED';
    case 'DNS':
      return 'DNS_FAILED';
    case 'TRANSPORT':
      return NOT_FROM_HERE.test(reason) ? 'NOT_SENT' : 'TRANSPORT_ERROR';
    case 'STATUS':
    case 'PROTOCOL':
    case 'CANCELLED':
      return 'PROTOCOL_ERROR';
  }
}
