import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { gapBurstOf } from '../testing/gap-burst-of.ts';
import { arrive, oneRow, packetOf, STEP } from '../testing/rtp-row.ts';
import { PLAYOUT_BUFFER_MS, RESYNC_PACKETS, TRANSIT_WINDOW_MS } from './arrival.ts';
import { columnsBytes, mapColumns } from './columns.ts';
import { endReceiving, observePacket } from './receive.ts';
import { beginReceiving, lostPackets, RECEIVE_COLUMNS, readConsistently, WINDOW } from './receive-columns.ts';
import { HORIZON } from './sequence-window.ts';

t.test('jitter', async (t) => {
  /** RFC 3550, 6.4.1, literally. */
  const reference = (arrivals: readonly number[], timestamps: readonly number[], clock: number): number => {
    let jitter = 0;
    for (let i = 1; i < arrivals.length; i++) {
      const d = ((arrivals[i]! - arrivals[i - 1]!) * clock) / 1000 - (timestamps[i]! - timestamps[i - 1]!);
      jitter += (Math.abs(d) - jitter) / 16;
    }
    return jitter;
  };

  const jitterMs = (arrivals: readonly number[], timestamps: readonly number[], clock = 8000): number => {
    const c = oneRow(clock);
    arrivals.forEach((at, i) => {
      observePacket(c, 1, packetOf(i, timestamps[i]!), at);
    });
    return (c.jitter[1]! / clock) * 1000;
  };
  const steps = (n: number, step = STEP): number[] => Array.from({ length: n }, (_, i) => i * step);

  const table: [string, number[], number[], number][] = [
    ['even spacing', [0, 20, 40, 60], steps(4), 0],
    ['a step of 10 ms', [0, 20, 50], steps(3), 0.625],
    ['a step of 10 ms, one packet on', [0, 20, 50, 60], steps(4), 1.2109375],
    ['a step of 10 ms, two packets on', [0, 20, 50, 60, 80], steps(5), 1.13525390625],
    ['silence with the timestamp going on', [0, 20, 4040], [0, 160, 160 * 202], 0],
    ['silence with the timestamp standing', [0, 20, 4040], steps(3), 250],
  ];
  for (const [name, arrivals, timestamps, expected] of table)
    t.ok(Math.abs(jitterMs(arrivals, timestamps) - expected) < 1e-9, name);

  t.test('alternating 10 ms converges to 10 ms', async (t) => {
    const arrivals = Array.from({ length: 200 }, (_, i) => i * 20 + (i % 2) * 10);
    t.ok(Math.abs(jitterMs(arrivals, steps(200)) - 10) < 0.001);
  });

  t.test('the clock is the rtpmap’s: Opus and video', async (t) => {
    const arrivals = [0, 21, 39, 62, 80];
    for (const clock of [8000, 48_000, 90_000]) {
      const timestamps = steps(5, clock / 50);
      t.ok(
        Math.abs(jitterMs(arrivals, timestamps, clock) - (reference(arrivals, timestamps, clock) / clock) * 1000) <
          1e-9,
      );
    }
  });

  t.test('reordered packets count in order of arrival, duplicates do not count', async (t) => {
    const c = oneRow();
    const order = [0, 1, 3, 2, 2, 4];
    order.forEach((n, i) => {
      observePacket(c, 1, packetOf(n, n * STEP), i * 20);
    });
    const without = [0, 1, 2, 3, 5].map((i) => ({ at: i * 20, timestamp: order[i]! * STEP }));
    const expected = reference(
      without.map((p) => p.at),
      without.map((p) => p.timestamp),
      8000,
    );
    t.ok(Math.abs(c.jitter[1]! - expected) < 1e-9);
    t.equal(c.jitterCount[1], 4);
  });

  t.test('mean and greatest are those of J over the packets', async (t) => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 2, maxLength: 100 }), (delays) => {
        const c = oneRow();
        const js: number[] = [];
        delays.forEach((delay, n) => {
          arrive(c, n, delay);
          if (n > 0) js.push(c.jitter[1]!);
        });
        const sum = js.reduce((a, b) => a + b, 0);
        return (
          Math.abs(c.jitterSum[1]! - sum) < 1e-6 &&
          c.jitterCount[1] === js.length &&
          c.jitterMax[1] === Math.max(0, ...js) &&
          c.jitterIntervalMax[1] === c.jitterMax[1]
        );
      }),
    );
    t.pass();
  });
});

