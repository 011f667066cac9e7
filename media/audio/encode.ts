/**
 * Linear samples as an encoded stream, once for all streams that play it: whole units, one after the other, that packets are cut
 * or joined from.
 */
import { encodeG711, LINEAR_TO_A_LAW, LINEAR_TO_MU_LAW } from '../codec/g711.ts';
import { G722Encoder } from '../codec/g722.ts';

export const AUDIO_CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
export type AudioCodec = (typeof AUDIO_CODECS)[number];

type CodecRow = {
  /** rtpmap's: 8000 for G722 (RFC 3551, 4.5.2), 48000 for Opus whatever it carries (RFC 7587, 4.1). */
  readonly clockRateHz: number;
  readonly samplingRateHz: number;
};
const CODECS: Readonly<Record<AudioCodec, CodecRow>> = {
  PCMU: { clockRateHz: 8000, samplingRateHz: 8000 },
  PCMA: { clockRateHz: 8000, samplingRateHz: 8000 },
  G722: { clockRateHz: 8000, samplingRateHz: 16_000 },
  OPUS: { clockRateHz: 48_000, samplingRateHz: 48_000 },
};

/** The RTP clock of a codec (rtpmap's), Hz. */
export const clockRateHz = (codec: AudioCodec): number => CODECS[codec].clockRateHz;
/** What its encoder takes and its decoder puts out, Hz. */
export const samplingRateHz = (codec: AudioCodec): number => CODECS[codec].samplingRateHz;

/** A stream of units of `unitMs` each; it may begin again after its last. */
export type EncodedAudio = {
  readonly codec: AudioCodec;
  readonly unitMs: number;
  readonly bytes: Uint8Array;
  /** Where each unit ends in `bytes`; null where all are of 8 octets a millisecond (G.711, G.722). */
  readonly unitEnds: Uint32Array | null;
};

/** One packet of a single frame from so many samples as `unitMs` has at 48 kHz, mono. */
export type OpusEncoder = { readonly unitMs: number; encode(samples: Int16Array): Uint8Array };

/** Encoders begin with an empty memory: they hear the end first, so that the beginning fits to it. */
const LEAD_IN_MS = 1000;
export const OCTETS_PER_MS = 8;

/** The samples of the last `LEAD_IN_MS`, or all, in whole units. */
function leadIn(samples: Int16Array, perUnit: number, rateHz: number): Int16Array {
  const most = Math.floor(Math.min(samples.length, (rateHz * LEAD_IN_MS) / 1000) / perUnit) * perUnit;
  return samples.subarray(samples.length - most);
}

/** Samples at the codec's rate, whole milliseconds of them: what `OPUS` needs an encoder for, the others need none. */
export function encodeOctets(codec: Exclude<AudioCodec, 'OPUS'>, samples: Int16Array): EncodedAudio {
  return { codec, unitMs: 1, bytes: octetsOf(codec, samples), unitEnds: null };
}

function octetsOf(codec: Exclude<AudioCodec, 'OPUS'>, samples: Int16Array): Uint8Array {
  if (codec !== 'G722') return encodeG711(codec === 'PCMU' ? LINEAR_TO_MU_LAW : LINEAR_TO_A_LAW, samples);
  const encoder = new G722Encoder();
  const before = leadIn(samples, 2, samplingRateHz('G722'));
  encoder.encode(before, new Uint8Array(before.length / 2));
  const octets = new Uint8Array(samples.length / 2);
  encoder.encode(samples, octets);
  return octets;
}

/** Samples at 48 kHz; what does not fill a unit is left out. */
export function encodeOpus(samples: Int16Array, encoder: OpusEncoder): EncodedAudio {
  const rateHz = samplingRateHz('OPUS');
  const perUnit = (rateHz * encoder.unitMs) / 1000;
  const units = (part: Int16Array): Uint8Array[] =>
    Array.from({ length: Math.floor(part.length / perUnit) }, (_, i) =>
      // Copied: an encoder may use its memory again.
      Uint8Array.from(encoder.encode(part.subarray(i * perUnit, (i + 1) * perUnit))),
    );
  units(leadIn(samples, perUnit, rateHz));
  const encoded = units(samples);
  const unitEnds = new Uint32Array(encoded.length);
  let length = 0;
  for (const [i, unit] of encoded.entries()) {
    length += unit.length;
    unitEnds[i] = length;
  }
  const bytes = new Uint8Array(length);
  for (const [i, unit] of encoded.entries()) bytes.set(unit, unitEnds[i]! - unit.length);
  return { codec: 'OPUS', unitMs: encoder.unitMs, bytes, unitEnds };
}
