/** What streams play: the payloads of one signal, codec and packet time, shared by every stream that plays them. */
import { joinedBytes, joinOpusFrames } from '../codec/opus-packet.ts';
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

/**
 * Payloads one after the other, one packet each; after the last comes the first again. Opus' differ in size. Each is cut or joined when
 * it is first asked for, for all streams that play it: to cut a recording of ten minutes at once takes a thread that paces up to
 * 0.1 s.
 */
export class PayloadFrames implements Iterable<Uint8Array> {
  readonly length: number;
  /** What the RTP timestamp advances by from frame to frame. */
  readonly timestampStep: number;
  /** No frame is larger; of joined ones it is a bound. */
  readonly mostBytes: number;
  private readonly cut: (index: number) => Uint8Array;
  private readonly frames: (Uint8Array | undefined)[];

  constructor(length: number, timestampStep: number, mostBytes: number, cut: (index: number) => Uint8Array) {
    this.length = length;
    this.timestampStep = timestampStep;
    this.mostBytes = mostBytes;
    this.cut = cut;
    this.frames = new Array(length);
  }

  /** `index` from 0 to below `length`. */
  at(index: number): Uint8Array {
    let frame = this.frames[index];
    if (frame === undefined) {
      frame = this.cut(index);
      this.frames[index] = frame;
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
    return new PayloadFrames(count, timestampStep, frameBytes, (i) =>
      bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
    );
  }
  const count = Math.floor(unitEnds.length / perPacket);
  const unit = (i: number): Uint8Array => bytes.subarray(i === 0 ? 0 : unitEnds[i - 1]!, unitEnds[i]!);
  const units = (i: number): Uint8Array[] => Array.from({ length: perPacket }, (_, k) => unit(i * perPacket + k));
  if (perPacket > 1 && count > 0) requireOneConfiguration(encoded, units(0));
  return new PayloadFrames(count, timestampStep, mostBytesOf(unitEnds, perPacket), (i) => joinOpusFrames(units(i)));
}

/** What makes one packet can be joined where all units begin alike. */
function requireOneConfiguration({ bytes, unitEnds }: EncodedAudio, packet: readonly Uint8Array[]): void {
  joinOpusFrames(packet);
  for (const end of unitEnds!.subarray(0, -1))
    if (bytes[end] !== bytes[0])
      throw new RangeError('only single frames of one configuration fit into one Opus packet');
}

function mostBytesOf(unitEnds: Uint32Array, perPacket: number): number {
  let most = 0;
  for (let last = perPacket - 1; last < unitEnds.length; last += perPacket)
    most = Math.max(most, unitEnds[last]! - (last < perPacket ? 0 : unitEnds[last - perPacket]!));
  return perPacket === 1 ? most : joinedBytes(most, perPacket);
}

/** A generated signal in a codec that needs no library: some milliseconds, which a thread that paces cannot spare. */
export const encodeGenerated = (source: AudioSource, codec: (typeof OWN_CODECS)[number]): EncodedAudio =>
  encodeOctets(codec, signalFor(source, codec));
