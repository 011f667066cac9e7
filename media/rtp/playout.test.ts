import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { arrive, expectedPackets, oneRow, packetOf, STEP } from '../testing/rtp-row.ts';
import { ADAPTIVE_MAX_MS, ADAPTIVE_MIN_MS, adaptiveSumMs } from './adaptive-playout.ts';
import { addDriftPoint, driftPpm, noDriftPoints } from './clock-drift.ts';
import { countVariation, variationCount, variationMs } from './delay-variation.ts';
import { endReceiving, observePacket } from './receive.ts';
import { beginReceiving, changeClock, lostPackets } from './receive-columns.ts';

/** Delays in ms, the same in every run. */
function delays(n: number, most: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: n }, () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state / 0x7fffffff) ** 3 * most;
  });
}

t.test('delay variation (RFC 5481): quantiles within a bucket of the exact ones', async (t) => {
  const list = fc.array(fc.double({ min: 0.01, max: 3000, noNaN: true }), { minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(list, fc.constantFrom(0.5, 0.95, 0.99), (above, q) => {
      const c = oneRow();
      for (const ms of above) countVariation(c, 1, ms);
      const exact = above.sort((a, b) => a - b)[Math.max(1, Math.ceil(q * above.length)) - 1]!;
      return variationCount(c, 1) === above.length && Math.abs(variationMs(c, 1, q) - exact) <= exact * 0.063 + 0.008;
    }),
    { numRuns: 300 },
  );
  const stream = oneRow();
  for (let n = 0; n < 100; n++) arrive(stream, n, n === 0 ? 0 : n / 10);
  t.ok(Math.abs(variationMs(stream, 1, 0.95) - 9.4) < 0.6, `${variationMs(stream, 1, 0.95)} ms above the fastest`);
  for (const ms of [0, 1e9, Number.POSITIVE_INFINITY]) countVariation(stream, 1, ms);
  t.equal(variationCount(stream, 1), 102);
  t.ok(Number.isNaN(variationMs(oneRow(), 1, 0.5)));
});

t.test('the greatest variation from packet to packet, and how far packets were out of order', async (t) => {
  const c = oneRow();
  for (const [i, n] of [0, 1, 5, 2, 3, 4, 6].entries()) observePacket(c, 1, packetOf(n, n * STEP), i * 20);
  t.match([c.reordered[1], c.reorderExtentMax[1]], [3, 3]);
  t.equal(c.variationMax[1], 4 * STEP, '5 comes 60 ms early, then 2 comes 80 ms later than that');
});

t.test('wraps first: everything begins at 65530 and 500 before 2^32', async (t) => {
  const n = 3000;
  const jitter = delays(n, 90);
  const [wrapped, plain] = [65_530, 100].map((sequence, i) => {
    const c = oneRow();
    const timestamp = i === 0 ? 0xffffffff - 499 : 5000;
    for (let k = 0; k < n; k++)
      if (k % 37 !== 5)
        observePacket(c, 1, packetOf(sequence + k, (timestamp + k * STEP) >>> 0), 1000 + k * 20 + jitter[k]!);
    endReceiving(c, 1, 0);
    return c;
  });
  const figures = (c: typeof wrapped) => {
    if (!c) return [];
    const counts = [c.unique, c.reordered, c.duplicates, c.lateDiscarded, c.adaptiveLate, c.missing, c.missingRuns];
    const more = [c.adaptiveMissing, c.adaptiveMissingRuns, c.restarts, c.strays, c.reorderExtentMax, c.bursts];
    return [expectedPackets(c, 1), lostPackets(c, 1), ...[...counts, ...more].map((column) => column[1])];
  };
  t.same(figures(wrapped), figures(plain));
  t.ok(Math.abs(wrapped!.jitterSum[1]! - plain!.jitterSum[1]!) < 1e-3);
  t.equal(variationMs(wrapped!, 1, 0.95), variationMs(plain!, 1, 0.95));
  t.equal(lostPackets(wrapped!, 1), Math.floor((n - 1 - 5) / 37) + 1);
});

t.test('the adaptive buffer', async (t) => {
  t.test('shrinks on a calm network and grows to what a rough one needs', async (t) => {
    const calm = oneRow();
    for (let n = 0; n < 1000; n++) arrive(calm, n, n % 3);
    t.equal(calm.adaptiveLate[1], 0);
    const calmMean = adaptiveSumMs(calm, 1) / variationCount(calm, 1);
    t.ok(calmMean >= ADAPTIVE_MIN_MS && calmMean < 50, `${calmMean} ms`);

    const rough = oneRow();
    const wild = delays(3000, 180, 7);
    for (let n = 0; n < 3000; n++) arrive(rough, n, wild[n]!);
    endReceiving(rough, 1, 0);
    t.ok(
      rough.adaptiveLate[1]! < rough.lateDiscarded[1]! / 2,
      `${rough.adaptiveLate[1]} and ${rough.lateDiscarded[1]}`,
    );
    t.equal(rough.adaptiveMissing[1], rough.adaptiveLate[1], 'nothing was lost');
    const roughMean = adaptiveSumMs(rough, 1) / variationCount(rough, 1);
    t.ok(roughMean > 100 && roughMean <= ADAPTIVE_MAX_MS, `${roughMean} ms`);
  });

  t.test('missing = lost + late, for it as for the fixed one', async (t) => {
    const fates = fc.array(fc.constantFrom('ok', 'ok', 'ok', 'ok', 'lost', 'late'), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fates, (middle) => {
        const c = oneRow();
        ['ok', ...middle, 'ok'].forEach((fate, n) => {
          if (fate !== 'lost') arrive(c, n, fate === 'late' ? 205 : 0);
        });
        endReceiving(c, 1, 0);
        const lost = lostPackets(c, 1);
        return c.adaptiveMissing[1] === lost + c.adaptiveLate[1]! && c.adaptiveLate[1]! === c.lateDiscarded[1]!;
      }),
      { numRuns: 200 },
    );
    t.pass();
  });
});

