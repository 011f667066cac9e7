/**
 * The shared memory of one media thread: one row per stream, the thread's own noise, and the doorbell. The media thread
 * writes; client threads and the sampler read. Two words have other writers: `doorbell`, and a row's `state` when the
 * sampler frees it.
 */

import { AUDIO_CODECS } from '@carillon/media/codec/audio-codecs.ts';
import { DIGIT_COLUMNS, type DigitColumns } from '@carillon/media/dtmf/receive-digits.ts';
import { INJECTED_COLUMNS, type InjectedColumns } from '@carillon/media/impairment/injected.ts';
import { createHistogram, HISTOGRAM_BYTES, type Histogram } from '@carillon/media/quality/histogram.ts';
import { HEARING_COLUMNS } from '@carillon/media/rtcp/hearing.ts';
import { type Columns, columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { RECEIVE_COLUMNS, type ReceiveColumns } from '@carillon/media/rtp/receive-columns.ts';
import { ADDRESS_BYTES, addressAt, writeAddress } from './address-columns.ts';
import { mapTap, type TapColumns, tapBytes } from './audio-tap.ts';
import { type HeaderTrace, headerTraceBytes, mapHeaderTrace } from './header-trace.ts';
import { VIDEO_COLUMNS } from './video-columns.ts';

/**
 * The life of a row: FREE -> OPEN (ports bound) -> ACTIVE (started) -> CLOSED (over, figures final) -> FREE (the
 * sampler has read them). A stream that was never started goes from OPEN to FREE: it has no figures.
 */
export const FREE = 0;
export const OPEN = 1;
export const ACTIVE = 2;
export const CLOSED = 3;

/** Codecs by their number in the columns. */
export const CODECS = [...AUDIO_CODECS, 'VP8', 'H264'] as const;
/** Directions by their number in the columns. */
export const DIRECTIONS = ['BOTH', 'SEND', 'RECEIVE', 'NONE'] as const;

/** SRTP suites by their number in the columns. */
export const SRTP_SUITES = ['NONE', 'AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32', 'AEAD_AES_128_GCM'] as const;
/** How a stream is secured, or why it is not, by number. SDES and DTLS: keys are in use. */
export const SECURITY_STATES = [
  'NONE',
  'SDES',
  'HANDSHAKE',
  'DTLS',
  'DTLS_UNAVAILABLE',
  'FINGERPRINT_MISMATCH',
  'NO_SRTP_PROFILE',
  'HANDSHAKE_FAILED',
  'HANDSHAKE_TIMEOUT',
] as const;
export type SecurityState = (typeof SECURITY_STATES)[number];

/** ICE states of a stream, by number. NONE: not negotiated. */
export const ICE_STATES = ['NONE', 'CHECKING', 'CONNECTED', 'COMPLETED', 'FAILED', 'LOST'] as const;
export type IceState = Exclude<(typeof ICE_STATES)[number], 'NONE'>;

export const STREAM_COLUMNS = {
  state: 'u32',
  generation: 'u32', // counts the streams that the row has carried
  owner: 'u32',
  endpointNumber: 'u32',
  stream: 'u8', // the endpoint's stream: 0 audio, 1 video
  rtpPort: 'u32',
  codec: 'u8',
  direction: 'u8',
  sendPayloadType: 'u8',
  packetMs: 'u8',
  remotePort: 'u32',
  remoteAddress: ['u8', ADDRESS_BYTES], // text, ended by a zero
  startedAtMs: 'f64',
  closedAtMs: 'f64',

  // The sent stream.
  localSsrc: 'u32',
  ssrcCollisions: 'u32', // how often the peer used it, and we chose another
  packetsSent: 'u32',
  octetsSent: 'f64', // payload
  sendErrors: 'u32', // packets that the kernel refused
  sendsSkipped: 'u32', // packets that were too late for their slot
  unplayable: 'u8', // 1: its media were not loaded, so it sent nothing

  // Received packets that do not count as the stream.
  early: 'u32', // long before the start
  foreign: 'u32', // from another address than the negotiated one
  elsewhere: 'u32', // packets of the stream itself, while the peer's address was silent
  followed: 'u32', // how often the stream switched to the address its media came from
  malformed: 'u32',
  unreachable: 'u32', // ICMP errors
  dscp: 'u8', // of sent packets, plus 1; 0: the system's
  impaired: 'u8', // 1: by ourselves, see `injected`
  receiveDrops: 'u32', // our own queue was full

  // Encryption: method, and received packets that were not counted because of it.
  carriedBy: 'u32', // the RTP port that it uses, if that is another row's (RFC 9143); 0: its own
  security: 'u8',
  srtpSuite: 'u8',
  handshakeMs: 'f64', // 0: none has completed
  srtpAuthFailed: 'u32', // wrong key, altered, or unreadable
  srtpReplayed: 'u32', // already received, or too old to decide; includes duplicates from the network
  srtpEarly: 'u32', // arrived before the handshake had ended
  stun: 'u32',

  // ICE; types are those of media/ice/candidate.ts, plus 1; 0: no pair was valid.
  iceState: 'u8',
  iceLocalType: 'u8',
  iceRemoteType: 'u8',
  iceConnectMs: 'f64', // from its start to the first valid pair
  iceLocalPort: 'u32', // our port as the peer sees it
  iceLocalAddress: ['u8', ADDRESS_BYTES],

  // The far end's reports about our stream (RTCP), and the round trip.
  reports: 'u32', // blocks about us
  ...HEARING_COLUMNS,
  remoteFractionLost: 'u32', // 256ths, of the last report
  remoteLost: 'f64',
  remoteJitterMs: 'f64', // by the clock of our stream at the time of the report
  rttCount: 'u32',
  rttSumMs: 'f64',
  rttMaxMs: 'f64',
  rttLastMs: 'f64',
  byes: 'u32',

  // The extended reports (RFC 3611) as received, in their own units; see voip-metrics.ts.
  extendedReports: 'u8', // negotiated
  reducedSize: 'u8', // negotiated (RFC 5506)
  xrReports: 'u32',
  xrLossRate: 'u8',
  xrDiscardRate: 'u8',
  xrBurstDensity: 'u8',
  xrGapDensity: 'u8',
  xrRFactor: 'u8',
  xrMosLq10: 'u8',
  xrMosCq10: 'u8',
  xrBurstMs: 'u32',
  xrGapMs: 'u32',
  xrEndSystemMs: 'u32',

  ...VIDEO_COLUMNS,
} as const;
export type StreamMemoryColumns = Columns<typeof STREAM_COLUMNS>;

/** The thread's noise has one row. A slot is one packet's planned instant. */
const NOISE_COLUMNS = {
  slotsPlanned: 'f64',
  slotsSent: 'f64',
  slotsSkipped: 'f64',
  sendErrors: 'f64',
  received: 'f64', // datagrams of any kind
  receiveDrops: 'f64',
  srtpAuthFailed: 'f64',
  srtpReplayed: 'f64',
  clockSteps: 'f64',
  cpuMs: 'f64', // of the media thread, user and system
  cpuAtMs: 'f64',
  lookedAtMs: 'f64', // datagrams received until then are counted; 0: no turn yet
} as const;
export type NoiseColumns = Columns<typeof NOISE_COLUMNS>;

export type MediaMemory = {
  readonly buffer: SharedArrayBuffer;
  readonly capacity: number;
  /** [0] is rung after every command, [1] is 1 once the thread has ended. */
  readonly doorbell: Int32Array;
  readonly noise: NoiseColumns;
  /** The instant of sending minus the planned one, ms. */
  readonly pacingErrorMs: Histogram;
  /** Actual minus planned instant of a turn, ms, while there are streams: counted once per millisecond. */
  readonly turnDelayMs: Histogram;
  readonly streams: StreamMemoryColumns;
  readonly received: ReceiveColumns;
  /** The effects of a row's impairment. */
  readonly injected: InjectedColumns;
  readonly digits: DigitColumns;
  /** A few received payloads, on request. */
  readonly tap: TapColumns;
  /** Headers of the packets of some streams, on request. */
  readonly headers: HeaderTrace;
};

export const DOORBELL = 0;
export const ENDED = 1;
/** The word of the buffer that has the offset of its contents: the doorbell's line has space for it. */
const BEGIN = 15;

const DOORBELL_BYTES = 64;
const NOISE_BYTES = columnsBytes(NOISE_COLUMNS, 1);

/**
 * Sets the offset of the contents in an untouched buffer, up to `unit` bytes; the length is a whole number of units.
 */
export type Placement = { readonly unit: number; readonly place: (buffer: SharedArrayBuffer) => number };

export function createMediaMemory(
  capacity: number,
  { unit, place }: Placement = { unit: 64, place: () => 0 },
): MediaMemory {
  const bytes = [STREAM_COLUMNS, RECEIVE_COLUMNS, INJECTED_COLUMNS, DIGIT_COLUMNS].reduce(
    (sum, schema) => sum + columnsBytes(schema, capacity),
    DOORBELL_BYTES + NOISE_BYTES + 2 * HISTOGRAM_BYTES + tapBytes(capacity) + headerTraceBytes(capacity),
  );
  const buffer = new SharedArrayBuffer((Math.ceil(bytes / unit) + 1) * unit);
  const begin = place(buffer);
  new Int32Array(buffer)[BEGIN] = begin;
  return mapMediaMemory(buffer, capacity);
}

/** Maps the same memory in another thread. */
export function mapMediaMemory(buffer: SharedArrayBuffer, capacity: number): MediaMemory {
  const begin = new Int32Array(buffer)[BEGIN]!;
  const noiseAt = begin + DOORBELL_BYTES;
  const histogramAt = noiseAt + NOISE_BYTES;
  const streamsAt = histogramAt + 2 * HISTOGRAM_BYTES;
  const receivedAt = streamsAt + columnsBytes(STREAM_COLUMNS, capacity);
  const injectedAt = receivedAt + columnsBytes(RECEIVE_COLUMNS, capacity);
  const digitsAt = injectedAt + columnsBytes(INJECTED_COLUMNS, capacity);
  const tapAt = digitsAt + columnsBytes(DIGIT_COLUMNS, capacity);
  return {
    buffer,
    capacity,
    doorbell: new Int32Array(buffer, begin, 2),
    noise: mapColumns(NOISE_COLUMNS, 1, buffer, noiseAt),
    pacingErrorMs: createHistogram(buffer, histogramAt),
    turnDelayMs: createHistogram(buffer, histogramAt + HISTOGRAM_BYTES),
    streams: mapColumns(STREAM_COLUMNS, capacity, buffer, streamsAt),
    received: mapColumns(RECEIVE_COLUMNS, capacity, buffer, receivedAt),
    injected: mapColumns(INJECTED_COLUMNS, capacity, buffer, injectedAt),
    digits: mapColumns(DIGIT_COLUMNS, capacity, buffer, digitsAt),
    tap: mapTap(buffer, capacity, tapAt),
    headers: mapHeaderTrace(buffer, capacity, tapAt + tapBytes(capacity)),
  };
}

/** Writes the remote address of a row; text beyond the column is cut. */
export const writeRemoteAddress = (c: StreamMemoryColumns, row: number, address: string): void =>
  writeAddress(c.remoteAddress, row, address);

export const readRemoteAddress = (c: StreamMemoryColumns, row: number): string => addressAt(c.remoteAddress, row);

export const writeIceAddress = (c: StreamMemoryColumns, row: number, address: string): void =>
  writeAddress(c.iceLocalAddress, row, address);

export const readIceAddress = (c: StreamMemoryColumns, row: number): string => addressAt(c.iceLocalAddress, row);
