/**
 * A signalling thread's reports to the main thread about one share, as increments. Instants are on the agent's clock;
 * NaN: not measured.
 */
import type { SparseHistogram } from '@carillon/media/quality/histogram.ts';
import type { Cause, FindingKind } from '@carillon/proto';
import type { CallFigures } from '@carillon/proto/figures/call-figures.ts';
import type { SipCount } from '../../capture/endpoint-traffic.ts';
import type { MessageBlock } from '../../capture/message-block.ts';
import type { Explanation } from '../../sip/engine.ts';
import type { Breach, CallTally } from '../limits/breaker.ts';

/** The outcome of one endpoint: its figures (proto/figures/call-figures.ts), and their keys. */
export type OutcomeFact = CallFigures & {
  readonly endpoint: number;
  readonly outcome: 'SUCCESS' | 'REGISTRATION_FAILED' | 'NEGOTIATION_FAILED' | 'CALL_FAILED';
  readonly cause: Cause | null;
  readonly causeText: string;
  readonly sipStatus: number;
  readonly attempted: boolean;
  readonly callResult: 'SUCCESS' | 'TIMEOUT' | 'REJECTED' | 'ERROR' | null;
  readonly finalStatus: number;
  readonly finalReason: string;
  readonly rang: boolean;
  readonly calleeUri: string;
  /** For a callee: the From of the INVITE; '': it was not called. */
  readonly callerUri: string;
  readonly callId: string;
  /** For a callee: the calling endpoint of the run, if its INVITE names one. */
  readonly peer: number | null;
  /** The TLS version and cipher; '': no TLS. */
  readonly tls: string;
  /** The refreshes of its registration; null: it had no registration. */
  readonly refreshes: RefreshCounts | null;
  readonly plannedAtMs: number;
  readonly endedBy: 'LOCAL' | 'REMOTE' | '';
  /** The far end's explanation why it refused, cancelled or ended the call; null: none. */
  readonly explanation: Explanation | null;
  /** The evidence for findings; null: the call was never established. */
  readonly evidence: CallEvidence | null;
  /** The findings, once the records of its streams have been read (settle-call.ts), in the order of their weight. */
  readonly findings: readonly FindingFact[];
  /** The time in which audio was expected, the part of it in which none arrived, and the part in which the far end sent none. */
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
  /** The far end's reports do not say whether our audio arrived. */
  readonly unreported: boolean;
};

/** The evidence for findings (outcome/call-findings.ts), except the streams of the call; null: the call was never established. */
export type CallEvidence = {
  /** The time from the agreement of both ends on media to the end of the media. */
  readonly talkMs: number;
  readonly endedBy: 'LOCAL' | 'REMOTE' | '';
  /** Why our BYE was not answered; '': it was answered, or the peer sent the BYE. */
  readonly unansweredBye: string;
  /** Final response to our BYE; 0: none. */
  readonly byeStatus: number;
  /** Cause in the far end's BYE (RFC 3326); null: none. */
  readonly q850: number | null;
  /** We referred the far end to another target (RFC 3515). */
  readonly hasReferred: boolean;
  /** Result of a failed attended transfer; null: none failed. */
  readonly transfer: { readonly failure: TransferFailure; readonly detail: string } | null;
  /** Retransmissions, sent and received. */
  readonly sentAgain: number;
  readonly cameAgain: number;
  /** The status of a 2xx to INVITE without an ACK: ours, or the peer's if negative; 0: none. */
  readonly unacknowledged: number;
  /** The address to which signalling was sent; '': it was sent nowhere. */
  readonly peerAddress: string;
  /** The number of streams that were started: as many records will follow. */
  readonly streams: number;
};

export type TransferFailure = Extract<
  FindingKind,
  'CONSULTATION_FAILED' | 'TRANSFER_REFUSED' | 'TRANSFER_FAILED' | 'TRANSFER_UNTOLD'
>;

/** An endpoint that has closed: its outcome, and the instant. */
export type Closed = { readonly owner: number; readonly outcome: OutcomeFact; readonly closedAtMs: number };

/** Findings of a call: values of proto/words/findings.ts. */
export type FindingFact = {
  readonly kind: FindingKind;
  /** The number of the endpoint's stream; null: the finding is about the whole call. */
  readonly stream: number | null;
  /** When it started, on the agent's clock; NaN: it has no instant. */
  readonly atMs: number;
  readonly lastedMs: number;
  readonly count: number;
  readonly of: number;
  readonly detail: string;
  /** Whether the group tolerates it. */
  readonly tolerated: boolean;
};

/**
 * The numbers of granted refreshes, of failed attempts, of bindings that expired without a refresh, and of refreshes
 * granted after a failure.
 */
export type RefreshCounts = {
  readonly granted: number;
  readonly failed: number;
  readonly lapsed: number;
  readonly recovered: number;
};

/** The registration of an endpoint that has call after call is over. */
export type RegistrationEnd = { readonly endpoint: number; readonly refreshes: RefreshCounts };

export type StartNoise = {
  /** The end of the interval of these counts, which starts at the end of the previous one. */
  readonly atMs: number;
  readonly inviteLateMs: SparseHistogram;
  readonly actionLateMs: SparseHistogram;
  readonly planned: number;
  readonly started: number;
  readonly notStarted: number;
  readonly heldBack: number;
  readonly noFreeEndpoint: number;
};

/** Columns in chronological order. */
export type PhaseChanges = { readonly endpoint: number[]; readonly phase: number[]; readonly atMs: number[] };
/** Columns: actions that endpoints have performed, or have failed to perform. */
export type ActionsDone = {
  readonly endpoint: number[];
  readonly failed: boolean[];
  readonly detail: string[];
  readonly atMs: number[];
};

/** INVITEs that no callee accepted: the number since the last report, and the last one. */
export type StrangerCalls = { readonly atMs: number; readonly count: number; readonly detail: string };

export type ReportedState = 'READY' | 'REFUSED' | 'DONE';

export type ShareFacts = {
  readonly owner: number;
  readonly phases: PhaseChanges;
  /** Phases of calls for which it is not known yet whether their detail is kept (keeping.ts). */
  readonly progress: PhaseChanges;
  readonly outcomes: OutcomeFact[];
  readonly registrations: RegistrationEnd[];
  readonly sipCounts: SipCount[];
  readonly messages: MessageBlock[];
  readonly withheldMessages: MessageBlock[];
  readonly actions: ActionsDone;
  readonly withheldActions: ActionsDone;
  readonly breaches: Breach[];
  readonly strangers: StrangerCalls[];
  readonly tally: CallTally | null;
  readonly startNoise: StartNoise | null;
  readonly state: ReportedState | null;
  readonly reasonCode: string;
  readonly reason: string;
};
