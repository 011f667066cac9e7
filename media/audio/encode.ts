/** Encodes linear samples once for all streams that play them, as whole units that packets are cut or joined from. */
import { encodeG711, LINEAR_TO_A_LAW, LINEAR_TO_MU_LAW } from '../codec/g711.ts';
import { G722Encoder } from '../codec/g722.ts';

export const AUDIO_CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
export type AudioCodec = (typeof AUDIO_CODECS)[number];

type CodecRow = {
  /** As in rtpmap: 8000 for G722 (RFC 3551, 4.5.2), always 48000 for Opus (RFC 7587, 4.1). */
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
/** The sampling rate of a codec's input and output, Hz. */
export const samplingRateHz = (codec: AudioCodec): number => CODECS[codec].samplingRateHz;

/** A stream of units of `unitMs` each; it can be repeated after the last unit. */
export type EncodedAudio = {
  readonly codec: AudioCodec;
  readonly unitMs: number;
  readonly bytes: Uint8Array;
  /** Where each unit ends in `bytes`; null if all units have 8 octets per millisecond (G.711, G.722). */
  readonly unitEnds: Uint32Array | null;
};

/** Encodes the samples of one unit (`unitMs` at 48 kHz, mono) as one packet with a single frame. */
export type OpusEncoder = { readonly unitMs: number; encode(samples: Int16Array): Uint8Array };

/** Encoders start with empty memory. They get the end of the signal first, so that the loop has no audible seam. */
const LEAD_IN_MS = 1000;
export const OCTETS_PER_MS = 8;

/** The samples of the last `LEAD_IN_MS`, or all samples, in whole units. */
function leadIn(samples: Int16Array, perUnit: number, rateHz: number): Int16Array {
  const most = Math.floor(Math.min(samples.length, (rateHz * LEAD_IN_MS) / 1000) / perUnit) * perUnit;
  return samples.subarray(samples.length - most);
}

/** Samples at the codec's rate, whole milliseconds only. `OPUS` needs an encoder, the other codecs do not. */
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

/** Samples at 48 kHz; an incomplete last unit is left out. */
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
