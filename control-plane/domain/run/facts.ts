/**
 * Reports of agents, as plain data checked by link/: columns of equal length, instants in Unix milliseconds, NaN for
 * values that were not measured.
 */
import type { CallFigures } from '@carillon/proto/figures/call-figures.ts';
import type { SampleFigure } from '@carillon/proto/figures/sample-figures.ts';
import type { StreamFigures } from '@carillon/proto/figures/stream-figures.ts';
import type { FindingKind } from '@carillon/proto/words/findings.ts';
import type { MosScale } from '../../contract/run/measured-words.ts';
import type { StreamDetails } from '../../contract/run/stream-details.ts';
import type { SipTransport } from '../../contract/run/words.ts';

/** The outcome of one endpoint: its figures, and their keys. */
export type ReportedOutcome = CallFigures & {
  readonly number: number;
  readonly outcome: string;
  readonly cause: string | null;
  readonly causeText: string | null;
  readonly causeStatus: number;
  readonly attempted: boolean;
  readonly callResult: string | null;
  readonly finalStatus: number;
  readonly finalReason: string | null;
  readonly rang: boolean;
  readonly calleeUri: string | null;
  /** For a callee: From of the INVITE. */
  readonly callerUri: string | null;
  readonly callId: string | null;
  readonly plannedUnixMs: number;
  /** For a callee: the number of the endpoint that called. */
  readonly peer: number | null;
  readonly tls: string | null;
  /** The refreshes of the registration; NaN: the endpoint had no registration, or they were not counted. */
  readonly refreshes: number;
  readonly refreshFailures: number;
  readonly refreshLapses: number;
  readonly refreshRecoveries: number;
  readonly endedBy: string | null;
  /** The value of a Reason header (RFC 3326) in the message that ended the call; 0: none. */
  readonly q850: number;
  readonly reasonText: string | null;
  readonly warning: string | null;
  /** 0: none. */
  readonly retryAfterSeconds: number;
  /** How long its audio was expected, and how long of that it was missing; 0: none was expected. */
  readonly awaitedMs: number;
  readonly absentMs: number;
  readonly pausedMs: number;
  /** True: the far end's reports do not say whether this endpoint's audio arrived there; also false from older agents. */
  readonly unreported: boolean;
  /** Sorted by their weight. */
  readonly findings: readonly ReportedFinding[];
  /** True: its messages, events, samples and stream details are reported; false: only figures. */
  readonly kept: boolean;
};

/** Columns: ended registrations of endpoints with several calls. */
export type RegistrationEndFacts = {
  readonly endpoint: readonly number[];
  readonly refreshes: readonly number[];
  readonly refreshFailures: readonly number[];
  readonly refreshLapses: readonly number[];
  readonly refreshRecoveries: readonly number[];
};

/** Findings of a call: values of proto/words/findings.ts. An unknown kind from a newer agent is dropped. */
export type ReportedFinding = {
  readonly kind: FindingKind;
  /** Null: the finding is about the whole call. */
  readonly stream: number | null;
  /** NaN: the finding has no instant. */
  readonly atUnixMs: number;
  readonly lastedMs: number;
  readonly count: number;
  readonly of: number;
  readonly detail: string;
  readonly tolerated: boolean;
};

export type PhaseFacts = {
  readonly endpoint: readonly number[];
  /** Index into contract PHASES. */
  readonly phase: readonly number[];
  readonly unixMs: readonly number[];
};

export type SipCountFacts = {
  readonly sent: readonly boolean[];
  readonly method: readonly string[];
  readonly status: readonly number[];
  readonly reason: readonly string[];
  readonly count: readonly number[];
  readonly retransmissions: readonly number[];
};

/**
 * The limit of the unpacked text of one chunk of messages. An agent's chunk has a few messages, or 64 KiB of them;
 * larger ones are invalid.
 */
export const MAX_CHUNK_BYTES = 1024 * 1024;

/** Messages of one or more endpoints, at least one; `text` is their concatenation (zstd). */
export type MessageChunkFact = {
  readonly text: Uint8Array;
  readonly endpoint: readonly number[];
  /** The number within the endpoint: 0, 1, 2 … */
  readonly number: readonly number[];
  readonly unixMs: readonly number[];
  readonly sent: readonly boolean[];
  readonly length: readonly number[];
  readonly method: readonly string[];
  readonly status: readonly number[];
  readonly retransmission: readonly boolean[];
  readonly peer: readonly string[];
  readonly callId: readonly string[];
  /** The address that the agent listens on; null: not reported. */
  readonly localAddress: string | null;
  readonly transport: readonly (SipTransport | null)[];
  /** 0: unknown. */
  readonly localPort: readonly number[];
};