t.test('silence that is not sent is no loss and no concealment (RFC 3389, DTX)', async (t) => {
  // The static type is comfort noise beside a dynamic one, too (RFC 3551, 6).
  for (const [marked, comfortNoise] of [true, false].flatMap((marked) =>
    [13, 97].map((type) => [marked, type] as const),
  )) {
    const c = oneRow();
    beginReceiving(c, 1, 0, 8000, { comfortNoise, events: 101 });
    let sequence = 65_500;
    let at = 0;
    for (let spurt = 0; spurt < 5; spurt++) {
      for (let i = 0; i < 50; i++, at += 20)
        observePacket(c, 1, packetOf(sequence++, at * 8, { marker: marked && i === 0 && spurt > 0 }), at + spurt * 30);
      observePacket(c, 1, packetOf(sequence++, at * 8, { payloadType: 13, payloadBytes: 1 }), at + spurt * 30);
      at += 4000;
    }
    endReceiving(c, 1, 0);
    t.match([expectedPackets(c, 1), lostPackets(c, 1), c.missing[1], c.missingRuns[1]], [255, 0, 0, 0]);
    t.match(
      [c.lateDiscarded[1], c.adaptiveLate[1], c.restarts[1]],
      [0, 0, 0],
      'each talkspurt is played from its own start',
    );
    t.match([c.comfortNoisePackets[1], c.unexpectedPayloadTypes[1], c.talkspurts[1]], [5, 0, 4]);
  }
});

t.test('digits are counted apart', async (t) => {
  const c = oneRow();
  beginReceiving(c, 1, 0, 8000, { events: 101 });
  for (let n = 0; n < 30; n++)
    arrive(c, n, 0, n >= 10 && n < 20 ? { payloadType: 101, timestamp: 10 * STEP, payloadBytes: 4 } : {});
  arrive(c, 30, 0, { payloadType: 77 });
  t.match([c.eventPackets[1], c.unexpectedPayloadTypes[1], c.jitterMax[1], lostPackets(c, 1)], [10, 1, 0, 0]);
});

t.test('another clock: what was measured stays what it was', async (t) => {
  const c = oneRow();
  for (let n = 0; n < 50; n++) arrive(c, n, (n % 2) * 10);
  const before = [c.jitterSum[1]! / 8, c.jitterMax[1]! / 8, c.variationMax[1]! / 8];
  changeClock(c, 1, 48_000);
  t.same([c.jitterSum[1]! / 48, c.jitterMax[1]! / 48, c.variationMax[1]! / 48], before);
});

t.test('drift', async (t) => {
  const measured = (ppm: number, seconds: number, shiftMs = 0): number => {
    const points = noDriftPoints();
    const noise = delays(seconds, 2, 5);
    for (let s = 0; s < seconds; s++)
      addDriftPoint(points, 1, s * 1000, 50 + noise[s]! - (s * 1000 * ppm) / 1e6 + (s > seconds * 0.7 ? shiftMs : 0));
    return driftPpm(points);
  };
  for (const ppm of [0, 100, -37]) {
    t.ok(Math.abs(measured(ppm, 3600) - ppm) < 0.1, `an hour: ${measured(ppm, 3600)}`);
    t.ok(Math.abs(measured(ppm, 120) - ppm) < 5, `two minutes: ${measured(ppm, 120)}`);
  }
  t.ok(Math.abs(measured(50, 3600, 4) - 50) < 2, 'a route that became longer');
  t.ok(Number.isNaN(measured(100, 15)), 'too short');
  const points = noDriftPoints();
  for (let s = 0; s < 100; s++) addDriftPoint(points, s < 80 ? 1 : 2, s * 1000, s < 80 ? 0 : 9_000_000);
  t.ok(Number.isNaN(driftPpm(points)), 'never across two bases');
});
