import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { arrive, expectedPackets, oneRow, packetOf, STEP } from '../testing/rtp-row.ts';
import { clearRow, columnsBytes, mapColumns } from './columns.ts';
import { emptyRtpPacket, isRtcp, parseRtp, patchRtpHeader, RTP_HEADER_BYTES, writeRtpHeader } from './header.ts';
import { endReceiving, interruptReceiving, MAX_DROPOUT, observePacket } from './receive.ts';
import { beginReceiving, lostOfSource, lostPackets } from './receive-columns.ts';

t.test('header', async (t) => {
  t.test('what is written is read', async (t) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 127 }),
        fc.integer({ min: 0, max: 0xffff }),
        fc.integer({ min: 0, max: 0xffffffff }),
        fc.integer({ min: 0, max: 0xffffffff }),
        fc.integer({ min: 0, max: 40 }),
        (payloadType, sequence, timestamp, ssrc, payloadBytes) => {
          const bytes = new Uint8Array(100).fill(0xaa);
          writeRtpHeader(bytes, 5, payloadType, ssrc);
          patchRtpHeader(bytes, 5, sequence, timestamp);
          const packet = emptyRtpPacket();
          if (!parseRtp(bytes, 5, RTP_HEADER_BYTES + payloadBytes, packet)) return false;
          const head = [0, 0xaa00, 0xaaaa][Math.min(2, payloadBytes)];
          t.match(packet, {
            payloadType,
            marker: false,
            sequence,
            timestamp,
            ssrc,
            payloadOffset: 17,
            payloadBytes,
            head,
          });
          return true;
        },
      ),
      { numRuns: 200 },
    );
  });

  t.test('CSRC list, extension and padding are stepped over', async (t) => {
    // V=2 P=1 X=1 CC=2, M=1 PT=8; two CSRCs; an extension of one word; three octets of payload; two of padding.
    const bytes = Uint8Array.from(
      [
        [0xb2, 0x88, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
        new Array(8).fill(7),
        [0xbe, 0xde, 0, 1, 9, 9, 9, 9],
        [1, 2, 3, 0, 2],
      ].flat(),
    );
    const packet = emptyRtpPacket();
    t.ok(parseRtp(bytes, 0, bytes.length, packet));
    t.match(packet, {
      payloadType: 8,
      marker: true,
      sequence: 1,
      timestamp: 2,
      ssrc: 3,
      payloadOffset: 28,
      payloadBytes: 3,
      head: 0x0102,
    });
  });

  t.test('what does not fit is refused', async (t) => {
    const good = Uint8Array.from([0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 5]);
    const broken: [string, (bytes: Uint8Array) => Uint8Array][] = [
      ['shorter than a header', (b) => b.subarray(0, 11)],
      ['version 1', (b) => b.with(0, 0x40)],
      ['more CSRCs than bytes', (b) => b.with(0, 0x8f)],
      ['an extension beyond the end', (b) => b.with(0, 0x90)],
      ['padding of 0', (b) => b.with(0, 0xa0).with(12, 0)],
      ['padding longer than the payload', (b) => b.with(0, 0xa0).with(12, 2)],
    ];
    t.ok(parseRtp(good, 0, good.length, emptyRtpPacket()));
    t.notOk(parseRtp(good, 0, good.length + 1, emptyRtpPacket()), 'a length beyond the buffer');
    for (const [name, change] of broken) {
      const bytes = change(good);
      t.notOk(parseRtp(bytes, 0, bytes.length, emptyRtpPacket()), name);
    }
  });

  t.test('garbage neither throws nor leaves its buffer', async (t) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(8), (bytes, offset) => {
        const packet = emptyRtpPacket();
        const length = Math.max(0, bytes.length - offset);
        if (!parseRtp(bytes, offset, length, packet)) return true;
        return packet.payloadOffset + packet.payloadBytes <= offset + length && packet.payloadBytes >= 0;
      }),
      { numRuns: 5000 },
    );
    t.pass();
  });

  t.test('RTCP is told from RTP by its second byte (RFC 5761)', async (t) => {
    for (const type of [200, 201, 207, 192, 223]) t.ok(isRtcp(Uint8Array.of(0x80, type), 0), `${type}`);
    for (const type of [0, 8, 0x80, 0x88, 0x80 | 96, 191, 224])
      t.notOk(isRtcp(Uint8Array.of(0x80, type), 0), `${type}`);
  });
});

t.test('two mappings of one buffer are the same memory', async (t) => {
  const schema = { a: 'u8', b: 'f64', c: ['u32', 3] } as const;
  const buffer = new SharedArrayBuffer(columnsBytes(schema, 5));
  const here = mapColumns(schema, 5, buffer);
  const there = mapColumns(schema, 5, buffer);
  here.b[4] = 1.5;
  here.c.fill(7);
  t.equal(there.b[4], 1.5, 'two mappings of one buffer are one memory');
  t.equal(here.b.byteOffset % 64, 0);
  clearRow(schema, here, 4);
  t.same([there.b[4], ...there.c.slice(9)], [0, 7, 7, 7, 0, 0, 0]);
});

