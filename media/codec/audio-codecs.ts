/** The audio codecs: one row each. Lists of codecs follow its order; formats, estimates and ratings use its values. */
import { type CodecImpairment, G711, G722, L16, OPUS } from './impairments.ts';

export type AudioCodecRow = {
  readonly title: string;
  /** The static payload type (RFC 3551, table 4), or the usual dynamic one. */
  readonly payloadType: number;
  /** The clock rate of rtpmap: 8000 for G722 (RFC 3551, 4.5.2), always 48000 for Opus (RFC 7587, 4.1). */
  readonly clockRateHz: number;
  /** The rate of the codec's input and output. */
  readonly samplingRateHz: number;
  /** The channels of rtpmap: always two for Opus (RFC 7587, 7). */
  readonly channels: number;
  /** The fmtp parameters of an offer and an answer. */
  readonly parameters: string;
  /** Null: packets state their own duration (RFC 6716, 3.1). */
  readonly octetsPerMs: number | null;
  /** The payload of a packet of 20 ms as we send it; the mean if it varies. */
  readonly payloadBytes: number;
  readonly impairment: CodecImpairment;
};

const G711_ROW = {
  clockRateHz: 8000,
  samplingRateHz: 8000,
  channels: 1,
  parameters: '',
  octetsPerMs: 8,
  payloadBytes: 160,
  impairment: G711,
} as const;

const ROWS = {
  PCMU: { ...G711_ROW, title: 'PCMU (G.711 µ-law)', payloadType: 0 },
  PCMA: { ...G711_ROW, title: 'PCMA (G.711 A-law)', payloadType: 8 },
  G722: {
    title: 'G.722, wideband',
    payloadType: 9,
    clockRateHz: 8000,
    samplingRateHz: 16_000,
    channels: 1,
    parameters: '',
    octetsPerMs: 8,
    payloadBytes: 160,
    impairment: G722,
  },
  OPUS: {
    title: 'Opus, fullband',
    payloadType: 111,
    clockRateHz: 48_000,
    samplingRateHz: 48_000,
    channels: 2,
    parameters: 'minptime=10;useinbandfec=1',
    octetsPerMs: null,
    payloadBytes: 80,
    impairment: OPUS,
  },
  L16: {
    title: 'L16 at 8 kHz, uncompressed',
    payloadType: 112,
    clockRateHz: 8000,
    samplingRateHz: 8000,
    channels: 1,
    parameters: '',
    octetsPerMs: 16,
    payloadBytes: 320,
    impairment: L16,
  },
} as const satisfies Readonly<Record<string, AudioCodecRow>>;

export type AudioCodec = keyof typeof ROWS;
/** Codecs whose packets have a fixed size for each millisecond. */
export type OctetCodec = { [C in AudioCodec]: (typeof ROWS)[C]['octetsPerMs'] extends null ? never : C }[AudioCodec];

/** The codecs in the order of the table. */
export const AUDIO_CODECS = Object.keys(ROWS) as [AudioCodec, ...AudioCodec[]];

export const audioCodec = (codec: AudioCodec): AudioCodecRow => ROWS[codec];

/** Null: the name is not one of our audio codecs. */
export const audioCodecOf = (name: string): AudioCodecRow | null =>
  Object.hasOwn(ROWS, name) ? ROWS[name as AudioCodec] : null;

export const isOctetCodec = (codec: AudioCodec): codec is OctetCodec => ROWS[codec].octetsPerMs !== null;

/** Null for media that are not rated: video, and unknown codecs. */
export const impairmentOf = (codec: string): CodecImpairment | null => audioCodecOf(codec)?.impairment ?? null;

/** The octets of the longest payload that we send and analyse: 60 ms of G.711. */
const MAX_PAYLOAD_BYTES = 480;

/** The milliseconds of the longest packet that we send and ask for. Infinity: packets of any length are small enough. */
export const longestPacketMs = (name: string): number => MAX_PAYLOAD_BYTES / (audioCodecOf(name)?.octetsPerMs ?? 0);

/** The payload of 20 ms, if the codec is not known. */
const OTHER_PAYLOAD_BYTES = 160;
/** RTP, UDP, IPv4 and Ethernet around each packet. */
const HEADER_BYTES = 12 + 8 + 20 + 18;
const PACKETS_PER_SECOND = 50;

/** Bits per second that a stream of this codec takes on the network, in packets of 20 ms. */
export const streamBitsPerSecond = (name: string): number =>
  ((audioCodecOf(name)?.payloadBytes ?? OTHER_PAYLOAD_BYTES) + HEADER_BYTES) * 8 * PACKETS_PER_SECOND;
