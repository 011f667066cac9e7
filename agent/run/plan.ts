/** One allocation as plain data, in the form that signalling threads receive. Times are in milliseconds. */
import type { Impairment } from '@carillon/media/impairment/impairment.ts';
import type { H264Stream } from '@carillon/media/sdp/h264-format.ts';
import type { FindingKind } from '@carillon/proto';
import type { CallSample } from '@carillon/proto/call-sample.ts';
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import type { LoadPart } from '@carillon/proto/load/load-part.ts';
import type { AudioCodec, StreamSource, TracedStreams, VideoCodec } from '../rtp/media-engine.ts';
import type {
  ChosenEngine,
  Credentials,
  OwnHeader,
  RegisterRetry,
  SignallingOptions,
  SipTarget,
  SipTransport,
  TlsSettings,
} from '../sip/engine.ts';
import type { PlainSettings } from './plain-settings.ts';

/** A caller whose call lasts as long as the owner allows hangs up before its callee has to. */
export const CALLER_FIRST_MS = 2000;

export type EndpointRole = 'CALLER' | 'CALLEE';

type Track = {
  readonly source: StreamSource;
  readonly direction: 'BOTH' | 'SEND' | 'RECEIVE';
  /** 0: the system's value (RFC 2474). */
  readonly dscp: number;
  /** Whether the stream is offered inactive until an action activates it. */
  readonly deferred: boolean;
};

/** One stream of each endpoint. Codecs in order of preference. */
export type TrackPlan =
  | (Track & { readonly kind: 'AUDIO'; readonly codecs: readonly AudioCodec[]; readonly packetMs: number })
  | (Track & {
      readonly kind: 'VIDEO';
      readonly codecs: readonly VideoCodec[];
      /** The format of an H.264 file, known once it is loaded; null for other sources. */
      readonly h264: H264Stream | null;
    });

/** The keys are pressed `afterMs` after the answer. */
export type DtmfPlan = {
  readonly digits: string;
  readonly onMs: number;
  readonly offMs: number;
  readonly afterMs: number;
};

/** The trigger of an action; `heard`: for DTMF, the last digits received, '' for any. */
export type TriggerPlan = {
  readonly on: 'ANSWERED' | 'HOLD' | 'RESUME' | 'INFO' | 'DTMF' | 'REFRESH';
  readonly afterMs: number;
  readonly heard: string;
};

export type StepPlan =
  | { readonly do: 'SEND_DTMF'; readonly digits: string; readonly by: 'RFC4733' | 'INFO' }
  | { readonly do: 'HOLD' | 'RESUME' | 'REINVITE' | 'UPDATE' | 'HANG_UP' }
  | { readonly do: 'ACTIVATE_TRACK'; readonly track: 'AUDIO' | 'VIDEO' }
  | { readonly do: 'REFER' | 'ATTENDED_TRANSFER'; readonly target: string };

/** Each action is done once. */
export type ActionPlan = { readonly trigger: TriggerPlan; readonly step: StepPlan };

export type AnswerPlan = {
  /** `delayMs`: the time before the first provisional response; then, `ringMs`: the time to the final response. */
  readonly delayMs: number;
  readonly ringMs: number;
  /** 183: it has our SDP, and media flow before the answer. */
  readonly provisional: 180 | 183;
  /** The final response; null: 200. */
  readonly rejectStatus: number | null;
};

/** Limits for the group's calls; a thread that has seen this many decides by itself. */
export type BreakerPlan = {
  readonly failurePercent: number;
  readonly minCalls: number;
  /** This many consecutive blocked calls, with no success before, are not a coincidence. */
  readonly blockedCalls: number;
};

/**
 * SDP without media. OFFER: one inactive audio line with these codecs; NONE: no SDP, except answers to the peer's offer.
 */
export type WithoutMediaPlan = { readonly sdp: 'OFFER' | 'NONE'; readonly codecs: readonly AudioCodec[] };

/** Candidates are the host's own addresses and, with a STUN server, those that the server sees. */
export type IcePlan = { readonly stunServer: { readonly host: string; readonly port: number } | null };

export type GroupPlan = PlainSettings & {
  readonly mode: 'CALL' | 'REGISTER' | 'OPTIONS' | 'STUN';
  /** SIPJS: over WS and WSS. */
  readonly engine: ChosenEngine;
  readonly registerExpiresSeconds: number;
  /** Null: a first REGISTER that fails is a result, and the engine repeats refreshes at its own intervals. */
  readonly registerRetry: RegisterRetry | null;
  /** The ones from whom callees take calls. */
  readonly callsFrom: 'SERVER' | 'ANYBODY';
  /** Values may have placeholders for endpoints' own values. */
  readonly headers: readonly OwnHeader[];
  readonly routeSet: readonly string[];
  /** The servers that get the requests in turn if the next hop does not answer (RFC 3263, 4.3). */
  readonly gateways: readonly SipTarget[];
  /** The transport for requests to the next hop. */
  readonly protocol: SipTransport | 'AUTO';
  readonly tls: TlsSettings | null;
  /** Audio, video, or both: one of each kind; none without calls, and in calls without media. */
  readonly tracks: readonly TrackPlan[];
  /** Null: the group has tracks, or no calls. */
  readonly withoutMedia: WithoutMediaPlan | null;
  readonly encryption: 'NONE' | 'SDES' | 'DTLS';
  /** Null: ICE is not offered or answered. */
  readonly ice: IcePlan | null;
  readonly dtmf: DtmfPlan | null;
  readonly impairment: Impairment | null;
  readonly actions: readonly ActionPlan[];
  readonly signalling: SignallingOptions;
  /** REGISTER offers an outbound flow (RFC 5626). */
  readonly outbound: boolean;
  readonly answering: AnswerPlan;
  /** Calls carry their name, which links both ends. */
  readonly correlate: boolean;
  /** Findings that do not make its calls fail. */
  readonly tolerated: readonly FindingKind[];
};