t.test('wraps', async (t) => {
  t.test('of the sequence number', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 20; n++) arrive(c, n, 0, {}, 65530);
    t.equal(c.extMax[1], 65549);
    t.equal(expectedPackets(c, 1), 20);
    t.equal(lostPackets(c, 1), 0);
    t.equal(c.reordered[1], 0);
  });

  t.test('of the sequence number, with loss, reordering and duplicates across it', async (t) => {
    const c = oneRow();
    // 65535 comes after 0, 1 is lost, 2 comes twice.
    for (const n of [0, 1, 3, 2, 5, 5, 6]) arrive(c, n, 0, {}, 65533);
    t.match(
      [expectedPackets(c, 1), lostPackets(c, 1), c.reordered[1], c.duplicates[1], c.unique[1], c.packets[1]],
      [7, 1, 1, 1, 6, 7],
    );
  });

  t.test('of the timestamp: no jitter from it', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 20; n++) observePacket(c, 1, packetOf(n, 0xffffffff - 5 * STEP + n * STEP), n * 20);
    t.equal(c.jitter[1], 0);
    t.equal(c.jitterMax[1], 0);
    t.equal(c.lateDiscarded[1], 0);
  });

  t.test('of the cycles: 2^32 sequence numbers', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    c.extMax[1] = 2 ** 32 - 3;
    c.extBase[1] = 2 ** 32 - 3;
    for (const sequence of [65534, 65535, 0, 1, 3]) observePacket(c, 1, packetOf(sequence, 0), 2000);
    t.equal(c.extMax[1], 2 ** 32 + 3);
    t.equal(expectedPackets(c, 1), 7);
    t.equal(lostPackets(c, 1), 1);
  });
});

t.test('sequence numbers', async (t) => {
  t.test('the first packets may come in the wrong order without negative loss', async (t) => {
    const c = oneRow();
    for (const n of [2, 0, 1, 3]) arrive(c, n, 0, {}, 65535);
    t.match([expectedPackets(c, 1), lostPackets(c, 1), lostOfSource(c, 1), c.reordered[1]], [4, 0, 0, 2]);
  });

  t.test('a duplicate hides no loss from us, but hides it from RTCP (A.3)', async (t) => {
    const c = oneRow();
    for (const n of [0, 1, 1, 3]) arrive(c, n);
    t.equal(lostPackets(c, 1), 1);
    t.equal(lostOfSource(c, 1), 0);
  });

  t.test(
    'a hole may be filled anywhere in the window, a duplicate is one anywhere in the range of misordering',
    async (t) => {
      const c = oneRow();
      for (let n = 0; n < 900; n++) if (n !== 5) arrive(c, n);
      t.equal(lostPackets(c, 1), 1);
      arrive(c, 5, 17_900);
      t.equal(lostPackets(c, 1), 0);
      t.equal(c.reordered[1], 1);
      t.equal(c.lateDiscarded[1], 1, 'its place had been filled');
      arrive(c, 850, 1000);
      t.equal(c.duplicates[1], 1);
    },
  );

  t.test('a number out of range is a stray, two in sequence are a restart', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 10; n++) arrive(c, n);
    arrive(c, 40_000);
    t.match([c.strays[1], c.restarts[1], expectedPackets(c, 1)], [1, 0, 10]);
    for (let n = 10; n < 12; n++) arrive(c, n);
    t.match([c.strays[1], c.restarts[1], expectedPackets(c, 1)], [1, 0, 12]);
    for (const n of [50_000, 50_001, 50_003]) observePacket(c, 1, packetOf(n, n), 5000 + n);
    t.match([c.strays[1], c.restarts[1], expectedPackets(c, 1), lostPackets(c, 1)], [1, 1, 16, 1]);
    t.equal(c.octets[1], (12 + 3) * 160);
  });

  t.test('a gap below MAX_DROPOUT is loss, one of MAX_DROPOUT is not', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    arrive(c, MAX_DROPOUT - 1);
    t.equal(lostPackets(c, 1), MAX_DROPOUT - 2);
    const d = oneRow();
    arrive(d, 0);
    arrive(d, MAX_DROPOUT);
    t.match([lostPackets(d, 1), d.strays[1]], [0, 1]);
  });

  t.test('sets agree with a naive model, whatever is lost, repeated or late', async (t) => {
    const events = fc.array(
      fc.record({ keep: fc.integer({ min: 0, max: 9 }), copies: fc.constantFrom(1, 1, 1, 2, 3), shift: fc.nat(20) }),
      { minLength: 2, maxLength: 400 },
    );
    fc.assert(
      fc.property(events, fc.nat(65535), (list, first) => {
        const sent = list.flatMap(({ keep, copies, shift }, n) =>
          keep === 0 && n > 0
            ? []
            : Array.from({ length: copies }, (_, i) => ({ n, at: n + (n === 0 ? 0 : shift) + i * 25 })),
        );
        sent.sort((a, b) => a.at - b.at || a.n - b.n);
        const c = oneRow();
        const seen = new Set<number>();
        const counted = { duplicates: 0, reordered: 0 };
        let highest = -1;
        for (const { n } of sent) {
          if (seen.has(n)) counted.duplicates += 1;
          else if (n < highest) counted.reordered += 1;
          seen.add(n);
          highest = Math.max(highest, n);
          observePacket(c, 1, packetOf(first + n, n * STEP), 1000);
        }
        return (
          expectedPackets(c, 1) === highest + 1 &&
          lostPackets(c, 1) === highest + 1 - seen.size &&
          c.duplicates[1] === counted.duplicates &&
          c.reordered[1] === counted.reordered &&
          c.packets[1] === sent.length
        );
      }),
      { numRuns: 500 },
    );
    t.pass();
  });
});

