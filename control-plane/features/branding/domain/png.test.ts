/** What is published of a logo is an image, and nothing else of the file. */
import { deflateSync } from 'node:zlib';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { chunk, madePng } from '../testing/made-png.ts';
import { imageOnly, PngError } from './png.ts';

const SIZE = { widthPx: 40, heightPx: 20 };
const CLEAN = madePng(SIZE);
const why = (file: Buffer): string => {
  try {
    imageOnly(file, 1024);
    return '';
  } catch (error) {
    if (error instanceof PngError) return error.message;
    throw error;
  }
};

t.test('an image stays as it is', async (t) => {
  const { bytes, ...size } = imageOnly(CLEAN, 1024);
  t.same(size, SIZE);
  t.ok(bytes.equals(CLEAN));
});

t.test('texts, places and what follows the end are left out', async (t) => {
  const before = ['tEXt', 'iTXt', 'eXIf', 'tIME', 'acTL', 'iCCP'].map((type) => chunk(type, Buffer.from('<script>')));
  const file = Buffer.concat([madePng({ ...SIZE, before }), Buffer.from('PK\x03\x04<script>')]);
  t.ok(imageOnly(file, 1024).bytes.equals(CLEAN));
});

t.test('what is no whole image is refused', async (t) => {
  const refused: Readonly<Record<string, readonly [file: Buffer, why: RegExp]>> = {
    nothing: [Buffer.alloc(0), /is not a PNG/],
    SVG: [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /is not a PNG/],
    JPEG: [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /is not a PNG/],
    'a signature': [CLEAN.subarray(0, 8), /breaks off/],
    'no header': [Buffer.concat([CLEAN.subarray(0, 8), chunk('IEND', Buffer.alloc(0))]), /without a header/],
    'too wide': [madePng({ widthPx: 1025, heightPx: 1 }), /1025 × 1 pixels; at most 1024 × 1024/],
    'too few pixels': [madePng({ ...SIZE, pixels: Buffer.alloc(10) }), /cannot be read/],
    'more pixels than its size': [madePng({ ...SIZE, pixels: Buffer.alloc(50_000_000) }), /cannot be read/],
    'no pixels': [
      Buffer.concat([CLEAN.subarray(0, 33), chunk('IDAT', Buffer.from('x')), CLEAN.subarray(-12)]),
      /cannot be read/,
    ],
  };
  t.ok(deflateSync(Buffer.alloc(50_000_000)).length < 65_536, 'a small file may have many pixels');
  for (const [name, [file, expected]] of Object.entries(refused)) t.match(why(file), expected, name);
});

t.test('a file that breaks off, or in which one byte differs, is refused', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: CLEAN.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(CLEAN);
      changed[at] = (changed[at] ?? 0) ^ change;
      t.not(why(changed), '', `byte ${at}`);
      t.not(why(CLEAN.subarray(0, at)), '', `${at} bytes`);
    }),
    { numRuns: 100 },
  );
});