/** Headers of RTP packets between one port and one peer; `header` is their concatenation. */
export type RtpHeaderFact = {
  readonly endpoint: number;
  readonly stream: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly peer: string;
  readonly header: Uint8Array;
  readonly headerBytes: readonly number[];
  readonly packetBytes: readonly number[];
  readonly sent: readonly boolean[];
  readonly unixMs: readonly number[];
};

type Numbers = ArrayLike<number>;

/** Each is a word of a closed set, or null: not rated. */
type Scales = ArrayLike<MosScale | null>;

/** Columns: one row is one interval of one stream. */
export type SampleFacts = { readonly [K in SampleFigure]: Numbers } & {
  readonly endpoint: Numbers;
  readonly stream: Numbers;
  readonly unixMs: Numbers;
  readonly scale: Scales;
};

/** One stream as a whole: its figures, and their keys. */
export type StreamFact = StreamFigures & {
  readonly endpoint: number;
  readonly stream: number;
  readonly codec: string;
  readonly remote: string;
  readonly feedback: boolean;
  /** The scale of mos and rFactor. */
  readonly scale: MosScale | null;
  /** Null: the agent did not report them. */
  readonly details: StreamDetails | null;
  /** Only the details that the run's figures need. */
  readonly figuresOnly: boolean;
};

/** Sparse histograms as [bucket, count, bucket, count …]. */
export type StartNoiseFact = {
  /** The time up to which the agent counted; null: not reported. */
  readonly unixMs: number | null;
  readonly inviteLate: readonly number[];
  readonly actionLate: readonly number[];
  readonly planned: number;
  readonly started: number;
  readonly notStarted: number;
  /** The calls that the breaker held back. */
  readonly heldBack: number;
  readonly noFreeEndpoint: number;
};

/** The actions of scenarios, done or failed. */
export type ActionFacts = {
  readonly endpoint: readonly number[];
  readonly failed: readonly boolean[];
  readonly detail: readonly string[];
  readonly unixMs: readonly number[];
};

/** The breaker opened. `untilUnixMs` 0: permanently. */
export type BreachFact = { readonly unixMs: number; readonly untilUnixMs: number; readonly reason: string };

/** INVITEs that no callee accepted, up to the last of them. */
export type StrangerFact = { readonly unixMs: number; readonly count: number; readonly detail: string };

/** Columns: results of calls, by Unix second. */
export type CallTallyFacts = {
  readonly second: readonly number[];
  readonly calls: readonly number[];
  readonly failures: readonly number[];
  readonly blocked: readonly number[];
};

export type NoiseFact = {
  readonly unixMs: number;
  readonly seconds: number;
  readonly pacingError: readonly number[];
  readonly slotsPlanned: number;
  readonly slotsSkipped: number;
  readonly loopDelay: readonly number[];
  readonly threadCpu: number;
  readonly steal: number;
  readonly receiveDrops: number;
  readonly received: number;
  readonly clockSteps: number;
  readonly stamps: string;
  /** The seconds of the interval in the first minute of the agent's process. */
  readonly coldSeconds: number;
};

export type AllocationFacts = {
  readonly allocationId: string;
  readonly phases: PhaseFacts | null;
  /** The progress of calls whose detail is not kept, as far as it is known: it makes no events. */
  readonly progress: PhaseFacts | null;
  readonly outcomes: readonly ReportedOutcome[];
  readonly registrationEnds: RegistrationEndFacts | null;
  readonly sipCounts: SipCountFacts | null;
  readonly messages: readonly MessageChunkFact[];
  readonly rtpHeaders: readonly RtpHeaderFact[];
  readonly samples: SampleFacts | null;
  /**
   * `summedSamples`: of calls whose detail is not kept, as far as known; these are only added up. `storedSamples`: of
   * calls that are kept after all; these are only stored.
   */
  readonly summedSamples: SampleFacts | null;
  readonly storedSamples: SampleFacts | null;
  readonly streams: readonly StreamFact[];
  readonly startNoise: StartNoiseFact | null;
  readonly actions: ActionFacts | null;
  readonly breaches: readonly BreachFact[];
  readonly strangers: readonly StrangerFact[];
  readonly tally: CallTallyFacts | null;
  readonly state: 'READY' | 'REFUSED' | 'DONE' | null;
  /** For REFUSED: the agent's reason, '' if none. */
  readonly reasonCode: string;
  readonly reason: string;
};

export type Facts = { readonly allocations: readonly AllocationFacts[]; readonly noise: readonly NoiseFact[] };
