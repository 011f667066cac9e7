/**
 * ITU-T G.711: mu-law and A-law as tables, built once from the segments of the Recommendation. Linear samples are 16 bits;
 * mu-law uses the upper 14 of them, A-law the upper 13. Octets are as on the wire: mu-law inverted, A-law's even bits inverted.
 */

/** Added to a mu-law magnitude (14 bits), so that every segment starts at a power of two. */
const MU_BIAS = 33;
const MU_MAX = 0x1fff;
const A_EVEN_BITS = 0x55;

/**
 * The magnitude of a negative sample is its one's complement, as in the ITU's own tools (G.191), so that -1 falls into
 * the first interval.
 */
const magnitude = (sample: number): number => (sample < 0 ? ~sample : sample);

function encodeMuLaw(sample: number): number {
  const biased = Math.min(MU_MAX, (magnitude(sample) >> 2) + MU_BIAS);
  const segment = 26 - Math.clz32(biased);
  const step = (biased >> (segment + 1)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff;
}

function decodeMuLaw(octet: number): number {
  const code = ~octet & 0xff;
  const value = ((((code & 0x0f) * 2 + MU_BIAS) << ((code >> 4) & 7)) - MU_BIAS) * 4;
  return code & 0x80 ? -value : value;
}

function encodeALaw(sample: number): number {
  const level = magnitude(sample) >> 4;
  // The first two segments have the same step: 32 equal intervals, then the step doubles from segment to segment.
  const segment = Math.max(0, 28 - Math.clz32(level));
  const step = segment === 0 ? level : (level >> (segment - 1)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ A_EVEN_BITS;
}

function decodeALaw(octet: number): number {
  const code = octet ^ A_EVEN_BITS;
  const segment = (code >> 4) & 7;
  const half = ((code & 0x0f) << 1) + 1;
  const value = segment === 0 ? half << 3 : (half + 32) << (segment + 2);
  return code & 0x80 ? value : -value;
}

/** `same`: this many neighbours get the same octet, because the codec does not use the lowest bits. */
function toTable(encode: (sample: number) => number, same: number): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let word = 0; word < table.length; word += same) table.fill(encode((word << 16) >> 16), word, word + same);
  return table;
}

/** The octet of a 16-bit sample, at index `sample & 0xffff`. */
export const LINEAR_TO_MU_LAW = toTable(encodeMuLaw, 4);
export const LINEAR_TO_A_LAW = toTable(encodeALaw, 16);

/** The 16-bit sample of an octet. */
export const MU_LAW_TO_LINEAR = Int16Array.from({ length: 256 }, (_, octet) => decodeMuLaw(octet));
export const A_LAW_TO_LINEAR = Int16Array.from({ length: 256 }, (_, octet) => decodeALaw(octet));

/** Encodes each sample as one octet, by one of the encode tables. */
export function encodeG711(table: Uint8Array, samples: Int16Array): Uint8Array {
  const octets = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) octets[i] = table[samples[i]! & 0xffff]!;
  return octets;
}

/** Decodes each octet to one sample, by one of the decode tables; into the beginning of `samples`, if they are given. */
export function decodeG711(
  table: Int16Array,
  octets: Uint8Array,
  samples: Int16Array = new Int16Array(octets.length),
): Int16Array {
  for (let i = 0; i < octets.length; i++) samples[i] = table[octets[i]!]!;
  return samples;
}