t.test('playout', async (t) => {
  t.test('60 ms later than the fastest is in time, more is not', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 20; n++) arrive(c, n, n === 10 ? PLAYOUT_BUFFER_MS : n === 15 ? PLAYOUT_BUFFER_MS + 0.5 : 0);
    endReceiving(c, 1, 0);
    t.match([c.lateDiscarded[1], c.missing[1], c.missingRuns[1]], [1, 1, 1]);
  });

  t.test('a slow first packet does not lengthen the buffer', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 20; n++) arrive(c, n, n === 0 ? 50 : n === 15 ? 70 : 0);
    t.equal(c.lateDiscarded[1], 1);
  });

  t.test('clocks that drift apart make no late packets', async (t) => {
    const c = oneRow();
    const fiveMinutes = 15_000;
    for (let n = 0; n < fiveMinutes; n++) arrive(c, n, n * 20 * 300e-6);
    t.equal(c.lateDiscarded[1], 0, `90 ms of drift, window ${TRANSIT_WINDOW_MS} ms`);
  });

  t.test('a talkspurt anchors the buffer again', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 10; n++) arrive(c, n);
    for (let n = 10; n < 20; n++) arrive(c, n, 500, { marker: n === 10 });
    t.equal(c.lateDiscarded[1], 0);
  });

  t.test('a lasting change of delay is late until the buffer resyncs', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 300; n++) arrive(c, n, n < 100 ? 0 : 200);
    t.equal(c.lateDiscarded[1], RESYNC_PACKETS - 1);
  });

  t.test('timestamps on another base are a restart, neither jitter nor late', async (t) => {
    for (const base of [0x4000_0000, 0x9000_0000, 50_000]) {
      const c = oneRow();
      for (let n = 0; n < 200; n++) arrive(c, n, n % 2, n < 100 ? {} : { timestamp: (n * STEP + base) >>> 0 });
      endReceiving(c, 1, 0);
      t.match([c.restarts[1], c.lateDiscarded[1], c.missing[1], lostPackets(c, 1)], [1, 0, 0, 0], `${base}`);
      t.ok(c.jitterMax[1]! <= 8, `${c.jitterMax[1]! / 8} ms`);
      t.ok(c.jitter[1]! > 7, 'J is kept');
    }
  });

  t.test('a pause that its timestamps leave out is jitter, a packet of six seconds ago is late', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 100; n++) arrive(c, n, n < 50 ? 0 : 20_000);
    t.match([c.restarts[1], Math.round(c.jitterMax[1]! / 8)], [0, 20_000 / 16]);
    const late = oneRow();
    for (let n = 0; n < 330; n++) if (n !== 30) arrive(late, n);
    arrive(late, 30, 5990);
    for (let n = 330; n < 340; n++) arrive(late, n);
    t.match([late.restarts[1], late.lateDiscarded[1], lostPackets(late, 1)], [0, 1, 0]);
  });

  t.test('PLC events are the maximal runs of missing packets; a packet in time fills its hole', async (t) => {
    const c = oneRow();
    const lost = new Set([5, 6, 7, 20, 40, 41]);
    for (let n = 0; n < 100; n++) if (!lost.has(n) && n !== 90) arrive(c, n, n === 8 ? 100 : 0);
    t.equal(c.missingRuns[1], 3);
    t.match(
      [c.missing[1], c.longestMissingRun[1]],
      [7, 4],
      'the late packet prolongs the run before it, 90 has its turn yet',
    );
    endReceiving(c, 1, 0);
    t.match([c.missing[1], c.missingRuns[1]], [8, 4]);
    const d = oneRow();
    for (const n of [0, 1, 2, 4, 3, 5]) arrive(d, n);
    endReceiving(d, 1, 0);
    t.match([d.missing[1], d.missingRuns[1], d.reordered[1]], [0, 0, 1]);
  });

  t.test('missing = lost + late, and bursts are those of the pattern, once all is judged', async (t) => {
    const fates = fc.array(fc.constantFrom<'ok' | 'lost' | 'late'>('ok', 'ok', 'ok', 'ok', 'lost', 'late'), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(fates, (middle) => {
        const list = ['ok', ...middle, 'ok'];
        const c = oneRow();
        list.forEach((fate, n) => {
          if (fate !== 'lost') arrive(c, n, fate === 'late' ? 75 : 0);
        });
        endReceiving(c, 1, 0);
        const good = list.map((fate) => fate === 'ok');
        const runs = good.filter((ok, i) => !ok && good[i - 1]).length;
        const clusters = gapBurstOf(good);
        return (
          c.missing[1] === good.filter((ok) => !ok).length &&
          c.missing[1] === lostPackets(c, 1) + c.lateDiscarded[1]! &&
          c.missingRuns[1] === runs &&
          (clusters.bursts === 0 || c.bursts[1]! + (c.clusterMissing[1]! >= 2 ? 1 : 0) === clusters.bursts)
        );
      }),
      { numRuns: 300 },
    );
    t.pass();
  });

  t.test('a gap longer than the window is judged to the last', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    arrive(c, 1);
    arrive(c, WINDOW + 900);
    t.equal(c.missing[1], WINDOW + 900 - 2 - HORIZON + 1);
    endReceiving(c, 1, 0);
    t.equal(c.missing[1], lostPackets(c, 1));
    t.equal(c.missingRuns[1], 1);
  });
});

t.test('rows', async (t) => {
  t.test('restart without a trace', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 100; n += 3) arrive(c, n, n % 7);
    beginReceiving(c, 1, 8, 16_000);
    const fresh = mapColumns(RECEIVE_COLUMNS, 2, new ArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 2)));
    beginReceiving(fresh, 1, 8, 16_000);
    t.same(c, fresh);
  });

  t.test('first arrival, longest gap and octets', async (t) => {
    const c = oneRow();
    t.equal(c.firstArrivalMs[1], 0);
    for (const n of [0, 1, 9, 10]) arrive(c, n);
    t.match([c.firstArrivalMs[1], c.lastArrivalMs[1], c.longestGapMs[1], c.octets[1]], [1000, 1200, 160, 640]);
  });

  t.test('a reader notices that it was interrupted', async (t) => {
    const c = oneRow();
    let tries = 0;
    readConsistently(c, 1, () => {
      tries += 1;
      if (tries < 3) arrive(c, tries);
    });
    t.equal(tries, 3);
  });
});
