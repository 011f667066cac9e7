/**
 * A PNG (ISO/IEC 15948) that holds an image and nothing else: its other chunks, and what follows its end, are left out. Texts,
 * places where a photograph was taken, and files within the file are not published with it.
 */
import { crc32, inflateSync } from 'node:zlib';

export class PngError extends Error {}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The chunks that an image needs: its size, palette, transparency, colour space, pixels and end. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'IDAT', 'IEND']);
/** Samples of a pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = [1, 2, 4, 8, 16];
/** Length and type before the data of a chunk, and its check value behind. */
const FRAME = 12;

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer };
type Png = { readonly bytes: Buffer; readonly widthPx: number; readonly heightPx: number };

/** @throws PngError */
function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new PngError('is not a PNG');
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== 'IEND'; ) {
    if (at + FRAME > file.length) throw new PngError('is a PNG that breaks off');
    const end = at + FRAME + file.readUInt32BE(at);
    if (end > file.length) throw new PngError('is a PNG that breaks off');
    const whole = file.subarray(at, end);
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) throw new PngError('is a damaged PNG');
    chunks.push({ type: whole.toString('latin1', 4, 8), data: whole.subarray(8, -4), whole });
    at = end;
  }
  return chunks;
}

/** `maxPx`: the largest width and height. @throws PngError */
export function imageOnly(file: Buffer, maxPx: number): Png {
  const chunks = chunksOf(file).filter(({ type }) => KEPT.has(type));
  const [header, ...others] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13 || others.some(({ type }) => type === 'IHDR'))
    throw new PngError('is a PNG without a header');
  const [widthPx, heightPx] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (widthPx < 1 || heightPx < 1 || widthPx > maxPx || heightPx > maxPx)
    throw new PngError(`is ${widthPx} × ${heightPx} pixels; at most ${maxPx} × ${maxPx} are allowed`);
  const [depth = 0, colourType = 0] = header.data.subarray(8);
  const samples = SAMPLES[colourType];
  if (samples === undefined || !DEPTHS.includes(depth)) throw new PngError('is a PNG of an unknown kind');
  const pixels = Buffer.concat(others.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  const rowBytes = 1 + Math.ceil((widthPx * depth * samples) / 8);
  requirePixels(pixels, rowBytes * heightPx, header.data[12] !== 0);
  return { bytes: Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)]), widthPx, heightPx };
}

/** The seven images of an interlaced one take at most twice as much, as far as their rows are short. @throws PngError */
function requirePixels(pixels: Buffer, bytes: number, isInterlaced: boolean): void {
  try {
    const { length } = inflateSync(pixels, { maxOutputLength: isInterlaced ? 2 * bytes + 64 : bytes });
    if (length >= bytes) return;
  } catch {
    // It is damaged, or has more than its header says.
  }
  throw new PngError('is a PNG whose pixels cannot be read');
}
