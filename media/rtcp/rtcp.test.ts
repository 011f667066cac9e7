import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { emptyRtpPacket } from '../rtp/header.ts';
import { observePacket } from '../rtp/receive.ts';
import { beginReceiving, RECEIVE_COLUMNS, type ReceiveColumns } from '../rtp/receive-columns.ts';
import { decodeRtcp } from './decode.ts';
import { encodeBye, encodeCname, encodeReceiverReport, encodeSenderReport } from './encode.ts';
import { averageRtcpBytes, deterministicIntervalMs, type RtcpSession, reportIntervalMs } from './interval.ts';
import { middleOf, ntpFraction, ntpMiddle, ntpSeconds } from './ntp.ts';
import type { ReportBlock } from './packets.ts';
import { noteSenderReport, takeReportBlock } from './report-block.ts';
import { roundTripMs, toDlsr } from './round-trip.ts';

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const blocks = fc.array(
  fc.record({
    ssrc: u32,
    fractionLost: fc.integer({ min: 0, max: 255 }),
    cumulativeLost: fc.integer({ min: -0x800000, max: 0x7fffff }),
    highestSequence: u32,
    jitter: u32,
    lsr: u32,
    dlsr: u32,
  }),
  { maxLength: 31 },
);

t.test('a compound survives the wire', async (t) => {
  fc.assert(
    fc.property(
      fc.record({ ssrc: u32, ntpSeconds: u32, ntpFraction: u32, rtpTimestamp: u32, packets: u32, octets: u32, blocks }),
      fc.string({ maxLength: 60 }),
      fc.nat(7),
      (sr, cname, offset) => {
        const bytes = new Uint8Array(2048).fill(0xee);
        let end = encodeSenderReport(bytes, offset, sr);
        end = encodeCname(bytes, end, sr.ssrc, cname);
        end = encodeBye(bytes, end, sr.ssrc);
        t.equal((end - offset) % 4, 0);
        t.same(decodeRtcp(bytes, offset, end - offset), [
          { kind: 'SR', ...sr },
          { kind: 'SDES', chunks: [{ ssrc: sr.ssrc, cname: Buffer.from(cname).toString() }] },
          { kind: 'BYE', ssrcs: [sr.ssrc], reason: '' },
        ]);
      },
    ),
    { numRuns: 100 },
  );
});

t.test('a receiver report may be empty', async (t) => {
  const bytes = new Uint8Array(64);
  const end = encodeReceiverReport(bytes, 0, 7, []);
  t.equal(end, 8);
  t.same(decodeRtcp(bytes, 0, end), [{ kind: 'RR', ssrc: 7, blocks: [] }]);
});

t.test('what is not known is skipped, feedback may come by itself (RFC 5506)', async (t) => {
  const nack = Uint8Array.from([0x81, 205, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0xff, 0xfe, 0x80, 5]);
  t.same(decodeRtcp(nack, 0, nack.length), [{ kind: 'OTHER', packetType: 205 }]);
  const withReport = new Uint8Array(64);
  const end = encodeReceiverReport(withReport, 16, 7, []);
  withReport.set(nack);
  t.match(decodeRtcp(withReport, 0, end), [{ packetType: 205 }, { kind: 'RR', ssrc: 7 }]);
});

t.test('padding is allowed only in the last packet', async (t) => {
  const padded = Uint8Array.from([0xa0, 201, 0, 2, 0, 0, 0, 9, 0, 0, 0, 4]);
  t.same(decodeRtcp(padded, 0, 12), [{ kind: 'RR', ssrc: 9, blocks: [] }]);
  t.equal(decodeRtcp(Uint8Array.from([...padded, 0x80, 201, 0, 1, 0, 0, 0, 9]), 0, 20), null);
  t.equal(decodeRtcp(padded.with(11, 0), 0, 12), null, 'padding of 0');
  t.equal(decodeRtcp(padded.with(11, 200), 0, 12), null, 'padding longer than the packet');
});

t.test('BYE with a reason', async (t) => {
  const bytes = Uint8Array.from([0x82, 203, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 5, 104, 101, 108, 108, 111, 0, 0]);
  t.same(decodeRtcp(bytes, 0, 20), [{ kind: 'BYE', ssrcs: [1, 2], reason: 'hello' }]);
  t.equal(decodeRtcp(bytes.with(12, 100), 0, 20), null, 'a reason beyond the end');
});

t.test('garbage never throws', async (t) => {
  const valid = new Uint8Array(256);
  let end = encodeReceiverReport(valid, 0, 1, [
    { ssrc: 2, fractionLost: 3, cumulativeLost: -4, highestSequence: 5, jitter: 6, lsr: 7, dlsr: 8 },
  ]);
  end = encodeBye(valid, encodeCname(valid, end, 1, 'someone@somewhere'), 1);
  const mutated = fc.array(fc.tuple(fc.nat(end - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }).map((changes) => {
    const bytes = valid.slice(0, end);
    for (const [at, value] of changes) bytes[at] = value;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), mutated), fc.nat(80), (bytes, cut) => {
      decodeRtcp(bytes, 0, bytes.length);
      decodeRtcp(bytes, 0, Math.max(0, bytes.length - cut));
      return true;
    }),
    { numRuns: 10_000 },
  );
  t.equal(decodeRtcp(valid, 0, 300), null, 'a length beyond the buffer');
});

