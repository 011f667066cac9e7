/**
 * The enumerations of endpoints and calls, and of why runs fail; the limits of labels. The dashboard reads them too, so nothing
 * here needs zod.
 */

/**
 * The order of PHASES is that of the lifecycle: the database keeps the index. SIP_TRANSPORTS are the transports of SIP messages.
 */
export { PHASES, type Phase, SIP_TRANSPORTS, type SipTransport } from '@carillon/proto/words/word-lists.ts';

/** Why a run is FAILED or CANNOT_RUN_FOR_NOW (docs/decisions.md, Runs that end without a result). */
export const RUN_ERROR_CODES = [
  'NO_ONLINE_WORKER',
  'INSUFFICIENT_CAPACITY',
  'WORKER_REFUSED',
  'PLAN_ENDPOINT_LIMIT',
  'PLAN_RUN_LIMIT',
  'CREDITS_EXHAUSTED',
  'SUBSCRIPTION_INACTIVE',
  'REGISTRAR_MISSING',
  'SIP_ACCOUNTS_MISSING',
  'SECRET_UNREADABLE',
  'MEDIA_MISSING',
  'TARGET_NOT_ALLOWED',
  'ALL_WORKERS_LOST',
  'EXECUTION_TIME_EXCEEDED',
  'ABORTED',
  'INTERNAL',
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

export const INSTANCE_STATUSES = ['ALLOCATED', 'READY', 'RUNNING', 'DONE', 'REFUSED', 'LOST', 'RELEASED'] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];

/**
 * STATUS, BREAKER, WORKER (lost, or returned) and STRANGER (an INVITE of an unknown peer was refused) concern the run; PHASE, and
 * actions of the scenario, done or failed, concern an endpoint.
 */
export const EVENT_KINDS = [
  'STATUS',
  'PHASE',
  'ACTION',
  'ACTION_FAILED',
  'BREAKER',
  'WORKER',
  'LOAD',
  'STRANGER',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const OUTCOMES = ['SUCCESS', 'REGISTRATION_FAILED', 'NEGOTIATION_FAILED', 'CALL_FAILED'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const FAILED_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== 'SUCCESS');

export const CALL_RESULTS = ['SUCCESS', 'TIMEOUT', 'REJECTED', 'ERROR', 'IN_PROGRESS'] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/** SIGNALLED: the callee's INVITE named the call. DEDUCED: parties and times allow only this pair. */
export const PAIRINGS = ['SIGNALLED', 'DEDUCED'] as const;
export type Pairing = (typeof PAIRINGS)[number];

/** SSRC: packets of one end reached the other. LENGTH: of several possible calls, only one had the same duration. */
export const PAIR_GROUNDS = ['SSRC', 'CALLED_NUMBER', 'CALLER_NUMBER', 'TIME', 'LENGTH'] as const;
export type PairGround = (typeof PAIR_GROUNDS)[number];

/** A run has this many labels at most. */
export const MAX_LABELS = 20;
/** What a filter of runs may name: a label, or a label and its value. */
export const LABEL_FILTER = /^[A-Za-z][A-Za-z0-9_./-]{0,62}(=.{1,200})?$/u;
