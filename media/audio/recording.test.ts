/** Recordings: every encoding gives the same result; another rate keeps the frequencies that it can carry, and nothing else. */

import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { encodeG711, LINEAR_TO_A_LAW, LINEAR_TO_MU_LAW } from '../codec/g711.ts';
import { parseWav, type WavEncoding, WavError } from '../files/wav.ts';
import { monoSamples } from '../files/wav-samples.ts';
import { recordingSamples } from './recording.ts';
import { resample } from './resample.ts';

const TAGS: Readonly<Record<WavEncoding, number>> = { PCM: 1, FLOAT: 3, A_LAW: 6, MU_LAW: 7 };

/** A WAV file of samples of -1 to 1, interleaved. */
function wavOf(encoding: WavEncoding, bits: number, rate: number, channels: number, values: readonly number[]): Buffer {
  const bytes = bits / 8;
  const data = Buffer.alloc(values.length * bytes);
  values.forEach((value, i) => {
    const whole = Math.round(value * 32_767);
    const write: Record<string, () => unknown> = {
      PCM8: () => data.writeUInt8(Math.round(value * 127) + 128, i),
      PCM16: () => data.writeInt16LE(whole, i * 2),
      PCM24: () => data.writeIntLE(whole * 256, i * 3, 3),
      PCM32: () => data.writeInt32LE(whole * 65_536, i * 4),
      FLOAT32: () => data.writeFloatLE(value, i * 4),
      FLOAT64: () => data.writeDoubleLE(value, i * 8),
      A_LAW8: () => data.writeUInt8(encodeG711(LINEAR_TO_A_LAW, Int16Array.of(whole))[0]!, i),
      MU_LAW8: () => data.writeUInt8(encodeG711(LINEAR_TO_MU_LAW, Int16Array.of(whole))[0]!, i),
    };
    write[`${encoding}${bits}`]!();
  });
  const head = Buffer.alloc(44);
  head.write('RIFF', 0).toString();
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(TAGS[encoding], 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * bytes, 28);
  head.writeUInt16LE(channels * bytes, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const ENCODINGS: [encoding: WavEncoding, bits: number, error: number][] = [
  ['PCM', 8, 0.012],
  ['PCM', 16, 0.0001],
  ['PCM', 24, 0.0001],
  ['PCM', 32, 0.0001],
  ['FLOAT', 32, 0.000001],
  ['FLOAT', 64, 0.000001],
  ['A_LAW', 8, 0.035],
  ['MU_LAW', 8, 0.035],
];

t.test('every encoding is read as what was written, stereo as its mean', async (t) => {
  const values = Array.from({ length: 512 }, (_, i) => ((i * 37) % 201) / 100 - 1);
  for (const [encoding, bits, error] of ENCODINGS) {
    const mono = wavOf(encoding, bits, 8000, 1, values);
    const wav = parseWav(mono);
    t.same([wav.encoding, wav.bitsPerSample, wav.frames], [encoding, bits, 512], `${encoding} ${bits}`);
    const read = monoSamples(mono, wav);
    t.ok(
      read.every((value, i) => Math.abs(value - values[i]!) <= error),
      `${encoding} ${bits}: within ${error}`,
    );
    const stereo = wavOf(encoding, bits, 8000, 2, values);
    const mixed = monoSamples(stereo, parseWav(stereo));
    t.equal(mixed.length, 256);
    t.ok(mixed.every((value, i) => Math.abs(value - (values[2 * i]! + values[2 * i + 1]!) / 2) <= error));
  }
  const odd = wavOf('FLOAT', 32, 8000, 1, [Number.NaN, Number.POSITIVE_INFINITY, -7]);
  t.same(
    [...monoSamples(odd, parseWav(odd))],
    [0, 1, -1],
    'no number is silence, and nothing is louder than full scale',
  );
});

const sine = (hz: number, rateHz: number, ms = 500): Float32Array =>
  Float32Array.from({ length: (rateHz * ms) / 1000 }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / rateHz));

/** dB of a signal against a sine of 0.5, away from its ends. */
function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(samples.length >> 2, samples.length - (samples.length >> 2));
  return 10 * Math.log10((middle.reduce((sum, value) => sum + value * value, 0) / middle.length) * 8);
}

