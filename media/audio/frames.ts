/** The payloads of one signal, codec and packet time, shared by every stream that plays them. */
import { type AudioCodec, audioCodec, type OctetCodec } from '../codec/audio-codecs.ts';
import { joinedBytes, joinOpusFrames } from '../codec/opus-packet.ts';
import { type EncodedAudio, encodeOctets } from './encode.ts';
import { silence, speech, tone } from './generators.ts';

export const AUDIO_SOURCES = ['TONE', 'SPEECH', 'SILENCE'] as const;
export type AudioSource = (typeof AUDIO_SOURCES)[number];
/** Every media thread has the signals in these codecs from its start; other codecs are loaded for the run that needs them. */
export const PREPARED_CODECS = ['PCMU', 'PCMA'] as const;

/**
 * Payloads in order, one packet each; the first follows the last. Opus payloads differ in size. Each one is cut or
 * joined on first use: cutting a recording of ten minutes in one go would block a pacing thread for up to 0.1 s.
 */
export class PayloadFrames implements Iterable<Uint8Array> {
  readonly length: number;
  /** The RTP timestamp advances by this from frame to frame. */
  readonly timestampStep: number;
  /** The size of the largest frame; for joined ones, an upper bound. */
  readonly maxBytes: number;
  readonly #cut: (index: number) => Uint8Array;
  readonly #frames: (Uint8Array | undefined)[];

  constructor(length: number, timestampStep: number, maxBytes: number, cut: (index: number) => Uint8Array) {
    this.length = length;
    this.timestampStep = timestampStep;
    this.maxBytes = maxBytes;
    this.#cut = cut;
    this.#frames = new Array(length);
  }

  /** `index` is from 0 to less than `length`. */
  at(index: number): Uint8Array {
    let frame = this.#frames[index];
    if (frame === undefined) {
      frame = this.#cut(index);
      this.#frames[index] = frame;
    }
    return frame;
  }

  *[Symbol.iterator](): Iterator<Uint8Array> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

const SIGNALS: Readonly<Record<AudioSource, (rateHz: number) => Int16Array>> = {
  TONE: tone,
  SPEECH: speech,
  SILENCE: silence,
};

const signalsByRate = new Map<string, Int16Array>();

/** A generated signal at the rate of a codec, made once per thread and rate. */
export function signalFor(source: AudioSource, codec: AudioCodec): Int16Array {
  const rateHz = audioCodec(codec).samplingRateHz;
  const key = `${source} ${rateHz}`;
  const signal = signalsByRate.get(key) ?? SIGNALS[source](rateHz);
  signalsByRate.set(key, signal);
  return signal;
}

/** Whether packets of `packetMs` can be made from these units. */
export const fits = ({ unitMs }: EncodedAudio, packetMs: number): boolean => packetMs % unitMs === 0;

/**
 * Makes packets of `packetMs`, which must fit (`fits`), from encoded units. An incomplete last packet is left out;
 * generated signals and recordings are long enough to fill packets of 10, 20, 30, 40 and 60 ms.
 * @throws RangeError if Opus units differ in their configuration
 */
export function toFrames(encoded: EncodedAudio, packetMs: number): PayloadFrames {
  const { clockRateHz, octetsPerMs } = audioCodec(encoded.codec);
  const timestampStep = (clockRateHz * packetMs) / 1000;
  const { bytes, unitEnds, unitMs } = encoded;
  const perPacket = packetMs / unitMs;
  if (unitEnds === null) {
    const frameBytes = packetMs * octetsPerMs!;
    const count = Math.floor(bytes.length / frameBytes);
    return new PayloadFrames(count, timestampStep, frameBytes, (i) =>
      bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
    );
  }
  const count = Math.floor(unitEnds.length / perPacket);
  const unit = (i: number): Uint8Array => bytes.subarray(i === 0 ? 0 : unitEnds[i - 1]!, unitEnds[i]!);
  const units = (i: number): Uint8Array[] => Array.from({ length: perPacket }, (_, k) => unit(i * perPacket + k));
  if (perPacket > 1 && count > 0) requireOneConfiguration(encoded, units(0));
  return new PayloadFrames(count, timestampStep, maxBytesOf(unitEnds, perPacket), (i) => joinOpusFrames(units(i)));
}

/** All units must have the same configuration, so that those of one packet can be joined. */
function requireOneConfiguration({ bytes, unitEnds }: EncodedAudio, packet: readonly Uint8Array[]): void {
  joinOpusFrames(packet);
  for (const end of unitEnds!.subarray(0, -1))
    if (bytes[end] !== bytes[0])
      throw new RangeError('only single frames of one configuration fit into one Opus packet');
}

function maxBytesOf(unitEnds: Uint32Array, perPacket: number): number {
  let most = 0;
  for (let last = perPacket - 1; last < unitEnds.length; last += perPacket)
    most = Math.max(most, unitEnds[last]! - (last < perPacket ? 0 : unitEnds[last - perPacket]!));
  return perPacket === 1 ? most : joinedBytes(most, perPacket);
}

/**
 * Encodes a generated signal in a codec that needs no library. Takes some milliseconds, which a pacing thread cannot
 * spare.
 */
export const encodeGenerated = (source: AudioSource, codec: OctetCodec): EncodedAudio =>
  encodeOctets(codec, signalFor(source, codec));
