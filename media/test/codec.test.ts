import fc from 'fast-check';
import t from 'tap';
import { type AudioCodec, type AudioSource, clockRateHz, prepareFrames } from '../audio/frames.ts';
import { SAMPLE_RATE_HZ, speech, tone } from '../audio/generators.ts';
import {
  A_LAW_TO_LINEAR,
  decodeG711,
  encodeG711,
  LINEAR_TO_A_LAW,
  LINEAR_TO_MU_LAW,
  MU_LAW_TO_LINEAR,
} from '../codec/g711.ts';
import { STATIC_PAYLOAD_TYPES } from '../codec/payload-types.ts';

const levelDbm0 = (samples: Int16Array): number => {
  const active = samples.filter((sample) => sample !== 0);
  const power = active.reduce((total, sample) => total + sample * sample, 0) / active.length;
  return 20 * Math.log10((Math.sqrt(power) * Math.SQRT2) / 32_124) + 3.17;
};

t.test('G.711', async (t) => {
  t.test('the ends and the middle of both laws', async (t) => {
    const mu: [octet: number, sample: number][] = [
      [0x00, -32_124],
      [0x80, 32_124],
      [0x7f, 0],
      [0xff, 0],
      [0xfe, 8],
      [0x7e, -8],
      [0xf0, 120],
      [0xef, 132],
    ];
    for (const [octet, sample] of mu) t.equal(MU_LAW_TO_LINEAR[octet], sample, `mu-law ${octet}`);
    const a: [octet: number, sample: number][] = [
      [0xd5, 8],
      [0x55, -8],
      [0xd4, 24],
      [0xaa, 32_256],
      [0x2a, -32_256],
      [0xc5, 264],
    ];
    for (const [octet, sample] of a) t.equal(A_LAW_TO_LINEAR[octet], sample, `A-law ${octet}`);
  });

  t.test('every octet survives decoding and encoding; mu-law’s two zeros become one', async (t) => {
    for (let octet = 0; octet < 256; octet++) {
      t.equal(LINEAR_TO_A_LAW[A_LAW_TO_LINEAR[octet]! & 0xffff], octet);
      t.equal(LINEAR_TO_MU_LAW[MU_LAW_TO_LINEAR[octet]! & 0xffff], octet === 0x7f ? 0xff : octet);
    }
  });

  t.test('decision values: the last sample of an interval and the first of the next', async (t) => {
    // G.711, tables 1a and 2a, scaled to 16 bits.
    const muDecisions: [sample: number, octet: number][] = [
      [3, 0xff],
      [4, 0xfe],
      [123, 0xf0],
      [124, 0xef],
      [31_611, 0x81],
      [31_612, 0x80],
      [32_767, 0x80],
      [-1, 0x7f],
      [-4, 0x7f],
      [-5, 0x7e],
      [-32_768, 0x00],
    ];
    for (const [sample, octet] of muDecisions) t.equal(LINEAR_TO_MU_LAW[sample & 0xffff], octet, `mu-law ${sample}`);
    const aDecisions: [sample: number, octet: number][] = [
      [15, 0xd5],
      [16, 0xd4],
      [511, 0xca],
      [512, 0xf5],
      [31_743, 0xab],
      [31_744, 0xaa],
      [32_767, 0xaa],
      [-1, 0x55],
      [-16, 0x55],
      [-17, 0x54],
      [-32_768, 0x2a],
    ];
    for (const [sample, octet] of aDecisions) t.equal(LINEAR_TO_A_LAW[sample & 0xffff], octet, `A-law ${sample}`);
  });

  t.test('encoding errs by less than half a step, and keeps the order of samples', async (t) => {
    fc.assert(
      fc.property(fc.integer({ min: -32_000, max: 32_000 }), (sample) => {
        const mu = MU_LAW_TO_LINEAR[LINEAR_TO_MU_LAW[sample & 0xffff]!]!;
        const a = A_LAW_TO_LINEAR[LINEAR_TO_A_LAW[sample & 0xffff]!]!;
        const muHigher = MU_LAW_TO_LINEAR[LINEAR_TO_MU_LAW[(sample + 1) & 0xffff]!]!;
        return (
          Math.abs(mu - sample) <= Math.max(4, Math.abs(sample) / 16) &&
          Math.abs(a - sample) <= Math.max(16, Math.abs(sample) / 16) &&
          muHigher >= mu
        );
      }),
      { numRuns: 2000 },
    );
    t.pass();
  });

  t.test('blocks', async (t) => {
    const samples = Int16Array.of(0, 8, -32_768, 32_767);
    t.same(encodeG711(LINEAR_TO_MU_LAW, samples), Uint8Array.of(0xff, 0xfe, 0x00, 0x80));
    t.same(decodeG711(A_LAW_TO_LINEAR, Uint8Array.of(0xd5, 0x2a)), Int16Array.of(8, -32_256));
  });
});