/** dB of one frequency in a signal, against a sine of 0.5 (Goertzel, with a Hann window). */
function toneDb(samples: Float32Array, hz: number, rateHz: number): number {
  let re = 0;
  let im = 0;
  let weight = 0;
  for (let i = 0; i < samples.length; i++) {
    const w = 1 - Math.cos((2 * Math.PI * i) / samples.length);
    re += w * samples[i]! * Math.cos((2 * Math.PI * hz * i) / rateHz);
    im += w * samples[i]! * Math.sin((2 * Math.PI * hz * i) / rateHz);
    weight += w;
  }
  return 20 * Math.log10((4 * Math.hypot(re, im)) / weight);
}

const RATES: [fromHz: number, toHz: number][] = [
  [8000, 16_000],
  [8000, 48_000],
  [11_025, 8000],
  [16_000, 8000],
  [22_050, 16_000],
  [44_100, 8000],
  [44_100, 48_000],
  [48_000, 8000],
  [48_000, 16_000],
  [12_345, 48_000],
];

t.test('what the lower rate carries passes unchanged, images and aliases do not', async (t) => {
  for (const [fromHz, toHz] of RATES) {
    const half = Math.min(fromHz, toHz) / 2;
    for (const share of [0.05, 0.3, 0.6, 0.8]) {
      const hz = Math.round(half * share);
      const heard = resample(sine(hz, fromHz), fromHz, toHz);
      t.ok(
        Math.abs(toneDb(heard, hz, toHz)) < 0.1,
        `${fromHz} to ${toHz}: ${hz} Hz at ${toneDb(heard, hz, toHz).toFixed(3)} dB`,
      );
      t.ok(Math.abs(levelDb(heard)) < 0.15, `${fromHz} to ${toHz}: ${hz} Hz and nothing else`);
    }
    if (toHz > fromHz) {
      const image = resample(sine(0.8 * half, fromHz), fromHz, toHz);
      const db = toneDb(image, fromHz - 0.8 * half, toHz);
      t.ok(db < -60, `${fromHz} to ${toHz}: image at ${db.toFixed(0)} dB`);
      continue;
    }
    for (const share of [1.06, 1.3, 1.8]) {
      const hz = half * share;
      if (hz > fromHz / 2) continue;
      const db = levelDb(resample(sine(hz, fromHz), fromHz, toHz));
      t.ok(db < -60, `${fromHz} to ${toHz}: ${Math.round(hz)} Hz at ${db.toFixed(0)} dB`);
    }
  }
  const same = sine(440, 8000);
  t.equal(resample(same, 8000, 8000), same);
});

t.test('it lasts as long as before, whatever the rates', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8000, max: 48_000 }),
      fc.constantFrom(8000, 16_000, 48_000),
      fc.integer({ min: 1, max: 300 }),
      (fromHz, toHz, frames) => {
        const heard = resample(new Float32Array(frames).fill(0.5), fromHz, toHz);
        return heard.length === Math.ceil((frames * toHz) / fromHz) && heard.every((value) => Math.abs(value) < 0.75);
      },
    ),
    { numRuns: 60 },
  );
  t.pass();
});

t.test('a recording becomes whole packets of 16 bits, as loud as it was', async (t) => {
  const hz = 1000;
  for (const [encoding, bits] of ENCODINGS) {
    for (const rate of [8000, 44_100]) {
      const file = wavOf(encoding, bits, rate, 1, [...sine(hz, rate, 200)]);
      for (const toHz of [8000, 16_000, 48_000]) {
        const samples = recordingSamples(file, toHz);
        t.equal(samples.length, (toHz * 240) / 1000, 'two packets of 120 ms');
        const heard = Float32Array.from(samples.subarray(0, toHz / 5), (sample) => sample / 32_768);
        t.ok(Math.abs(toneDb(heard, hz, toHz)) < 0.3, `${encoding} ${bits}, ${rate} to ${toHz}`);
      }
    }
  }
  t.throws(() => recordingSamples(Buffer.from('no recording'), 8000), WavError);
});

t.test('files with bytes changed are read or refused, and nothing else', async (t) => {
  const good = wavOf('FLOAT', 32, 11_025, 2, [...sine(440, 11_025, 20)]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
      const file = Buffer.from(good);
      for (const [at, value] of changes) file[at] = value;
      try {
        return recordingSamples(file, 8000).length > 0;
      } catch (error) {
        return error instanceof WavError;
      }
    }),
    { numRuns: 300 },
  );
  t.pass();
});
