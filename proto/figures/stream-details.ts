/**
 * Details of one stream that are shown beyond its counts, each declared once. The name is that of the wire's field (facts.proto,
 * `StreamDetails`) and of JSON. They are stored as they are answered, and not added up.
 */
import type { FigurePlace } from './stream-figures.ts';

/**
 * `figure`: a float, null if not measured; `share`: the same, from 0 to 1; `count`: a number of events; `reported`: the
 * same, null from agents that do not count it; `time`: milliseconds, always present.
 */
export type DetailKind = 'figure' | 'share' | 'count' | 'reported' | 'time';
export type DetailField<K extends DetailKind = DetailKind> = { readonly kind: K; readonly says?: string | undefined };
export type DetailFields = Readonly<Record<string, DetailField>>;

const field =
  <K extends DetailKind>(kind: K) =>
  (says?: string): DetailField<K> => ({ kind, says });
const figure = field('figure');
const share = field('share');
const count = field('count');
const reported = field('reported');
const time = field('time');

const at = <P extends FigurePlace, K extends DetailKind>(place: P, { kind, says }: DetailField<K>) => ({
  place,
  kind,
  says,
});

/** Each detail is one value. */
const STREAM_DETAILS = {
  clockDriftPpm: at('stream', figure('how much faster than ours the sender’s clock is')),
  unreachable: at('stream', reported('ICMP errors for what was sent')),
  remoteLossFraction: at('send', share('of the last report')),
  mosLq: at('receive', figure('listening quality: delay is not included')),
  longestGapMs: at('receive', figure('between two arrivals of one session')),
  restarts: at('receive', reported()),
  reorderExtentMax: at('receive', reported('largest reordering extent, in sequence numbers (RFC 4737)')),
  unexpectedPayloadTypes: at('receive', reported()),
  receiveDrops: at('receive', reported('by the kernel of the agent')),
  talkspurts: at('receive', reported()),
  comfortNoisePackets: at('receive', reported()),
  eventPackets: at('receive', reported()),
} as const;

type Table = typeof STREAM_DETAILS;
export type StreamDetailName = keyof Table;
export type DetailsAt<P extends FigurePlace> = {
  [K in StreamDetailName as Table[K]['place'] extends P ? K : never]: DetailField<Table[K]['kind']>;
};
const ROWS: readonly (readonly [string, DetailField & { readonly place: FigurePlace }])[] =
  Object.entries(STREAM_DETAILS);
export const detailsAt = <P extends FigurePlace>(place: P): DetailsAt<P> =>
  Object.fromEntries(ROWS.filter(([, row]) => row.place === place)) as DetailFields as DetailsAt<P>;
export const STREAM_DETAIL_NAMES = Object.keys(STREAM_DETAILS) as StreamDetailName[];

/** Groups of fields. Each is a message of its own on the wire, and null if the group was not measured. */
export const DETAIL_GROUPS = {
  /** RFC 5481, RFC 3393. */
  delayVariation: { p50Ms: figure(), p95Ms: figure(), p99Ms: figure(), maxMs: figure() },
  /** RFC 3611, 4.7.2. */
  bursts: { bursts: count(), burstDensity: share(), gapDensity: share(), burstMs: figure(), gapMs: figure() },
  playout: {
    discarded: count('came too late for this buffer'),
    plcEvents: count(),
    plcMs: figure(),
    plcMaxMs: figure(),
    bufferMs: figure('mean length'),
    mos: figure(),
  },
  /** RFC 3611, 4.7. */
  remoteXr: {
    lossFraction: share(),
    discardFraction: share(),
    burstDensity: share(),
    gapDensity: share(),
    burstMs: figure(),
    gapMs: figure(),
    endSystemMs: figure(),
    rFactor: figure(),
    mosLq: figure(),
    mosCq: figure(),
  },
  sound: { frames: count(), levelDbov: figure(), silentShare: share(), clippedShare: share() },
  /** Expected media that did not arrive. The beginning of the longest gap is a separate field. */
  absence: {
    awaitedMs: time('for how long the far end was asked to send'),
    absentMs: time('of that, audio was due and none came; lost packets included'),
    pausedMs: time('of that, the far end sent nothing, as the packet after it proves'),
    sparseMs: time('of absentMs, packets held less audio than the time to the next'),
    headMs: time('before the first packet'),
    gaps: count('between two packets'),
    longestGapMs: figure(),
    tailMs: time('from the last packet to the end of the call'),
    pauses: count('of a second and more'),
    longestPauseMs: figure(),
  },
  /** The figures of encryption. Separate fields state which keys are in use, or why there are none. */
  security: {
    handshakeMs: figure(),
    authFailed: count(),
    replayed: count('the network’s duplicates included'),
    early: count('before there were keys'),
  },
  /** The figures of ICE. Separate fields have its state and the pair that was chosen. */
  ice: { connectMs: figure('from its start to the first pair of candidates that worked') },
  video: {
    framesSent: count(),
    keyframesSent: count(),
    packetsResent: count(),
    framesReceived: count(),
    keyframesReceived: count(),
    framesLost: count(),
    framesDropped: count('whole, but built on a frame that was lost'),
    framesPerSecond: figure(),
    freezes: count(),
    freezeMs: figure(),
    recoveredPackets: count(),
    nacksSent: count(),
    nacksReceived: count(),
    plisSent: count(),
    plisReceived: count(),
    firsSent: count(),
    firsReceived: count(),
  },
  injected: {
    offered: count(),
    disturbed: count('later than the host explains'),
    passed: count(),
    lost: count(),
    lossRuns: count(),
    duplicated: count(),
    reordered: count(),
    late: count(),
    overflowed: count(),
    jitterBeforeMs: figure(),
    jitterAfterMs: figure(),
  },
} as const satisfies Readonly<Record<string, DetailFields>>;

/** The values of such fields. */
export type DetailValues<F extends DetailFields> = {
  [K in keyof F]: F[K]['kind'] extends 'count' | 'time' ? number : number | null;
};
