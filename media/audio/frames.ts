/** Signals as payloads: encoded once for a codec and packet time, then shared by every stream that plays them. */
import { encodeG711, LINEAR_TO_A_LAW, LINEAR_TO_MU_LAW } from '../codec/g711.ts';
import { SAMPLE_RATE_HZ, silence, speech, tone } from './generators.ts';

export type AudioSource = 'TONE' | 'SPEECH' | 'SILENCE';
export type AudioCodec = 'PCMU' | 'PCMA';

/** `count` payloads of `frameBytes` each, one after the other; after the last comes the first again, without a seam. */
export type PayloadFrames = {
  readonly bytes: Uint8Array;
  readonly frameBytes: number;
  readonly count: number;
  /** What the RTP timestamp advances by from frame to frame. */
  readonly timestampStep: number;
};

/** A row a codec: what a signal needs to become payload. */
const CODECS: Readonly<Record<AudioCodec, { readonly clockRateHz: number; readonly table: Uint8Array }>> = {
  PCMU: { clockRateHz: 8000, table: LINEAR_TO_MU_LAW },
  PCMA: { clockRateHz: 8000, table: LINEAR_TO_A_LAW },
};
const SOURCES: Readonly<Record<AudioSource, () => Int16Array>> = {
  TONE: () => tone(),
  SPEECH: speech,
  SILENCE: silence,
};

/** The RTP clock of a codec (rtpmap's), Hz. */
export const clockRateHz = (codec: AudioCodec): number => CODECS[codec].clockRateHz;

/** Signals are made once a thread: speech takes some milliseconds, which a thread that paces cannot spare. */
const made = new Map<AudioSource, Int16Array>();

function samplesOf(source: AudioSource): Int16Array {
  const known = made.get(source) ?? SOURCES[source]();
  made.set(source, known);
  return known;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** The signal, repeated until it ends together with a frame. `packetMs` is a whole number of milliseconds. */
export function prepareFrames(source: AudioSource, codec: AudioCodec, packetMs: number): PayloadFrames {
  const samples = samplesOf(source);
  const perFrame = (SAMPLE_RATE_HZ * packetMs) / 1000;
  const count = samples.length / gcd(samples.length, perFrame);
  const looped = new Int16Array(count * perFrame);
  for (let at = 0; at < looped.length; at += samples.length) looped.set(samples, at);
  return {
    bytes: encodeG711(CODECS[codec].table, looped),
    frameBytes: perFrame,
    count,
    timestampStep: (clockRateHz(codec) * packetMs) / 1000,
  };
}
