import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { emptyRtpPacket } from '../rtp/header.ts';
import { DigitSchedule, END_PACKETS } from './digit-schedule.ts';
import { DIGITS, emptyEvent, MAX_DURATION, readEvent, writeEvent } from './event-payload.ts';
import { DIGIT_COLUMNS, type DigitColumns, observeDigit, receivedDigits, receivedText } from './receive-digits.ts';

type Packet = { slot: number; timestamp: number; marker: boolean; event: number; end: boolean; duration: number };

const STEP = 160;

/** The packets slot by slot, until the schedule is done. */
function packetsOf(digits: string, on: number, off: number, first = 1000, step = STEP): Packet[] {
  const schedule = new DigitSchedule(digits, on, off);
  const packets: Packet[] = [];
  for (let slot = 0; !schedule.done && slot < 100_000; slot++) {
    if (!schedule.next(first + slot * step, step)) continue;
    const { timestamp, marker, payload } = schedule;
    packets.push({ slot, timestamp, marker, event: payload.event, end: payload.end, duration: payload.duration });
  }
  return packets;
}

const oneRow = (): DigitColumns => mapColumns(DIGIT_COLUMNS, 2, new SharedArrayBuffer(columnsBytes(DIGIT_COLUMNS, 2)));

function hear(c: DigitColumns, packets: readonly Packet[], ssrc = 7): void {
  for (const { timestamp, marker, event, end, duration } of packets)
    observeDigit(
      c,
      1,
      { ...emptyRtpPacket(), ssrc, timestamp: timestamp >>> 0, marker },
      { event, end, duration, volume: 10 },
    );
}

const digitText = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 1, maxLength: 20 });

t.test('the payload there and back', async (t) => {
  const bytes = new Uint8Array(8);
  writeEvent(bytes, 2, { event: 11, end: true, volume: 10, duration: 1600 });
  t.equal(Buffer.from(bytes).toString('hex'), '00000b8a06400000', 'network byte order');
  fc.assert(
    fc.property(fc.nat(255), fc.boolean(), fc.nat(63), fc.nat(0xffff), (event, end, volume, duration) => {
      writeEvent(bytes, 0, { event, end, volume, duration });
      const read = emptyEvent();
      t.ok(readEvent(bytes, 0, 4, read));
      t.same(read, { event, end, volume, duration });
    }),
    { numRuns: 50 },
  );
  t.notOk(readEvent(bytes, 0, 3, emptyEvent()));
});

t.test('120 ms on, 80 ms off: what goes out', async (t) => {
  const packets = packetsOf('5#', 960, 640);
  t.same(
    packets.slice(0, 8).map(({ slot, timestamp, marker, end, duration }) => [slot, timestamp, marker, end, duration]),
    [
      [0, 1000, true, false, 160],
      [1, 1000, false, false, 320],
      [2, 1000, false, false, 480],
      [3, 1000, false, false, 640],
      [4, 1000, false, false, 800],
      [5, 1000, false, true, 960],
      [6, 1000, false, true, 960],
      [7, 1000, false, true, 960],
    ],
  );
  t.match(packets[8], { slot: 10, timestamp: 2600, marker: true, event: 11, duration: 160 }, 'the next after 200 ms');
});

t.test('no digit: refused', async (t) => {
  for (const digits of ['5x', 'E', ' ']) t.throws(() => new DigitSchedule(digits, 960, 640), RangeError);
  t.same(packetsOf('', 960, 640), []);
});