t.test('Unix time is converted to NTP timestamps, across the era', async (t) => {
  t.equal(ntpMiddle(1_700_000_000_250), 0x6f804000);
  t.equal(ntpSeconds(0), 2_208_988_800);
  t.equal(ntpFraction(0.5), Math.floor(0.0005 * 2 ** 32));
  t.equal(ntpSeconds(2_085_978_496_000), 0, 'the era ends in 2036');
  t.equal(middleOf(0x12345678, 0x9abcdef0), 0x56789abc);
  const toUnixMs = (seconds: number, fraction: number) =>
    (seconds - 2_208_988_800) * 1000 + (fraction / 2 ** 32) * 1000;
  fc.assert(
    fc.property(fc.double({ min: 0, max: 2e12, noNaN: true }), (unixMs) => {
      return Math.abs(toUnixMs(ntpSeconds(unixMs), ntpFraction(unixMs)) - unixMs) < 0.001;
    }),
  );
});

t.test('the round trip by LSR and DLSR (RFC 3550, figure 2)', async (t) => {
  t.equal(roundTripMs(0xb7108000, 0xb7052000, 0x00054000), 6125, 'RFC 3550, figure 2');
  t.equal(roundTripMs(0x00020000, 0xffff0000, 0x10000), 2000, 'across the wrap of the middle 32 bits');
  t.equal(roundTripMs(1000, 1010, 5), 0, 'a little below zero is zero');
  const none: [string, number, number, number][] = [
    ['the far end had heard no sender report', 1000, 0, 0],
    ['beyond 30 s', 0x40000000, 1, 1],
    ['an instant 3 s ahead', 0x00010000, 0x00040000, 0x100],
    ['ahead by a little more than rounding', 1000, 1400, 1],
    ['a far end that does not say how long it held the report', 0x00030000, 0x00010000, 0],
  ];
  for (const [what, ...report] of none) t.ok(Number.isNaN(roundTripMs(...report)), what);
  t.ok(Number.isNaN(roundTripMs(0, 0x40000000, 0)), 'far below zero');
  t.equal(toDlsr(5250), 0x00054000);
  t.equal(toDlsr(-1), 1, '0 would say that there was no sender report');
});

t.test('the interval between reports (RFC 3550, 6.3.1)', async (t) => {
  const call: RtcpSession = {
    members: 2,
    senders: 2,
    weSent: true,
    averageBytes: 120,
    rtcpBytesPerSecond: 500,
    initial: false,
    minimumMs: 5000,
  };
  t.equal(deterministicIntervalMs(call), 5000);
  t.equal(deterministicIntervalMs({ ...call, initial: true }), 2500);
  t.equal(deterministicIntervalMs({ ...call, minimumMs: 100 }), 480, 'two members share 500 bytes a second');
  const crowd = { ...call, members: 1000, senders: 10 };
  t.equal(deterministicIntervalMs(crowd), (120 * 10 * 1000) / 125, 'few senders have a quarter for themselves');
  t.equal(deterministicIntervalMs({ ...crowd, weSent: false }), (120 * 990 * 1000) / 375);
  t.ok(Math.abs(reportIntervalMs(call, 0) - 2500 / 1.21828) < 0.01);
  t.ok(Math.abs(reportIntervalMs(call, 1) - 7500 / 1.21828) < 0.01);
  t.equal(averageRtcpBytes(100, 260), 110);
});

t.test('a report block states loss since the last one', async (t) => {
  const oneRow = (): ReceiveColumns => {
    const c = mapColumns(RECEIVE_COLUMNS, 1, new ArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 1)));
    beginReceiving(c, 0, 0, 8000);
    return c;
  };
  const arrive = (c: ReceiveColumns, n: number, lateMs = 0): void =>
    observePacket(
      c,
      0,
      { ...emptyRtpPacket(), sequence: n & 0xffff, timestamp: n * 160, ssrc: 77 },
      1000 + n * 20 + lateMs,
    );

  t.test('nothing received, nothing to report', async (t) => {
    t.equal(takeReportBlock(oneRow(), 0, 0), null);
  });

  t.test('5 of 250 is a fraction of 5 (A.3), and the next one counts from there', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 250; n++) if (n % 50 !== 25) arrive(c, n);
    t.match(takeReportBlock(c, 0, 6000), {
      ssrc: 77,
      fractionLost: 5,
      cumulativeLost: 5,
      highestSequence: 249,
      lsr: 0,
      dlsr: 0,
    });
    for (let n = 250; n < 300; n++) arrive(c, n);
    t.match(takeReportBlock(c, 0, 7000), { fractionLost: 0, cumulativeLost: 5 });
  });

  t.test('duplicates make it negative', async (t) => {
    const c = oneRow();
    for (const n of [0, 1, 1, 1, 2]) arrive(c, n);
    t.match(takeReportBlock(c, 0, 6000), { fractionLost: 0, cumulativeLost: -2 });
  });

  t.test('24 bits hold what they can', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    c.extMax[0] = 2 ** 32 + 100;
    t.match(takeReportBlock(c, 0, 6000), { cumulativeLost: 0x7fffff, fractionLost: 255, highestSequence: 100 });
    c.packets[0] = 0xffffffff;
    c.extMax[0] = 10;
    t.match(takeReportBlock(c, 0, 6000), { cumulativeLost: -0x800000, fractionLost: 0 });
  });

  t.test('jitter in whole timestamp units, LSR and DLSR of the source’s own sender report', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    arrive(c, 1, 10);
    noteSenderReport(c, 0, 77, 0xb7052000, 2000);
    t.match(takeReportBlock(c, 0, 7250) satisfies ReportBlock | null, { jitter: 5, lsr: 0xb7052000, dlsr: 0x00054000 });
    t.equal(takeReportBlock(c, 0, 7250), null, 'nothing has come since');
    arrive(c, 2);
    noteSenderReport(c, 0, 78, 1, 2000);
    t.match(takeReportBlock(c, 0, 7250), { lsr: 0, dlsr: 0 });
  });
});
