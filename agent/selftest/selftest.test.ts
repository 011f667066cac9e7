/** The self-test's intervals, from a receiver's counts after each impairment, without a host in between. */

import { G711 } from '@carillon/media/codec/impairments.ts';
import { expectedFigures, type Interval, ONE_IN_10_000 } from '@carillon/media/impairment/expected.ts';
import { type Impairment, NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import { ImpairmentModel } from '@carillon/media/impairment/model.ts';
import { burstRatio, trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { listeningR, mosOf } from '@carillon/media/quality/rating.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { emptyRtpPacket } from '@carillon/media/rtp/header.ts';
import { endReceiving, observePacket } from '@carillon/media/rtp/receive.ts';
import { beginReceiving, lostPackets, RECEIVE_COLUMNS } from '@carillon/media/rtp/receive-columns.ts';
import { seedOf } from '@carillon/media/seeded.ts';
import { expectedPackets } from '@carillon/media/testing/rtp-row.ts';
import t from 'tap';
import { selfTestCommand } from './command.ts';
import { TRIALS } from './impairments.ts';

const RUNS = 4;
const STREAMS = 20;
const PACKETS = 1000;
const PACKET_MS = 20;
const codec = G711;
const observation = {
  streams: STREAMS,
  packets: PACKETS,
  packetMs: PACKET_MS,
  noiseMs: 0,
  disturbedPercent: 0,
  skippedPercent: 0,
  codec,
  deviations: ONE_IN_10_000,
};

/** One impaired stream, as counted by a receiver. */
function oneStream(impairment: Impairment, seed: number) {
  const model = new ImpairmentModel(impairment, seed);
  const arrivals: { readonly number: number; readonly atMs: number }[] = [];
  for (let number = 0; number < PACKETS; number++) {
    if (!model.decide(number * PACKET_MS, PACKET_MS)) continue;
    for (let copy = model.duplicate ? 0 : 1; copy < 2; copy++) arrivals.push({ number, atMs: model.arrivalMs });
  }
  arrivals.sort((a, b) => a.atMs - b.atMs);
  const c = mapColumns(RECEIVE_COLUMNS, 1, new SharedArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 1)));
  beginReceiving(c, 0, 0, 8000);
  const packet = { ...emptyRtpPacket(), ssrc: 1, payloadBytes: 160 };
  for (const { number, atMs } of arrivals) {
    packet.sequence = number;
    packet.timestamp = number * 160;
    observePacket(c, 0, packet, 1000 + atMs);
  }
  endReceiving(c, 0, 0);
  const [expected, lost, lateDiscarded] = [expectedPackets(c, 0), lostPackets(c, 0), c.lateDiscarded[0]!];
  const trusted = trustedBurstRatio(c.missing[0]!, c.missingRuns[0]!, expected);
  return {
    expected,
    lost,
    lateDiscarded,
    unique: c.unique[0]!,
    duplicates: c.duplicates[0]!,
    reordered: c.reordered[0]!,
    missing: c.missing[0]!,
    missingRuns: c.missingRuns[0]!,
    jitterMs: c.jitterSum[0]! / c.jitterCount[0]! / 8,
    mosLq: mosOf(codec, listeningR(codec, { expected, lost, lateDiscarded, burstRatio: trusted })),
  };
}

function figuresOf(impairment: Impairment, seed: number) {
  const streams = Array.from({ length: STREAMS }, (_, i) => oneStream(impairment, seedOf(seed, i)));
  const sum = (of: (stream: (typeof streams)[number]) => number): number =>
    streams.reduce((before, stream) => before + of(stream), 0);
  const expected = sum((stream) => stream.expected);
  const unique = sum((stream) => stream.unique);
  return {
    lossPercent: (100 * sum((stream) => stream.lost)) / expected,
    burstRatio: burstRatio(
      sum((stream) => stream.missing),
      sum((stream) => stream.missingRuns),
      expected,
    ),
    jitterMs: sum((stream) => stream.jitterMs) / STREAMS,
    latePercent: (100 * sum((stream) => stream.lateDiscarded)) / expected,
    duplicatePercent: (100 * sum((stream) => stream.duplicates)) / unique,
    reorderedPercent: (100 * sum((stream) => stream.reordered)) / unique,
    mosLq: sum((stream) => stream.mosLq) / STREAMS,
  };
}

for (const { name, impairment } of TRIALS)
  t.test(`${name}: every figure is inside`, async (t) => {
    const intervals: Record<string, Interval | null> = expectedFigures(impairment, observation);
    for (let run = 0; run < RUNS; run++)
      for (const [figure, value] of Object.entries(figuresOf(impairment, 1000 + run))) {
        const interval = intervals[figure];
        if (!interval) continue;
        const { low, high } = interval;
        t.ok(value >= low - 1e-9 && value <= high + 1e-9, `${figure} ${value} in ${low} to ${high}`);
      }
  });

t.test('an interval knows one impairment from another', async (t) => {
  const expected = (setting: Partial<Impairment>) => expectedFigures({ ...NO_IMPAIRMENT, ...setting }, observation);
  const apart = (a: Interval, b: Interval): boolean => a.high < b.low || b.high < a.low;
  const [one, three] = [expected({ lossPercent: 1 }), expected({ lossPercent: 3 })];
  t.ok(apart(one.lossPercent, three.lossPercent) && apart(one.mosLq, three.mosLq));
  t.ok(apart(expected({ lossPercent: 10 }).burstRatio!, expected({ lossPercent: 10, burstRatio: 2 }).burstRatio!));
  t.ok(apart(expected({ jitterMs: 5 }).jitterMs!, expected({ jitterMs: 6 }).jitterMs!));
  t.ok(apart(expected({ duplicatePercent: 5 }).duplicatePercent, expected({ duplicatePercent: 7 }).duplicatePercent));
  t.ok(apart(expected({ reorderPercent: 5 }).reorderedPercent!, expected({ reorderPercent: 7 }).reorderedPercent!));
  t.ok(apart(expected({ jitterMs: 20 }).latePercent, expected({ jitterMs: 22 }).latePercent));
});

t.test('where there is no closed form, none is pretended', async (t) => {
  const tangled = expectedFigures({ ...NO_IMPAIRMENT, jitterMs: 20, reorderPercent: 5 }, observation);
  t.equal(tangled.jitterMs, null);
  t.equal(tangled.reorderedPercent, null);
});

t.test('what the command refuses', async (t) => {
  for (const args of [
    ['--io', 'tcp'],
    ['--seconds', '3'],
    ['--seconds', 'x'],
    ['--streams', '0'],
    ['--seed', '-1'],
  ])
    await t.rejects(selfTestCommand([args[0]!, args[1]!]), /is unknown|is not an integer|ambiguous/);
  await t.rejects(selfTestCommand(['--nonsense']), /Unknown option/);
});
