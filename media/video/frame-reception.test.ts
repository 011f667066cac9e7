import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { FRAME_COLUMNS, framesPerSecond } from './frame-columns.ts';
import { FrameReception, REORDER_MS } from './frame-reception.ts';
import { IS_KEYFRAME, STARTS_FRAME } from './payload-marks.ts';

/** Frames of four packets at 20 a second, every tenth a keyframe; the first number is close to the wrap. */
const PACKETS = 4;
const UNITS = 4500;
const FIRST = 65_500;

type Packet = { readonly n: number; readonly atMs: number };

function reception() {
  const c = mapColumns(FRAME_COLUMNS, 1, new ArrayBuffer(columnsBytes(FRAME_COLUMNS, 1)));
  const frames = new FrameReception(c, 0);
  const take = ({ n, atMs }: Packet): void => {
    const frame = Math.floor(n / PACKETS);
    const marks = n % PACKETS === 0 ? STARTS_FRAME | (frame % 10 === 0 ? IS_KEYFRAME : 0) : 0;
    frames.observe((FIRST + n) & 0xffff, (frame * UNITS) >>> 0, n % PACKETS === PACKETS - 1, marks, atMs);
  };
  return { c, frames, take };
}

/** Packet n of the clip, ten milliseconds apart within a frame of fifty. */
const timeOf = (n: number): number => Math.floor(n / PACKETS) * 50 + (n % PACKETS) * 10 + 1000;
const packets = (count: number): Packet[] => Array.from({ length: count }, (_, n) => ({ n, atMs: timeOf(n) }));
const lost = new Uint16Array(64);

t.test('a whole stream', async (t) => {
  const { c, frames, take } = reception();
  for (const packet of packets(400)) take(packet);
  t.equal(c.framesReceived[0], 100);
  t.equal(c.keyframesReceived[0], 10);
  t.same([c.framesLost[0], c.framesDropped[0], c.freezes[0]], [0, 0, 0]);
  t.equal(framesPerSecond(c, 0), 20);
  t.equal(frames.dueAtMs, Number.POSITIVE_INFINITY);
});

t.test('a lost packet is asked for twice, then given up with its frame, and a keyframe is asked for', async (t) => {
  const { c, frames, take } = reception();
  const [holeA, holeB] = [45, 46];
  for (const packet of packets(48).filter(({ n }) => n !== holeA && n !== holeB)) take(packet);
  const noticedMs = timeOf(47);
  t.equal(frames.collect(noticedMs + REORDER_MS - 1, 100, true, lost), 0, 'it may only have been overtaken');
  const firstMs = noticedMs + REORDER_MS;
  t.equal(frames.collect(firstMs, 100, true, lost), 2);
  t.same([...lost.subarray(0, 2)], [(FIRST + holeA) & 0xffff, (FIRST + holeB) & 0xffff]);
  t.equal(frames.collect(firstMs + 99, 100, true, lost), 0);
  t.equal(frames.collect(firstMs + 100, 100, true, lost), 2);
  for (const packet of packets(60).slice(48)) take(packet);
  t.equal(c.framesReceived[0], 11, 'what follows waits');
  t.equal(frames.takeKeyframeRequest(firstMs + 150, 100), false);
  t.equal(frames.collect(firstMs + 200, 100, true, lost), 0);
  t.same([c.framesLost[0], c.framesReceived[0], c.framesDropped[0]], [1, 14, 3]);
  t.equal(frames.takeKeyframeRequest(firstMs + 200, 100), true);
  t.equal(frames.takeKeyframeRequest(firstMs + 201, 100), false);
  t.equal(frames.takeKeyframeRequest(firstMs + 700, 100), true, 'until it has come');
  for (const packet of packets(88).slice(60)) take(packet);
  t.equal(c.keyframesReceived[0], 3);
  t.equal(c.framesDropped[0], 8);
  t.equal(frames.takeKeyframeRequest(1e9, 100), false);
  t.equal(c.freezes[0], 1, 'between frame 10 and keyframe 20');
});

t.test('what was asked for and comes mends the frame', async (t) => {
  const { c, frames, take } = reception();
  for (const packet of packets(60).filter(({ n }) => n !== 45)) take(packet);
  t.equal(frames.collect(timeOf(59) + REORDER_MS, 100, true, lost), 1);
  take({ n: 45, atMs: timeOf(59) + 40 });
  t.same([c.framesReceived[0], c.framesLost[0], c.framesDropped[0]], [15, 0, 0]);
  t.equal(c.recoveredPackets[0], 1);
  take({ n: 45, atMs: timeOf(59) + 41 });
  t.equal(c.recoveredPackets[0], 1, 'once');
});

t.test('two frames that nobody mends are given up together', async (t) => {
  const { c, frames, take } = reception();
  for (const packet of packets(60).filter(({ n }) => n !== 45 && n !== 50)) take(packet);
  let nowMs = timeOf(59) + REORDER_MS;
  for (let turn = 0; turn < 300; turn++, nowMs++) if (frames.dueAtMs <= nowMs) frames.collect(nowMs, 100, true, lost);
  t.same([c.framesLost[0], c.framesReceived[0]], [2, 13]);
});

