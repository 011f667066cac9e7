/** L16: unencoded samples, signed, 16 bits, in network byte order (RFC 3551, 4.5.11). */

export function encodeL16(samples: Int16Array): Uint8Array {
  const octets = new Uint8Array(samples.length * 2);
  for (let i = 0; i < samples.length; i++) {
    octets[2 * i] = samples[i]! >> 8;
    octets[2 * i + 1] = samples[i]!;
  }
  return octets;
}

/** Decodes into `samples`; returns their number. Half a sample at the end is not counted. */
export function decodeL16(octets: Uint8Array, samples: Int16Array): number {
  const count = octets.length >> 1;
  for (let i = 0; i < count; i++) samples[i] = (octets[2 * i]! << 8) | octets[2 * i + 1]!;
  return count;
}
