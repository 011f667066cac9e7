/**
 * Receiver state of a stream, as columns. A row follows one stream (one socket, one negotiated payload type) from start
 * to end. If the sender changes its SSRC or restarts, a new block of sequence numbers starts and the sums continue.
 */
import { forgetAnchor } from './absence.ts';
import { ABSENCE_COLUMNS } from './absence-columns.ts';
import { ADAPTIVE_COLUMNS } from './adaptive-playout.ts';
import { type Columns, clearRow } from './columns.ts';
import { VARIATION_COLUMNS } from './delay-variation.ts';
import { CLUSTER_COLUMNS } from './missing-clusters.ts';

/** Sequence numbers remembered below the highest: 20 s of 50 packets a second. */
export const WINDOW = 1024;
export const WINDOW_WORDS = WINDOW / 32;

export const RECEIVE_COLUMNS = {
  /** Odd while the row is being written: readers get figures that belong together, see `readConsistently`. */
  version: 'u32',

  // The negotiated parameters.
  payloadType: 'u8', // the first choice
  payloadTypes: ['u32', 4], // bit set: a negotiated type of audio
  formerPayloadTypes: ['u32', 4], // those before the last change of the session
  formerFromMs: 'f64', // when the first of these arrived after it; 0: none has
  unitsPerMs: 'f64', // RTP clock / 1000
  frameTimed: 'u8', // 1: video, where the packets of a frame share a timestamp; 2: and the first packet of a frame has arrived
  frameNext: 'u32', // the sequence number after the last marker, plus 1; 0: none yet
  eventPayloadType: 'u8', // RFC 4733; NO_PAYLOAD_TYPE: none
  comfortNoisePayloadType: 'u8', // RFC 3389

  // The present source.
  known: 'u8',
  ssrc: 'u32',
  extMax: 'f64', // highest extended sequence number: cycles * 65536 + sequence number
  extBase: 'f64',
  badSequence: 'u32', // RFC 3550, A.1: the next number of a restarted source; 65537: none
  candidateSsrc: 'u32',
  candidateSequence: 'u32',
  candidateSeen: 'u8',
  heldOctets: 'u32', // octets of the packet that waits to be confirmed
  received: ['u32', WINDOW_WORDS], // bit set: the sequence number has arrived
  played: ['u32', WINDOW_WORDS * 2], // bit set: it arrived in time for the fixed buffer; in the next word: for the adaptive one

  // Sums over all sources of the row.
  packets: 'u32', // packets of the source, including duplicates and events between its audio
  octets: 'f64', // payload of the negotiated types
  unique: 'u32',
  duplicates: 'u32',
  reordered: 'u32',
  reorderExtentMax: 'u32', // RFC 4737, 4.2.1: distance below the highest number
  lateDiscarded: 'u32',
  expectedBefore: 'f64', // expected from earlier sources
  packetsBefore: 'u32',
  ssrcChanges: 'u32',
  restarts: 'u32',

  // Packets that do not belong to the stream.
  strays: 'u32', // sequence number outside every range
  otherSources: 'u32', // an SSRC that did not become the source
  unexpectedPayloadTypes: 'u32', // from the source or not; the two below are expected
  eventPackets: 'u32', // RFC 4733
  comfortNoisePackets: 'u32', // RFC 3389

  // Arrival (RFC 3550, A.8), in timestamp units of the RTP clock.
  firstArrivalMs: 'f64', // 0: none yet
  lastArrivalMs: 'f64',
  longestGapMs: 'f64', // between two arrivals
  extTimestamp: 'f64',
  transit: 'f64',
  jitter: 'f64',
  jitterSum: 'f64', // sum of J over packets: sum / count is what Wireshark calls mean jitter
  jitterCount: 'u32',
  jitterMax: 'f64',
  jitterIntervalMax: 'f64', // the reader sets it to 0
  variationMax: 'f64', // between one packet and the next (RFC 3393), in units
  intervalLeastTransit: 'f64', // for the drift of clocks; the reader sets it to Infinity
  transitBase: 'u32', // counts the bases that transits were measured from: never compare across
  talkspurt: 'u8', // the next packet in order starts one
  talkspurts: 'u32', // after the first
  ...VARIATION_COLUMNS,

  // Playout emulation.
  leastTransit: 'f64', // that of the present window
  leastTransitBefore: 'f64', // that of the previous window
  windowEndMs: 'f64',
  lateRun: 'u32',
  missing: 'u32', // lost or discarded, counted after their playout time
  missingRun: 'u32',
  missingRuns: 'u32', // maximal runs of consecutive missing packets
  longestMissingRun: 'u32',
  ...ADAPTIVE_COLUMNS,
  adaptiveLate: 'u32',
  adaptiveMissing: 'u32',
  adaptiveMissingRun: 'u32',
  adaptiveMissingRuns: 'u32',
  adaptiveLongestMissingRun: 'u32',
  ...CLUSTER_COLUMNS,

  // The time that is missing by the clock, without a missing number.
  ...ABSENCE_COLUMNS,

  // RTCP: the values of the last report, and the last sender report.
  expectedPrior: 'f64',
  packetsPrior: 'u32',
  lastSenderReport: 'u32', // middle 32 bits of its NTP timestamp; 0: none
  lastSenderReportAtMs: 'f64',
  lastSenderReportSsrc: 'u32',
} as const;

export type ReceiveColumns = Columns<typeof RECEIVE_COLUMNS>;

/** A value outside the range of sequence numbers: no restart waits for confirmation. */
export const NO_BAD_SEQUENCE = 65537;

/** This is no payload type of 7 bits. */
export const NO_PAYLOAD_TYPE = 255;