t.test('sources', async (t) => {
  t.test('a new SSRC is a new block, not loss', async (t) => {
    const c = oneRow();
    for (const n of [0, 1, 3]) arrive(c, n);
    for (const n of [0, 1, 2, 4]) observePacket(c, 1, packetOf(30_000 + n, 77 + n * STEP, { ssrc: 9 }), 2000 + n * 20);
    t.match([c.ssrcChanges[1], c.ssrc[1], c.otherSources[1]], [1, 9, 0]);
    t.match([expectedPackets(c, 1), lostPackets(c, 1), c.unique[1]], [4 + 5, 1 + 1, 7]);
    t.equal(lostOfSource(c, 1), 1, 'RTCP reports only the current source');
    t.equal(c.jitter[1], 0);
  });

  t.test('two sources at once do not alternate as one', async (t) => {
    const c = oneRow();
    for (let n = 0; n < 50; n++) {
      arrive(c, n);
      observePacket(c, 1, packetOf(n, n * STEP, { ssrc: 9 }), 1010 + n * 20);
    }
    t.match([c.ssrcChanges[1], c.otherSources[1], c.unique[1], lostPackets(c, 1)], [0, 50, 50, 0]);
  });

  t.test('events between the audio fill their places, and have no part in jitter or playout', async (t) => {
    const c = oneRow();
    observePacket(c, 1, packetOf(65_533, 9, { payloadType: 101 }), 980);
    t.match([c.known[1], c.unexpectedPayloadTypes[1]], [0, 1], 'an event makes no source');
    for (let n = 0; n < 100; n++) {
      const digit = n >= 40 && n < 60;
      arrive(c, n, 0, digit ? { payloadType: 101, timestamp: 40 * STEP, payloadBytes: 4 } : {}, 65_534);
    }
    endReceiving(c, 1, 0);
    t.match([expectedPackets(c, 1), lostPackets(c, 1), lostOfSource(c, 1)], [100, 0, 0]);
    t.match([c.packets[1], c.octets[1], c.unexpectedPayloadTypes[1]], [100, 80 * 160, 21]);
    t.match([c.jitterMax[1], c.missing[1], c.lateDiscarded[1], c.restarts[1]], [0, 0, 0, 0]);
  });

  t.test('an event of another source, or out of every range, changes nothing', async (t) => {
    const c = oneRow();
    arrive(c, 0);
    for (let n = 1; n < 5; n++) observePacket(c, 1, packetOf(n, 0, { payloadType: 101, ssrc: 9 }), 1000 + n);
    for (let n = 0; n < 5; n++) observePacket(c, 1, packetOf(30_000 + n, 0, { payloadType: 101 }), 1010 + n);
    arrive(c, 1);
    t.match([c.ssrcChanges[1], c.restarts[1], c.packets[1], lostPackets(c, 1)], [0, 0, 2, 0]);
    t.match([c.unexpectedPayloadTypes[1], c.strays[1]], [9, 5]);
  });

  t.test('a sender may change between the codecs that were agreed on', async (t) => {
    const c = oneRow();
    beginReceiving(c, 1, 0, 8000, { audio: [8, 127] });
    for (let n = 0; n < 60; n++) arrive(c, n, 0, { payloadType: [0, 8, 127][Math.floor(n / 20)]! });
    t.match([c.packets[1], c.octets[1], c.unexpectedPayloadTypes[1], c.jitterCount[1]], [60, 60 * 160, 0, 59]);
  });

  t.test('a session that is changed begins a new block: no loss, no gap, no jitter from the pause', async (t) => {
    const c = oneRow();
    for (const n of [0, 1, 3]) arrive(c, n);
    interruptReceiving(c, 1);
    for (const n of [0, 1, 2, 4]) observePacket(c, 1, packetOf(900 + n, n * STEP), 60_000 + n * 20);
    t.match([expectedPackets(c, 1), lostPackets(c, 1), lostOfSource(c, 1)], [4 + 5, 1 + 1, 1]);
    t.match([c.longestGapMs[1], c.jitterMax[1], c.firstArrivalMs[1], c.restarts[1]], [40, 0, 1000, 0]);
    interruptReceiving(c, 1);
    interruptReceiving(c, 1);
    t.match([expectedPackets(c, 1), lostPackets(c, 1)], [9, 2], 'nothing comes: nothing is expected');
  });
});