t.test('static payload types (RFC 3551)', async (t) => {
  t.same(STATIC_PAYLOAD_TYPES.get(0), { encoding: 'PCMU', clockRateHz: 8000, channels: 1 });
  t.same(STATIC_PAYLOAD_TYPES.get(8), { encoding: 'PCMA', clockRateHz: 8000, channels: 1 });
  t.equal(STATIC_PAYLOAD_TYPES.get(9)?.clockRateHz, 8000, 'G722 is said to be 8000');
  t.equal(STATIC_PAYLOAD_TYPES.get(96), undefined);
});

t.test('signals', async (t) => {
  t.test('the tone is 1004 Hz at -10 dBm0 and whole', async (t) => {
    const samples = tone();
    t.equal(samples.length, 2000);
    t.equal(samples[0], 0);
    const crossings = samples.filter((sample, i) => sample >= 0 && samples.at(i - 1)! < 0).length;
    t.equal(crossings, 251, '251 periods in a quarter of a second');
    t.ok(Math.abs(levelDbm0(samples) + 10) < 0.05, `${levelDbm0(samples)} dBm0`);
  });

  t.test('speech is the same every time, talks two thirds of it and starts and ends in silence', async (t) => {
    const samples = speech();
    t.same(samples, speech());
    t.equal(samples.length, 8 * SAMPLE_RATE_HZ);
    const frames = Array.from({ length: 400 }, (_, i) => samples.subarray(i * 160, i * 160 + 160));
    const talking = frames.filter((frame) => frame.some((sample) => Math.abs(sample) > 100)).length / frames.length;
    t.ok(talking > 0.5 && talking < 0.8, `${talking}`);
    t.ok(Math.abs(samples[0]!) < 10 && samples.at(-1) === 0);
    t.ok(Math.abs(levelDbm0(samples) + 18) < 1.5, `${levelDbm0(samples)} dBm0`);
  });
});

t.test('frames', async (t) => {
  const sources: AudioSource[] = ['TONE', 'SPEECH', 'SILENCE'];
  const codecs: AudioCodec[] = ['PCMU', 'PCMA'];
  for (const source of sources) {
    for (const codec of codecs) {
      for (const packetMs of [5, 10, 20, 30, 40, 60]) {
        const frames = prepareFrames(source, codec, packetMs);
        t.equal(frames.frameBytes, packetMs * 8, `${source} ${codec} ${packetMs}`);
        t.equal(frames.timestampStep, packetMs * 8);
        t.equal(frames.bytes.length, frames.count * frames.frameBytes);
      }
    }
  }
  t.equal(clockRateHz('PCMA'), 8000);
  t.ok(prepareFrames('SILENCE', 'PCMU', 20).bytes.every((octet) => octet === 0xff));
  t.ok(prepareFrames('SILENCE', 'PCMA', 20).bytes.every((octet) => octet === 0xd5));
  const looped = prepareFrames('TONE', 'PCMA', 20);
  t.equal(looped.count, 25, 'half a second');
  const linear = decodeG711(A_LAW_TO_LINEAR, looped.bytes);
  const steepest = Math.max(...linear.map((sample, i) => Math.abs(sample - linear.at(i - 1)!)));
  t.ok(Math.abs(linear[0]! - linear.at(-1)!) <= steepest, 'no click where it begins again');
});
