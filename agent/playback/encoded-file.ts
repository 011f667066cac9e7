/** Encoded streams as the bytes of one file, and back. */
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';

type Head = Omit<EncodedAudio, 'bytes' | 'unitEnds'> & { readonly bytes: number; readonly units: number | null };

/**
 * The file has a line of JSON with the lengths, then for each stream the ends of its units (little-endian words) and
 * its bytes.
 */
export function writeEncoded(streams: readonly EncodedAudio[]): Uint8Array {
  const heads = streams.map(
    ({ codec, unitMs, bytes, unitEnds }): Head => ({
      codec,
      unitMs,
      bytes: bytes.length,
      units: unitEnds?.length ?? null,
    }),
  );
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(heads)}\n`)];
  for (const { bytes, unitEnds } of streams) {
    if (unitEnds) parts.push(words(unitEnds));
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function words(ends: Uint32Array): Buffer {
  const bytes = Buffer.alloc(ends.length * 4);
  for (const [i, end] of ends.entries()) bytes.writeUInt32LE(end, i * 4);
  return bytes;
}

/** Parses the output of `writeEncoded`; null if it is something else. */
export function readEncoded(file: Uint8Array): EncodedAudio[] | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const end = bytes.indexOf('\n');
    let at = end + 1;
    const streams = (JSON.parse(bytes.toString('utf8', 0, end)) as Head[]).map(
      ({ codec, unitMs, bytes: length, units }) => {
        const ends =
          units === null ? null : Uint32Array.from({ length: units }, (_, i) => bytes.readUInt32LE(at + i * 4));
        at += (units ?? 0) * 4 + length;
        return { codec, unitMs, bytes: bytes.subarray(at - length, at), unitEnds: ends };
      },
    );
    return at === bytes.length ? streams : null;
  } catch {
    return null;
  }
}
