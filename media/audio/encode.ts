/** Encodes linear samples once for all streams that play them, as whole units from which packets are cut or joined. */
import { type AudioCodec, audioCodec, type OctetCodec } from '../codec/audio-codecs.ts';
import { OCTET_CODERS } from '../codec/octet-codecs.ts';

/** A stream of units of `unitMs` each; it can be repeated after the last unit. */
export type EncodedAudio = {
  readonly codec: AudioCodec;
  readonly unitMs: number;
  readonly bytes: Uint8Array;
  /** The end of each unit in `bytes`; null if all units have the codec's octets per millisecond. */
  readonly unitEnds: Uint32Array | null;
};

/** Encodes the samples of one unit (`unitMs` at 48 kHz, mono) as one packet with a single frame. */
export type OpusEncoder = { readonly unitMs: number; encode(samples: Int16Array): Uint8Array };

/** Encoders start with empty memory. They get the end of the signal first, so that the loop has no audible seam. */
const LEAD_IN_MS = 1000;

/** The samples of the last `LEAD_IN_MS`, or all samples, in whole units. */
function leadIn(samples: Int16Array, perUnit: number, rateHz: number): Int16Array {
  const most = Math.floor(Math.min(samples.length, (rateHz * LEAD_IN_MS) / 1000) / perUnit) * perUnit;
  return samples.subarray(samples.length - most);
}

/** Encodes samples at the codec's rate; whole milliseconds only. */
export function encodeOctets(codec: OctetCodec, samples: Int16Array): EncodedAudio {
  const { hasMemory, openEncoder } = OCTET_CODERS[codec];
  const encode = openEncoder();
  if (hasMemory) encode(leadIn(samples, audioCodec(codec).samplingRateHz / 1000, audioCodec(codec).samplingRateHz));
  return { codec, unitMs: 1, bytes: encode(samples), unitEnds: null };
}

/** Encodes samples at 48 kHz; an incomplete last unit is left out. */
export function encodeOpus(samples: Int16Array, encoder: OpusEncoder): EncodedAudio {
  const rateHz = audioCodec('OPUS').samplingRateHz;
  const perUnit = (rateHz * encoder.unitMs) / 1000;
  const units = (part: Int16Array): Uint8Array[] =>
    Array.from({ length: Math.floor(part.length / perUnit) }, (_, i) =>
      // The packet is copied, because an encoder may reuse its memory.
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
