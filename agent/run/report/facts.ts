/**
 * A signalling thread's reports to the main thread about one share, as increments. Instants on the agent's clock; NaN:
 * not measured.
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
  /** Of a callee: From of the INVITE; '': it was not called. */
  readonly callerUri: string;
  readonly callId: string;
  /** Of a callee: the endpoint of the run that called, as far as its INVITE says. */
  readonly peer: number | null;
  /** Version and cipher; '': no TLS. */
  readonly tls: string;
  /** Of its registration; null: it had none. */
  readonly refreshes: RefreshCounts | null;
  readonly plannedAtMs: number;
  readonly endedBy: 'LOCAL' | 'REMOTE' | '';
  /** The far end's explanation why it refused, cancelled or ended the call; null: none. */
  readonly explanation: Explanation | null;
  /** What findings are drawn from; null: the call was never up. */
  readonly evidence: CallEvidence | null;
  /** Drawn when the records of its streams are there (settle-call.ts); in the order of their weight. */
  readonly findings: readonly FindingFact[];
  /** For its audio: how long it was expected; how long of that none came, and how long the far end sent none. */
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
  /** The far end's reports do not say whether our audio arrived there. */
  readonly unreported: boolean;
};

/** The evidence for findings (outcome/call-findings.ts), except the streams of the call; null: it was never up. */
export type CallEvidence = {
  /** From both ends having agreed on media to the end of the media. */
  readonly talkMs: number;
  readonly endedBy: 'LOCAL' | 'REMOTE' | '';
  /** Why our BYE was not answered; '': it was, or it was the peer's. */
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
  /** Status of a 2xx to INVITE without an ACK: ours, or the peer's if negative; 0: none. */
  readonly unacknowledged: number;
  /** Where signalling went; '' nowhere. */
  readonly peerAddress: string;
  /** Streams that were started: this many records will follow. */
  readonly streams: number;
};

export type TransferFailure = Extract<
  FindingKind,
  'CONSULTATION_FAILED' | 'TRANSFER_REFUSED' | 'TRANSFER_FAILED' | 'TRANSFER_UNTOLD'
>;

/** An endpoint that has closed: its outcome and when that was. */
export type Closed = { readonly owner: number; readonly outcome: OutcomeFact; readonly closedAtMs: number };

/** Findings of a call: values of proto/findings.ts. */
export type FindingFact = {
  readonly kind: FindingKind;
  /** Of the endpoint; null: of the whole call. */
  readonly stream: number | null;
  /** When it started, on the agent's clock; NaN: no instant. */
  readonly atMs: number;
  readonly lastedMs: number;
  readonly count: number;
  readonly of: number;
  readonly detail: string;
  /** The group tolerates it. */
  readonly tolerated: boolean;
};

/** Refreshes granted, attempts that failed, bindings that ended without one, and refreshes granted after a failure. */
export type RefreshCounts = {
  readonly granted: number;
  readonly failed: number;
  readonly lapsed: number;
  readonly recovered: number;
};

/** The registration of an endpoint that has call after call is over. */
export type RegistrationEnd = { readonly endpoint: number; readonly refreshes: RefreshCounts };

export type StartNoise = {
  /** The counts go until then, from those before them on. */
  readonly atMs: number;
  readonly inviteLateMs: SparseHistogram;
  readonly actionLateMs: SparseHistogram;
  readonly planned: number;
  readonly started: number;
  readonly notStarted: number;
  readonly heldBack: number;
  readonly noFreeEndpoint: number;
};

/** Columns, in the order in which it happened. */
export type PhaseChanges = { readonly endpoint: number[]; readonly phase: number[]; readonly atMs: number[] };
/** Columns: what endpoints did of their scenario, or failed to do. */
export type ActionsDone = {
  readonly endpoint: number[];
  readonly failed: boolean[];
  readonly detail: string[];
  readonly atMs: number[];
};

/** INVITEs that no callee took: the number since the last report, and the last one. */
export type StrangerCalls = { readonly atMs: number; readonly count: number; readonly detail: string };

export type ReportedState = 'READY' | 'REFUSED' | 'DONE';

export type ShareFacts = {
  readonly owner: number;
  readonly phases: PhaseChanges;
  /** Of calls of which it is not known yet whether their detail is kept (keeping.ts). */
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
