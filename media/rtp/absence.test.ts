/** Media that were owed and did not come: examples by hand, and a model of gaps over random streams. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { arrive, oneRow, packetOf, STEP } from '../testing/rtp-row.ts';
import { awaitedMs, beginAwaiting, excuseDelay, HOLE_MS, stopAwaiting } from './absence.ts';
import { endReceiving, interruptReceiving, observePacket } from './receive.ts';
import {
  beginReceiving,
  expectedPackets,
  lostPackets,
  missingPacketRuns,
  missingPackets,
  type ReceiveColumns,
} from './receive-columns.ts';

/** Packet n of the stream arrives at 1000 + 20 n; media are owed from 1000 on. */
function awaited(): ReceiveColumns {
  const c = oneRow();
  beginAwaiting(c, 1, 20, 1000);
  return c;
}

const send = (c: ReceiveColumns, from: number, to: number): void => {
  for (let n = from; n < to; n++) arrive(c, n);
};

const figures = (c: ReceiveColumns) => ({
  expected: expectedPackets(c, 1),
  lost: lostPackets(c, 1),
  missing: missingPackets(c, 1),
  runs: missingPacketRuns(c, 1),
  absentMs: c.absentMs[1],
  head: c.headMs[1],
  gaps: c.gaps[1],
  longest: c.longestHoleMs[1],
  at: c.longestHoleAtMs[1],
  tail: c.tailMs[1],
});
const NONE = { absentMs: 0, head: 0, gaps: 0, longest: 0, at: 0, tail: 0 };

t.test('a stream that comes as it should has no holes', async (t) => {
  const c = awaited();
  send(c, 0, 500);
  endReceiving(c, 1, 11_000);
  t.strictSame(figures(c), { expected: 500, lost: 0, missing: 0, runs: 0, ...NONE });
  t.equal(c.awaitedBeforeMs[1], 10_000);
});

t.test('a tail that never comes is lost', async (t) => {
  const c = awaited();
  send(c, 0, 100);
  t.equal(expectedPackets(c, 1, 3900), 100, 'less than a second: it may come yet');
  t.match([expectedPackets(c, 1, 5000), lostPackets(c, 1, 5000)], [201, 101], 'while it is open, by the clock');
  endReceiving(c, 1, 11_000);
  const rest = { absentMs: 8020, head: 0, gaps: 0, longest: 0, at: 0, tail: 8020 };
  t.strictSame(figures(c), { expected: 501, lost: 401, missing: 401, runs: 1, ...rest });
});

t.test('a stream of which nothing comes is all lost, and has no tail: it never began', async (t) => {
  const c = awaited();
  endReceiving(c, 1, 9000);
  t.strictSame(figures(c), { expected: 400, lost: 400, missing: 400, runs: 1, ...NONE, absentMs: 8000, head: 8000 });
});

t.test('a head that comes late', async (t) => {
  const c = awaited();
  send(c, 150, 200);
  endReceiving(c, 1, 5000);
  t.strictSame(figures(c), { expected: 200, lost: 150, missing: 150, runs: 1, ...NONE, absentMs: 3000, head: 3000 });
});

t.test('a hole that the numbers do not show, and one that they do', async (t) => {
  const hole = { absentMs: 2020, head: 0, gaps: 1, longest: 2020, at: 2980, tail: 0 };
  const paused = awaited();
  send(paused, 0, 100);
  // The sender paused for two seconds: its timestamps continued, its sequence numbers did not.
  for (let n = 0; n < 100; n++) observePacket(paused, 1, packetOf(100 + n, (200 + n) * STEP), 5000 + n * 20);
  endReceiving(paused, 1, 7000);
  t.strictSame(figures(paused), { expected: 300, lost: 100, missing: 100, runs: 1, ...hole });

  const cut = awaited();
  send(cut, 0, 100);
  send(cut, 200, 300);
  endReceiving(cut, 1, 7000);
  t.strictSame(figures(cut), { expected: 300, lost: 100, missing: 100, runs: 1, ...hole });
  t.equal(cut.absentPackets[1], 0, 'the numbers have counted them');
});

t.test('pauses of less than a second are no holes', async (t) => {
  const c = awaited();
  send(c, 0, 50);
  for (let n = 0; n < 50; n++) observePacket(c, 1, packetOf(50 + n, (99 + n) * STEP), 1000 + (99 + n) * 20 - 1);
  endReceiving(c, 1, 1000 + 149 * 20);
  t.match(figures(c), { expected: 100, lost: 0, gaps: 0, absentMs: 0 });
});

