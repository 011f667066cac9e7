/** What streams play: the payloads of one signal, codec and packet time, shared by every stream that plays them. */
import { joinOpusFrames } from '../codec/opus-packet.ts';
import {
  type AudioCodec,
  clockRateHz,
  type EncodedAudio,
  encodeOctets,
  OCTETS_PER_MS,
  samplingRateHz,
} from './encode.ts';
import { silence, speech, tone } from './generators.ts';

export const AUDIO_SOURCES = ['TONE', 'SPEECH', 'SILENCE'] as const;
export type AudioSource = (typeof AUDIO_SOURCES)[number];
/** Codecs that need no library. */
export const OWN_CODECS = ['PCMU', 'PCMA', 'G722'] as const;

/** Payloads one after the other, one packet each; after the last comes the first again. Opus' differ in size. */
export type PayloadFrames = {
  readonly frames: readonly Uint8Array[];
  /** What the RTP timestamp advances by from frame to frame. */
  readonly timestampStep: number;
};

const SIGNALS: Readonly<Record<AudioSource, (rateHz: number) => Int16Array>> = {
  TONE: tone,
  SPEECH: speech,
  SILENCE: silence,
};

const made = new Map<string, Int16Array>();

/** A generated signal at the rate of a codec; made once a thread and rate. */
export function signalFor(source: AudioSource, codec: AudioCodec): Int16Array {
  const rateHz = samplingRateHz(codec);
  const key = `${source} ${rateHz}`;
  const signal = made.get(key) ?? SIGNALS[source](rateHz);
  made.set(key, signal);
  return signal;
}

/** Whether packets of `packetMs` can be made of these units. */
export const fits = ({ unitMs }: EncodedAudio, packetMs: number): boolean => packetMs % unitMs === 0;

/**
 * Packets of `packetMs`, which `fits`, from encoded units. What does not fill a packet at the end is left out; signals of ours, and
 * recordings, are as long as to fill them at 10, 20, 30, 40 and 60 ms.
 * @throws RangeError where Opus units differ in their configuration
 */
export function toFrames(encoded: EncodedAudio, packetMs: number): PayloadFrames {
  const timestampStep = (clockRateHz(encoded.codec) * packetMs) / 1000;
  const { bytes, unitEnds, unitMs } = encoded;
  const perPacket = packetMs / unitMs;
  if (unitEnds === null) {
    const frameBytes = packetMs * OCTETS_PER_MS;
    const count = Math.floor(bytes.length / frameBytes);
    const frames = Array.from({ length: count }, (_, i) => bytes.subarray(i * frameBytes, (i + 1) * frameBytes));
    return { frames, timestampStep };
  }
  const unit = (i: number): Uint8Array => bytes.subarray(i === 0 ? 0 : unitEnds[i - 1]!, unitEnds[i]!);
  const frames = Array.from({ length: Math.floor(unitEnds.length / perPacket) }, (_, i) =>
    joinOpusFrames(Array.from({ length: perPacket }, (_, k) => unit(i * perPacket + k))),
  );
  return { frames, timestampStep };
}

/** A generated signal in a codec that needs no library: some milliseconds, which a thread that paces cannot spare. */
export const encodeGenerated = (source: AudioSource, codec: (typeof OWN_CODECS)[number]): EncodedAudio =>
  encodeOctets(codec, signalFor(source, codec));