/**
 * Other payload types of a stream: audio of the same clock that the sender may change to, and packets that are not
 * audio, which use sequence numbers, but do not count for jitter and concealment.
 */
export type OtherPayloadTypes = {
  readonly audio?: readonly number[];
  readonly events?: number | null;
  readonly comfortNoise?: number | null;
};

/**
 * Prepares a row for a new stream. `clockRateHz` is rtpmap's clock rate, which for G.722 differs from the sampling
 * rate.
 */
export function beginReceiving(
  c: ReceiveColumns,
  row: number,
  payloadType: number,
  clockRateHz: number,
  others: OtherPayloadTypes = {},
): void {
  clearRow(RECEIVE_COLUMNS, c, row);
  expectPayloadTypes(c, row, payloadType, others);
  c.unitsPerMs[row] = clockRateHz / 1000;
  c.intervalLeastTransit[row] = Number.POSITIVE_INFINITY;
  c.quietFromMs[row] = Number.POSITIVE_INFINITY;
  c.badSequence[row] = NO_BAD_SEQUENCE;
}

/** Replaces the audio payload types of the stream. */
export function expectPayloadTypes(
  c: ReceiveColumns,
  row: number,
  payloadType: number,
  others: OtherPayloadTypes,
): void {
  for (let i = row * 4; i < row * 4 + 4; i++) c.formerPayloadTypes[i] = c.payloadTypes[i]!;
  c.formerFromMs[row] = 0;
  c.payloadType[row] = payloadType;
  c.eventPayloadType[row] = others.events ?? NO_PAYLOAD_TYPE;
  c.comfortNoisePayloadType[row] = others.comfortNoise ?? NO_PAYLOAD_TYPE;
  c.payloadTypes.fill(0, row * 4, row * 4 + 4);
  for (const one of [payloadType, ...(others.audio ?? [])]) c.payloadTypes[row * 4 + (one >>> 5)]! |= 1 << (one & 31);
}

/**
 * How long a previously negotiated codec is still accepted, from its first packet that arrives after the change (RFC
 * 3264, 8.3.2).
 */
const FORMER_MS = 1000;

/** Whether a packet of another payload type was on its way when the session changed. */
export function isFormer(c: ReceiveColumns, row: number, payloadType: number, arrivalMs: number): boolean {
  if ((c.formerPayloadTypes[row * 4 + (payloadType >>> 5)]! & (1 << (payloadType & 31))) === 0) return false;
  if (c.formerFromMs[row] === 0) c.formerFromMs[row] = arrivalMs;
  return arrivalMs - c.formerFromMs[row]! < FORMER_MS;
}

/** The clock rate changes here: values in units of the old clock are converted. */
export function changeClock(c: ReceiveColumns, row: number, clockRateHz: number): void {
  const unitsPerMs = clockRateHz / 1000;
  const ratio = unitsPerMs / c.unitsPerMs[row]!;
  if (ratio === 1) return;
  Atomics.add(c.version, row, 1);
  c.unitsPerMs[row] = unitsPerMs;
  c.packetUnits[row] = 0;
  forgetAnchor(c, row);
  for (const column of [c.jitter, c.jitterSum, c.jitterMax, c.jitterIntervalMax, c.variationMax]) column[row]! *= ratio;
  // Transits of the old clock cannot be used for drift in the new one.
  c.intervalLeastTransit[row] = Number.POSITIVE_INFINITY;
  Atomics.add(c.version, row, 1);
}

/** True if packets of this payload type are audio of the stream. */
export const isExpected = (c: ReceiveColumns, row: number, payloadType: number): boolean =>
  (c.payloadTypes[row * 4 + (payloadType >>> 5)]! & (1 << (payloadType & 31))) !== 0;

/** RFC 3551, 6: the static type needs no negotiation. */
export const COMFORT_NOISE = 13;

/** True if packets of this payload type are comfort noise (RFC 3389): the negotiated or the static type; not in video. */
export const isComfortNoise = (c: ReceiveColumns, row: number, payloadType: number): boolean =>
  c.comfortNoisePayloadType[row] !== NO_PAYLOAD_TYPE &&
  (payloadType === c.comfortNoisePayloadType[row] || payloadType === COMFORT_NOISE);

/** Packets that the present source has sent by its sequence numbers, except the head before the first arrival. */
export const expectedOfSource = (c: ReceiveColumns, row: number): number =>
  c.known[row] === 0 ? 0 : c.extMax[row]! - c.extBase[row]! + 1;

/** Packets that all sources of the row have sent by their sequence numbers. */
export const numberedPackets = (c: ReceiveColumns, row: number): number =>
  c.expectedBefore[row]! + expectedOfSource(c, row);

/** Packets whose numbers never arrived: counted by sets, so that duplicates hide no loss. Never negative. */
export const lostPackets = (c: ReceiveColumns, row: number): number => numberedPackets(c, row) - c.unique[row]!;

/** RFC 3550, A.3: expected minus received, where duplicates and late packets count as received; may be negative. */
export const lostOfSource = (c: ReceiveColumns, row: number): number =>
  expectedOfSource(c, row) - (c.packets[row]! - c.packetsBefore[row]!);

/**
 * Runs `read` until no packet was counted in the meantime (a sequence lock; after a few tries the last reading is used,
 * and the next one corrects it). `read` must only read.
 */
export function readConsistently(c: ReceiveColumns, row: number, read: () => void): void {
  for (let attempt = 0; attempt < 8; attempt++) {
    const before = Atomics.load(c.version, row);
    if (before & 1) continue;
    read();
    if (Atomics.load(c.version, row) === before) return;
  }
  read();
}