t.test('numbers that jump ask for a keyframe no more often, and what was asked for before is forgotten', async (t) => {
  const { c, frames } = reception();
  let asked = 0;
  for (let n = 0; n < 200; n++) {
    frames.observe((n * 1000) & 0xffff, n * UNITS, true, STARTS_FRAME, 1000 + n * 10);
    frames.observe((n * 1000 + 2) & 0xffff, n * UNITS, true, STARTS_FRAME, 1000 + n * 10);
    frames.collect(1000 + n * 10 + 10, 100, true, lost);
    if (frames.takeKeyframeRequest(1000 + n * 10, 100)) asked += 1;
  }
  t.ok(asked > 1 && asked <= 5, `${asked} in two seconds`);
  t.equal(c.recoveredPackets[0], 0);
});

t.test('without NACK a frame is given up after a while', async (t) => {
  const { c, frames, take } = reception();
  for (const packet of packets(60).filter(({ n }) => n !== 45)) take(packet);
  t.equal(frames.collect(timeOf(46) + 10, 100, false, lost), 0);
  t.equal(frames.collect(timeOf(46) + 99, 100, false, lost), 0);
  t.equal(c.framesLost[0], 0);
  t.equal(frames.collect(timeOf(46) + 111, 100, false, lost), 0);
  t.same([c.framesLost[0], c.framesReceived[0]], [1, 14]);
  t.equal(frames.takeKeyframeRequest(timeOf(59), 100), true);
});

t.test('a receiver that joins in the middle asks for a keyframe at the first complete frame', async (t) => {
  const { c, take } = reception();
  for (const packet of packets(60).slice(6)) {
    take(packet);
    if (packet.n === 7) t.equal(c.framesReceived[0], 0, 'its head was before us');
  }
  t.same([c.framesReceived[0], c.framesDropped[0], c.keyframesReceived[0]], [13, 8, 1]);
  const late = reception();
  for (const packet of packets(16).slice(6)) late.take(packet);
  t.equal(late.frames.takeKeyframeRequest(timeOf(11), 100), true);
});

t.test('frames that were lost whole are counted by their timestamps', async (t) => {
  const { c, frames, take } = reception();
  for (const packet of packets(80).filter(({ n }) => n < 40 || n >= 60)) take(packet);
  for (let atMs = timeOf(60); atMs < timeOf(80); atMs += 5) frames.collect(atMs + 250, 50, true, lost);
  t.equal(c.framesLost[0], 5);
  t.equal(c.framesReceived[0], 15);
  const far = reception();
  for (const packet of packets(1000).filter(({ n }) => n < 40 || n >= 800)) far.take(packet);
  t.equal(far.c.framesLost[0], 190, 'a gap that nobody mends');
  t.equal(far.frames.collect(1e9, 50, true, lost), 0);
});

t.test('a picture freezes until a frame of the next source has come', async (t) => {
  for (const [pauseMs, freezes] of [
    [0, 0],
    [10_000, 1],
  ] as const) {
    const { c, frames, take } = reception();
    for (const packet of packets(40)) take(packet);
    frames.startOver();
    for (const packet of packets(80).slice(40)) take({ ...packet, atMs: packet.atMs + pauseMs });
    t.same([c.freezes[0], c.framesReceived[0], c.framesLost[0]], [freezes, 20, 0]);
    t.equal(c.freezeMs[0], freezes * (pauseMs + 50));
  }
  const frozen = reception();
  for (const packet of packets(80)) frozen.take(packet.n < 40 ? packet : { ...packet, atMs: packet.atMs + 1000 });
  t.equal(frozen.c.freezes[0], 1);
  t.equal(frozen.c.freezeMs[0], 1050);
});

t.test(
  'whatever is lost, repeated or shuffled: each frame is counted once at most, and the whole ones are',
  async () => {
    const frameCount = 60;
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 2 * PACKETS, max: frameCount * PACKETS - 5 }), { maxLength: 60 }),
        fc.array(fc.nat(30), { minLength: 10, maxLength: 10 }),
        (missing, delays) => {
          const { c, frames, take } = reception();
          const gone = new Set(missing);
          const arrivals = packets(frameCount * PACKETS)
            .filter(({ n }) => !gone.has(n))
            .map(({ n, atMs }, i) => ({ n, atMs: n === 0 ? atMs : atMs + delays[i % 10]! }))
            .sort((a, b) => a.atMs - b.atMs);
          let nowMs = 0;
          for (const packet of arrivals) {
            for (; nowMs < packet.atMs; nowMs += 5) frames.collect(nowMs, 20, true, lost);
            take(packet);
          }
          for (let i = 0; i < 200; i++, nowMs += 5) frames.collect(nowMs, 20, true, lost);
          const damaged = new Set(missing.map((n) => Math.floor(n / PACKETS))).size;
          return c.framesReceived[0]! === frameCount - damaged && c.framesLost[0]! === damaged;
        },
      ),
      { numRuns: 200 },
    );
  },
);

t.test('no packet, whatever its numbers, breaks it', async () => {
  const packet = fc.tuple(fc.nat(0xffff), fc.nat(0xffffffff), fc.boolean(), fc.nat(7), fc.nat(50));
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 300 }), (list) => {
      const { frames } = reception();
      let nowMs = 1;
      for (const [sequence, timestamp, marker, marks, waitMs] of list) {
        nowMs += waitMs;
        frames.observe(sequence, timestamp, marker, marks, nowMs);
        frames.collect(nowMs, 20, true, lost);
        frames.takeKeyframeRequest(nowMs, 20);
      }
    }),
  );
});