/** `credentials` null: the endpoint answers no challenge. */
export type EndpointAccount = { readonly username: string; readonly credentials: Credentials | null };

export type EndpointPlan = {
  readonly number: number;
  readonly registerAtMs: number;
  readonly callAtMs: number;
  readonly user: string;
  readonly account: EndpointAccount | null;
  /** Its own values, by the names used in its group's texts (proto/words/template.ts). */
  readonly values: Readonly<Record<string, string>>;
  readonly targetUri: string;
  /** Where requests outside dialogs go; null: to `nextHopUri`. */
  readonly nextHop: SipTarget | null;
  /** The endpoint has no proxy: `nextHop` belongs to the target, and other targets have their own. Absent: false. */
  readonly isDirect?: boolean;
  /** The next hop as a name, resolved at the call (RFC 3263); null: the route set or the Request-URI determines it. */
  readonly nextHopUri: string | null;
};

/** The plan of endpoints with more than one call. */
export type CallsPlan = {
  /** Infinity: as many as the load has, or as many as arrive. */
  readonly callsEach: number;
  /** The endpoints of the whole run: the distance between the numbers of an endpoint's calls. */
  readonly runEndpoints: number;
};

/** The numbers of rows, messages and streams have 31 bits. */
const MAX_NUMBERS = 2 ** 31;

/** Whether an endpoint may have a k-th call, from 0: its plan permits it, and its number has a place. */
export const hasCall = ({ number }: Pick<EndpointPlan, 'number'>, k: number, calls: CallsPlan): boolean =>
  k < calls.callsEach && number + k * calls.runEndpoints < MAX_NUMBERS;

/** The plan of call starts if endpoints place more than one call. */
export type LoadPlan = CallsPlan & { readonly order: LoadOrder; readonly part: LoadPart };

/**
 * The endpoint for its k-th call, from 0. Each call has its own user agent: the far end sends the last messages of a
 * call to the address that it came from.
 */
export const callPlan = (plan: EndpointPlan, k: number, { runEndpoints }: CallsPlan): EndpointPlan => ({
  ...plan,
  number: plan.number + k * runEndpoints,
  user: `${plan.user}-${k}`,
});

/** Which calls keep their detail: a sample, plus this many for each kind of failure or finding (report/keeping.ts). */
export type KeepingPlan = CallSample & { readonly ofCluster: number };

/** One signalling thread's part of an allocation. */
export type SharePlan = {
  /** Number of the allocation in the columns of the media thread and between threads. */
  readonly owner: number;
  /** 32 hex digits. */
  readonly run: string;
  readonly role: EndpointRole;
  readonly group: GroupPlan;
  readonly endpoints: readonly EndpointPlan[];
  readonly callDurationMs: number;
  readonly answerTimeoutMs: number;
  readonly receiveWindowMs: number;
  readonly hardEndMs: number;
  /**
   * The longest time before a callee hangs up if its caller does not: the owner's limit and a little more, or the
   * planned length if callers transfer their calls.
   */
  readonly longestCallMs: number;
  readonly keepMessages: boolean;
  /** Whether kept messages include their bodies. */
  readonly keepBodies: boolean;
  /** Endpoints whose RTP headers are kept; null: none. */
  readonly traced: TracedStreams | null;
  /** Null: there is no breaker. */
  readonly breaker: BreakerPlan | null;
  /** Null: each endpoint places one call, at its own instant. */
  readonly load: LoadPlan | null;
  /** Null: the detail of every call is kept. */
  readonly keeping: KeepingPlan | null;
  /** For callees; null: each takes one call. */
  readonly receives: CallsPlan | null;
};

/** Incoming TLS connections are possible: a peer that lost its connection, or a proxy, opens a new one. */
export function needsTls({ group, endpoints }: SharePlan): boolean {
  // For a name, AUTO leaves the choice to the DNS.
  if (group.protocol === 'TLS' || group.protocol === 'AUTO') return true;
  return endpoints.some(({ nextHop, targetUri }) =>
    nextHop === null ? /^sips:|;transport=tls\b/i.test(targetUri) : nextHop.transport === 'TLS',
  );
}
