/** WAV: every file that we write is read back correctly, everything else is refused with a reason and without other effects. */

import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { parseWav, WavError } from './wav.ts';

type Shape = { readonly rate: number; readonly channels: number; readonly bits: number; readonly frames: number };

const chunk = (id: string, body: Buffer, length = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
};

const formatChunk = ({ rate, channels, bits }: Omit<Shape, 'frames'>, tag = 1, rest = Buffer.alloc(0)): Buffer => {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt32LE((rate * channels * bits) / 8, 8);
  body.writeUInt16LE((channels * bits) / 8, 12);
  body.writeUInt16LE(bits, 14);
  return chunk('fmt ', Buffer.concat([body, rest]));
};

const samples = ({ channels, bits, frames }: Shape): Buffer => Buffer.alloc((frames * channels * bits) / 8, 7);

const riff = (...chunks: Buffer[]): Buffer => chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));

const mono: Shape = { rate: 8000, channels: 1, bits: 16, frames: 800 };
const PCM_GUID = Buffer.from('0100000000001000800000aa00389b71', 'hex');
const extension = (guid: Buffer) => Buffer.concat([Buffer.from([22, 0, 16, 0, 4, 0, 0, 0]), guid]);

const shapes = fc.record({
  rate: fc.integer({ min: 8000, max: 48_000 }),
  channels: fc.integer({ min: 1, max: 2 }),
  bits: fc.constantFrom(8, 16, 24, 32),
  frames: fc.integer({ min: 1, max: 300 }),
});
const others = fc.array(
  fc
    .tuple(fc.constantFrom('LIST', 'bext', 'cue ', 'JUNK'), fc.uint8Array({ maxLength: 30 }))
    .map(([id, body]) => chunk(id, Buffer.from(body))),
  { maxLength: 3 },
);

t.test('what is written is read, whatever stands between', async (t) => {
  fc.assert(
    fc.property(shapes, others, others, others, (shape, first, second, last) => {
      const head = [...first, formatChunk(shape), ...second];
      const wav = parseWav(riff(...head, chunk('data', samples(shape)), ...last));
      return (
        wav.sampleRateHz === shape.rate &&
        wav.channels === shape.channels &&
        wav.bitsPerSample === shape.bits &&
        wav.frames === shape.frames &&
        wav.durationMs === Math.round((shape.frames * 1000) / shape.rate) &&
        wav.dataOffset === 12 + Buffer.concat(head).length + 8
      );
    }),
  );
  t.pass('100 files');
});

t.test('bytes at random, and files with bytes changed or cut off, are read or refused, and nothing else', async (t) => {
  const readOrRefused = (file: Uint8Array): boolean => {
    try {
      const { dataOffset, frames, channels, bitsPerSample } = parseWav(file);
      return frames > 0 && dataOffset + (frames * channels * bitsPerSample) / 8 <= file.length;
    } catch (error) {
      return error instanceof WavError && error.message.length > 0;
    }
  };
  const good = riff(formatChunk(mono), chunk('LIST', Buffer.alloc(5)), chunk('data', samples(mono)));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), readOrRefused));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 6 }),
      fc.nat(good.length),
      (changes, length) => {
        const file = Buffer.from(good.subarray(0, length));
        for (const [at, value] of changes) if (at < file.length) file[at] = value;
        return readOrRefused(file);
      },
    ),
    { numRuns: 2000 },
  );
  t.pass('2,100 files');
});

t.test('each refusal says why', async (t) => {
  const data = chunk('data', samples(mono));
  const rows: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /begin with RIFF/],
    ['an MP3', Buffer.from('ID3\u0004 and so on, long enough'), /begin with RIFF/],
    ['no format', riff(data), /before their format/],
    ['no chunks', riff(), /no chunk fmt/],
    ['no data', riff(formatChunk(mono)), /no chunk data/],
    ['ADPCM', riff(formatChunk({ ...mono, bits: 4 }, 0x11), data), /encoding 0x11; save it as PCM/],
    ['float of 16 bits', riff(formatChunk(mono, 3), data), /16 bits a sample; save it with 32 or 64/],
    ['A-law of 16 bits', riff(formatChunk(mono, 6), data), /16 bits a sample; save it with 8/],
    ['extensible, no PCM', riff(formatChunk(mono, 0xfffe, extension(Buffer.alloc(16, 3))), data), /encoding 0xfffe/],
    ['12 bits', riff(formatChunk({ ...mono, bits: 12 }), data), /12 bits a sample; save it with 8 or 16 or 24 or 32/],
    ['no channels', riff(formatChunk({ ...mono, channels: 0 }), data), /0 channels/],
    ['5.1', riff(formatChunk({ ...mono, channels: 6 }), data), /6 channels/],
    ['too slow', riff(formatChunk({ ...mono, rate: 4000 }), data), /4000 samples a second/],
    ['too fast', riff(formatChunk({ ...mono, rate: 192_000 }), data), /192000/],
    ['cut off', riff(formatChunk(mono), chunk('data', Buffer.alloc(10), 1600)), /says 1600 .* has 10/],
    ['cut off before', riff(chunk('LIST', Buffer.alloc(4), 400)), /middle of its chunk "LIST"/],
    ['empty', riff(formatChunk(mono), chunk('data', Buffer.alloc(0))), /has no samples/],
    ['short format', riff(chunk('fmt ', Buffer.alloc(8)), data), /too short/],
  ];
  for (const [what, file, message] of rows) t.throws(() => parseWav(file), { name: 'WavError', message }, what);
});

t.test('PCM under its other names', async (t) => {
  const data = chunk('data', samples(mono));
  t.equal(parseWav(riff(formatChunk(mono, 0xfffe, extension(PCM_GUID)), data)).frames, 800, 'extensible');
  const streamed = chunk('data', samples(mono), 0xffff_ffff);
  t.equal(parseWav(riff(formatChunk(mono), streamed)).frames, 800, 'a length that was not known');
  const whole = riff(formatChunk(mono), data);
  const inside = Buffer.concat([Buffer.alloc(3), whole]).subarray(3);
  t.equal(parseWav(inside).frames, 800, 'a part of a larger buffer');
});