t.test('durations and distances are exact, whatever the slots', async (t) => {
  fc.assert(
    fc.property(
      digitText,
      fc.integer({ min: 1, max: 4000 }),
      fc.integer({ min: 640, max: 3000 }),
      fc.nat(500),
      (digits, on, off, first) => {
        const packets = packetsOf(digits, on, off, first);
        const starts = packets.filter((packet) => packet.marker);
        t.same(starts.map(({ event }) => DIGITS[event]).join(''), digits);
        t.ok(starts.every(({ timestamp }, i) => timestamp === first + i * (on + off)));
        const ends = packets.filter((packet) => packet.end);
        t.equal(ends.length, END_PACKETS * digits.length);
        t.ok(ends.every(({ duration }) => duration === on));
        t.ok(
          packets.every(
            ({ slot, timestamp, duration, end }) => end || timestamp + duration === first + (slot + 1) * STEP,
          ),
        );
        const c = oneRow();
        hear(c, packets);
        t.equal(receivedText(c, 1), digits);
        t.ok(receivedDigits(c, 1, 8).every(({ durationMs, volume }) => durationMs === on / 8 && volume === 10));
      },
    ),
    { numRuns: 60 },
  );
});

t.test('long digits go in segments', async (t) => {
  const on = 2 * MAX_DURATION + 5000;
  const packets = packetsOf('9', on, 640);
  const segments = [...new Set(packets.map(({ timestamp }) => timestamp))];
  t.same(segments, [1000, 1000 + MAX_DURATION, 1000 + 2 * MAX_DURATION]);
  t.equal(packets.filter(({ marker }) => marker).length, 1, 'M only at the beginning of the event');
  t.equal(packets.filter(({ end }) => end).length, END_PACKETS);
  t.ok(
    segments
      .slice(0, 2)
      .every((segment) => packets.some((p) => p.timestamp === segment && p.duration === MAX_DURATION && !p.end)),
  );
  const c = oneRow();
  hear(c, packets);
  t.same(receivedDigits(c, 1, 8), [{ digit: '9', durationMs: on / 8, volume: 10 }]);
});

t.test('losses, copies and late packets change no digit as long as one packet of each is heard in order', async (t) => {
  fc.assert(
    fc.property(digitText, fc.infiniteStream(fc.nat(3)), (digits, fates) => {
      const packets = packetsOf(digits, 960, 640, 0xffff_f000);
      const kept = new Set<number>();
      const arriving = packets.flatMap((packet, i) => {
        const fate = fates.next().value ?? 1;
        const isLastChance = packets[i + 1]?.timestamp !== packet.timestamp && !kept.has(packet.timestamp);
        if (fate === 0 && !isLastChance) return [];
        kept.add(packet.timestamp);
        return fate === 2 ? [packet, packet] : fate === 3 && i > 0 ? [packet, packets[i - 1]!] : [packet];
      });
      // A late packet of a digit of which all others were lost is its first: it must not come after the next digit's.
      const heard = arriving.filter(
        (p, i) => i === 0 || p.timestamp >= arriving[i - 1]!.timestamp || kept.has(p.timestamp),
      );
      const c = oneRow();
      hear(c, heard);
      t.equal(receivedText(c, 1), digits.slice(0, 32));
    }),
    { numRuns: 100 },
  );
});

t.test('equal digits in a row are two; another source restarts; more than are kept are counted', async (t) => {
  const c = oneRow();
  hear(c, packetsOf('11', 960, 640));
  t.equal(receivedText(c, 1), '11');
  hear(c, packetsOf('2', 960, 640, 10), 8);
  t.equal(receivedText(c, 1), '112');
  hear(c, packetsOf('3'.repeat(40), 960, 640, 100_000), 8);
  t.equal(c.digits[1], 43);
  t.equal(receivedText(c, 1).length, 32);
  hear(c, [{ slot: 0, timestamp: 900_000, marker: true, event: 16, end: false, duration: 160 }], 8);
  t.equal(c.otherEvents[1], 1, 'flash is no digit');
  t.equal(c.digits[1], 43);
});

t.test('of two events that begin at one instant the first counts', async (t) => {
  const c = oneRow();
  const at = { slot: 0, timestamp: 1000, marker: false, end: false, duration: 160 };
  hear(
    c,
    Array.from({ length: 10 }, (_, n) => ({ ...at, event: 1 + (n % 2) })),
  );
  t.equal(receivedText(c, 1), '1');
});
