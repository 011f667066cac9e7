import t from 'tap';
import {
  A_LAW_TO_LINEAR,
  decodeG711,
  encodeG711,
  LINEAR_TO_A_LAW,
  LINEAR_TO_MU_LAW,
  MU_LAW_TO_LINEAR,
} from './g711.ts';
import { decodeL16, encodeL16 } from './l16.ts';
import { STATIC_PAYLOAD_TYPES } from './payload-types.ts';

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
    const wrong: number[] = [];
    for (let sample = -32_000; sample <= 32_000; sample++) {
      const mu = MU_LAW_TO_LINEAR[LINEAR_TO_MU_LAW[sample & 0xffff]!]!;
      const a = A_LAW_TO_LINEAR[LINEAR_TO_A_LAW[sample & 0xffff]!]!;
      const muHigher = MU_LAW_TO_LINEAR[LINEAR_TO_MU_LAW[(sample + 1) & 0xffff]!]!;
      const near =
        Math.abs(mu - sample) <= Math.max(8, Math.abs(sample) / 16) &&
        Math.abs(a - sample) <= Math.max(16, Math.abs(sample) / 16);
      if (!near || muHigher < mu) wrong.push(sample);
    }
    t.same(wrong, []);
  });

  t.test('blocks of samples are encoded and decoded', async (t) => {
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

t.test('L16: the higher octet comes first, and every sample survives', async (t) => {
  t.same(
    [...encodeL16(Int16Array.of(0, 1, -1, 0x1234, -32_768, 32_767))],
    [...[0, 0, 0, 1, 0xff, 0xff], ...[0x12, 0x34, 0x80, 0, 0x7f, 0xff]],
  );
  const all = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
  const heard = new Int16Array(all.length);
  t.equal(decodeL16(encodeL16(all), heard), all.length);
  t.same(heard, all);
  t.equal(decodeL16(Uint8Array.of(1, 2, 3), heard), 1, 'half a sample is none');
});