t.test('silence that is left out is owed nothing', async (t) => {
  const marked = awaited();
  send(marked, 0, 50);
  observePacket(marked, 1, packetOf(50, 250 * STEP, { marker: true }), 6000);
  endReceiving(marked, 1, 20_000);
  t.match(figures(marked), { expected: 51, lost: 0, absentMs: 0, tail: 0 }, 'RFC 3551, 4.1: by the marker bit');

  const noisy = oneRow();
  beginReceiving(noisy, 1, 0, 8000, [], { comfortNoise: 13 });
  beginAwaiting(noisy, 1, 20, 1000);
  send(noisy, 0, 50);
  arrive(noisy, 50, 0, { payloadType: 13, payloadBytes: 1 });
  t.equal(expectedPackets(noisy, 1, 60_000), 51);
  observePacket(noisy, 1, packetOf(51, 500 * STEP), 11_000);
  send(noisy, 502, 502);
  endReceiving(noisy, 1, 14_000);
  t.match(figures(noisy), { gaps: 0, tail: 3000 }, 'RFC 3389: after comfort noise, not after sound');
});

t.test('a far end that is silent from the beginning, by comfort noise, owes nothing until it speaks', async (t) => {
  const c = oneRow();
  beginReceiving(c, 1, 0, 8000, [], { comfortNoise: 13 });
  beginAwaiting(c, 1, 20, 1000);
  arrive(c, 0, 0, { payloadType: 13, payloadBytes: 1 });
  t.equal(expectedPackets(c, 1, 6000), 0);
  send(c, 250, 300);
  endReceiving(c, 1, 7000);
  t.match(figures(c), { expected: 50, lost: 0, ...NONE });
});

/** Packets 0 to 399; those due from 3000 to 4200 are delayed, and arrive as `at` says. */
function heldUp(at: (n: number) => number): ReceiveColumns {
  const c = awaited();
  for (let n = 0; n < 400; n++) observePacket(c, 1, packetOf(n, n * STEP), n < 100 ? 1000 + n * 20 : at(n));
  return c;
}

t.test('what was held up and comes all at once is late, and not lost', async (t) => {
  const burst = heldUp((n) => Math.max(1000 + n * 20, 4200 + (n - 160) / 128));
  t.match(figures(burst), { expected: 400, lost: 0, absentMs: 1219.53125, gaps: 1 }, 'nobody heard it for so long');
  t.equal(burst.absentRuns[1], 0);
  t.ok(burst.lateDiscarded[1]! >= 45, `${burst.lateDiscarded[1]} could not be played`);
  const slowly = heldUp((n) => Math.max(1000 + n * 20, 4200 + (n - 100) * 10));
  t.match(figures(slowly), { expected: 400, lost: 0, gaps: 1 }, 'at twice the speed');
  const later = heldUp((n) => 1000 + n * 20 + 1200);
  t.match(
    figures(later),
    { expected: 460, lost: 60, gaps: 1 },
    'the clock of its sender stalled: nothing arrives sooner',
  );
});

t.test('of what was held up, some is lost', async (t) => {
  const c = awaited();
  for (let n = 0; n < 400; n++)
    if (n % 5 !== 3)
      observePacket(c, 1, packetOf(n, n * STEP), n < 100 || n >= 160 ? 1000 + n * 20 : 4199 + (n - 100) * 0.01);
  endReceiving(c, 1, 9000);
  t.match(figures(c), { expected: 400, lost: 80 });
});

t.test('duplicates by themselves are not media', async (t) => {
  const c = awaited();
  send(c, 0, 50);
  for (let n = 0; n < 200; n++) observePacket(c, 1, packetOf(49, 49 * STEP), 2000 + n * 20);
  endReceiving(c, 1, 6000);
  t.match(figures(c), { tail: 6000 - 1980, lost: 201 });
});

t.test('a held call is owed nothing while it is held', async (t) => {
  const c = awaited();
  send(c, 0, 100);
  stopAwaiting(c, 1, 3000, false);
  interruptReceiving(c, 1);
  beginAwaiting(c, 1, 20, 63_000);
  for (let n = 0; n < 100; n++) observePacket(c, 1, packetOf(100 + n, (3100 + n) * STEP), 63_000 + n * 20);
  endReceiving(c, 1, 65_000);
  t.strictSame(figures(c), { expected: 200, lost: 0, missing: 0, runs: 0, ...NONE });
  t.equal(c.awaitedBeforeMs[1], 4000);

  const stopped = awaited();
  send(stopped, 0, 50);
  stopAwaiting(stopped, 1, 5000, false);
  endReceiving(stopped, 1, 9000);
  t.match(figures(stopped), { gaps: 1, longest: 3020, at: 1980, tail: 0 }, 'what was missing before the hold counts');
});

t.test('packets are as long as the sender makes them, not as was agreed', async (t) => {
  const c = awaited();
  for (let n = 0; n < 50; n++) observePacket(c, 1, packetOf(n, n * 2 * STEP), 1000 + n * 40);
  endReceiving(c, 1, 1000 + 49 * 40 + 4000);
  t.match(figures(c), { expected: 150, lost: 100 }, '4 s are 100 packets of 40 ms');
});

t.test('a pause that comes again, but not at once, makes no packet longer', async (t) => {
  const c = awaited();
  // 20, 20, 180, 20, 180 ms: then 1 s without any.
  for (const [sequence, at] of [0, 20, 40, 220, 240, 420].entries())
    observePacket(c, 1, packetOf(sequence, (at / 20) * STEP), 1000 + at);
  endReceiving(c, 1, 1420 + 1000);
  t.equal(lostPackets(c, 1), 50, 'of 20 ms each');
});

t.test('of video, time is missing and no packets are', async (t) => {
  const c = oneRow(90_000);
  c.frameTimed[1] = 1;
  beginAwaiting(c, 1, 0, 1000);
  for (let n = 0; n < 30; n++) observePacket(c, 1, packetOf(n, n * 3000, { marker: true }), 1000 + n * 33);
  endReceiving(c, 1, 8000);
  t.match(figures(c), { expected: 30, lost: 0 });
  t.ok(c.tailMs[1]! > 6000);
});

t.test('a hole that we were held up in ourselves is no hole', async (t) => {
  const c = awaited();
  send(c, 0, 100);
  // Delayed from 3000 to 5500: our own end sent nothing either. Other ends did, and the packets wait in the kernel with their timestamps.
  arrive(c, 100);
  excuseDelay(c, 1, 2500);
  for (let n = 226; n < 500; n++) arrive(c, n);
  endReceiving(c, 1, 11_000);
  t.match(figures(c), { absentMs: 0, gaps: 0, tail: 0 });
  const other = awaited();
  send(other, 0, 100);
  excuseDelay(other, 1, 2500);
  // It arrived before that, and is read later.
  arrive(other, 100);
  send(other, 101, 500);
  endReceiving(other, 1, 11_000);
  t.strictSame(figures(other), { expected: 500, lost: 0, missing: 0, runs: 0, ...NONE });
});

t.test('over random pauses: what is absent is the sum of the holes', async (t) => {
  const pause = fc.record({ packets: fc.integer({ min: 1, max: 80 }), pauseMs: fc.integer({ min: 0, max: 4000 }) });
  fc.assert(
    fc.property(fc.array(pause, { minLength: 1, maxLength: 12 }), fc.boolean(), (parts, numbered) => {
      fc.pre(numbered || !looksLonger(parts));
      const c = awaited();
      let [atMs, n, sequence] = [1000, 0, 0];
      let [holes, absentMs, owed] = [0, 0, 0];
      for (const [i, { packets, pauseMs }] of parts.entries()) {
        for (let k = 0; k < packets; k++) {
          atMs += 20;
          observePacket(c, 1, packetOf(sequence++, n++ * STEP), atMs);
        }
        if (i === parts.length - 1) break;
        const skipped = Math.round(pauseMs / 20);
        // The next packet comes after the pause plus its own 20 ms.
        const holeMs = pauseMs + 20;
        atMs += pauseMs;
        n += skipped;
        if (numbered) sequence += skipped;
        if (holeMs < HOLE_MS) owed += numbered ? skipped : 0;
        else {
          holes += 1;
          absentMs += holeMs;
          owed += Math.round(holeMs / 20) - 1;
        }
      }
      endReceiving(c, 1, atMs);
      return (
        c.gaps[1] === holes &&
        Math.abs(c.absentMs[1]! - absentMs) < 1e-6 &&
        Math.abs(lostPackets(c, 1) - owed) <= (numbered ? holes : 0) &&
        expectedPackets(c, 1) - lostPackets(c, 1) === sequence - (numbered ? owedNumbers(parts) : 0) &&
        awaitedMs(c, 1, atMs) === atMs - 1000
      );
    }),
    { numRuns: 300 },
  );
  t.pass();
});

/**
 * Packets that are one step of at most 200 ms apart twice in a row define the packet length (RFC 3551, 4.2): here longer than
 * the real one.
 */
const looksLonger = (parts: readonly { packets: number; pauseMs: number }[]): boolean =>
  parts.slice(0, -1).some(({ packets, pauseMs }, i) => {
    const skipped = Math.round(pauseMs / 20);
    return packets === 1 && skipped > 0 && skipped < 10 && Math.round((parts[i - 1]?.pauseMs ?? 0) / 20) === skipped;
  });

const owedNumbers = (parts: readonly { pauseMs: number }[]): number =>
  parts.slice(0, -1).reduce((sum, { pauseMs }) => sum + Math.round(pauseMs / 20), 0);
