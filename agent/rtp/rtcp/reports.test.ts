/** RTCP between two nodes in a simulated network. */
import { decodeRtcp } from '@carillon/media/rtcp/decode.ts';
import { encodeBye, encodeCname, encodeReceiverReport, encodeSenderReport } from '@carillon/media/rtcp/encode.ts';
import { encodePli } from '@carillon/media/rtcp/feedback.ts';
import type { Hearing } from '@carillon/media/rtcp/hearing.ts';
import type { ReportBlock, RtcpPacket } from '@carillon/media/rtcp/packets.ts';
import t from 'tap';
import { call, type Datagram, end, HERE, isRtp, type Network, run, THERE } from '../../testing/rtp/simulation.ts';
import type { StreamDirection } from '../media-engine.ts';

const reportsFrom = (network: Network, host: string): { sentMs: number; packets: RtcpPacket[] }[] =>
  network.sent
    .filter(({ from, bytes }: Datagram) => from.startsWith(host) && !isRtp(bytes))
    .map(({ bytes, sentMs }) => ({ sentMs, packets: decodeRtcp(bytes, 0, bytes.length)! }));

const gaps = (list: readonly number[]): number[] => list.slice(1).map((at, i) => at - list[i]!);
const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;

t.test('two members report every 5 s on average, never in step', async (t) => {
  const { network, both } = call(12);
  run(network, both, 100_000);
  const byPort = new Map<string, number[]>();
  for (const { from, bytes, sentMs } of network.sent)
    if (!isRtp(bytes)) byPort.set(from, [...(byPort.get(from) ?? []), sentMs]);
  t.equal(byPort.size, 24);
  const intervals = [...byPort.values()].flatMap(gaps);
  const average = mean(intervals);
  // 6.3.1: between half and one and a half of Td at random, divided by e - 3/2, and reconsidered on expiry.
  t.ok(average > 4500 && average < 5500, `${average} ms`);
  t.ok(Math.min(...intervals) >= 2500 / 1.21829 - 11 && Math.max(...intervals) <= 7500 / 1.21828 + 11);
  t.ok(new Set(intervals).size > intervals.length / 3);
  const first = [...byPort.values()].map((list) => list[0]! - 1_000_000);
  t.ok(Math.max(...first) <= 3750 / 1.21828 + 11, 'the first comes after half of it');
});

t.test('every compound begins with a report and carries a name; BYE is last', async (t) => {
  const { network, here, both } = call(2, { session: { extendedReports: true } });
  run(network, both, 20_000);
  end(network, here);
  const reports = reportsFrom(network, HERE);
  t.ok(reports.every(({ packets }) => packets[0]!.kind === 'SR' && packets[1]!.kind === 'SDES'));
  const byes = reports.filter(({ packets }) => packets.some(({ kind }) => kind === 'BYE'));
  t.equal(byes.length, 2);
  t.ok(byes.every(({ packets }) => packets.at(-1)!.kind === 'BYE'));
});

t.test('VoIP metrics go both ways where they were agreed on', async (t) => {
  const { network, here, there, both } = call(1, { rtcpMinimumMs: 1000, session: { extendedReports: true } });
  let n = 0;
  network.path = ({ from, bytes }) => (from.startsWith(HERE) && isRtp(bytes) && ++n % 20 === 5 ? [] : [15]);
  run(network, both, 30_000);
  const [ours] = end(network, here);
  run(network, both, 100);
  const [theirs] = end(network, there);
  t.equal(ours!.remoteXr!.lossFraction, Math.floor(256 * 0.05) / 256, 'one of twenty');
  t.equal(ours!.remoteXr!.discardFraction, 0);
  t.ok(Math.abs(ours!.remoteXr!.rFactor - theirs!.rFactor) <= 1, `${ours!.remoteXr!.rFactor} and ${theirs!.rFactor}`);
  t.ok(Math.abs(ours!.remoteXr!.mosCq - theirs!.mos) <= 0.1);
  t.ok(ours!.remoteXr!.mosLq >= ours!.remoteXr!.mosCq);
  t.ok(ours!.remoteXr!.burstMs === 0 && ours!.remoteXr!.gapMs > 20_000, 'single losses lie in a gap');
  t.equal(theirs!.remoteXr!.lossFraction, 0);
});

t.test('what is not on the narrowband scale is told as not available (RFC 3611, 4.7.5)', async (t) => {
  const G722 = { kind: 'AUDIO', codec: 'G722', sendPayloadType: 9, receivePayloadType: 9, packetMs: 20 } as const;
  const { network, here, both } = call(1, { rtcpMinimumMs: 1000, format: G722, session: { extendedReports: true } });
  run(network, both, 10_000);
  const [record] = end(network, here);
  t.ok(record!.rFactor > 100, `${record!.rFactor} of 129`);
  t.match(record!.remoteXr, { rFactor: Number.NaN, lossFraction: 0, discardFraction: 0 });
});

t.test('none are sent unasked', async (t) => {
  const { network, here, both } = call(1, { rtcpMinimumMs: 500 });
  run(network, both, 5000);
  t.equal(end(network, here)[0]!.remoteXr, null);
  t.notOk(reportsFrom(network, THERE).some(({ packets }) => packets.some(({ kind }) => kind === 'XR')));
});

t.test('a receiver learns the round trip from DLRR', async (t) => {
  for (const extendedReports of [false, true]) {
    const { network, here, there, both } = call(1, {
      rtcpMinimumMs: 500,
      direction: 'RECEIVE',
      session: { extendedReports },
    });
    network.path = () => [40];
    run(network, both, 10_000);
    for (const node of [here, there]) {
      const [record] = end(network, node);
      if (!extendedReports) t.equal(record!.rttCount, 0, 'nobody sends, nobody knows');
      else t.ok(Math.abs(record!.rttMeanMs - 80) < 1.1 && record!.rttCount > 3, `${record!.rttMeanMs} ms`);
    }
  }
});

t.test('a silent member is not a sender after two reports, and its stream is no longer reported on', async (t) => {
  const { network, here, there, both } = call(1, { rtcpMinimumMs: 1000 });
  run(network, both, 10_000);
  end(network, there);
  const goneMs = network.nowMs;
  run(network, [here], 20_000);
  const after = reportsFrom(network, HERE).filter(({ sentMs }) => sentMs > goneMs);
  const blocks = after.map(({ packets }) => (packets[0]!.kind === 'SR' ? packets[0]!.blocks.length : -1));
  t.ok(blocks.slice(0, 1).every((count) => count <= 1) && blocks.slice(1).every((count) => count === 0), `${blocks}`);
});

t.test('a BYE of another SSRC is ignored', async (t) => {
  const { network, here, there, ours, theirs, both } = call(1);
  run(network, both, 1000);
  const ssrc = here.memory.streams.localSsrc[ours[0]!.row]!;
  const row = theirs[0]!.row;
  const [from, to] = [`${HERE}:${ours[0]!.rtpPort + 1}`, `${THERE}:${theirs[0]!.rtpPort + 1}`];
  for (const [named, byes] of [
    [ssrc ^ 1, 0],
    [ssrc, 1],
  ] as const) {
    const bytes = new Uint8Array(16);
    encodeBye(bytes, encodeReceiverReport(bytes, 0, ssrc, []), named >>> 0);
    network.transmit({ from, to, bytes, sentMs: network.nowMs });
    run(network, both, 2);
    t.equal(there.memory.streams.byes[row], byes);
  }
});

const ssrcOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(8);

t.test('a peer under our SSRC: BYE, another one, counts from zero (8.2); nothing is lost by it', async (t) => {
  const { network, here, there, ours, both } = call(1, { rtcpMinimumMs: 500 });
  run(network, both, 2000);
  const { localSsrc } = here.memory.streams;
  const row = ours[0]!.row;
  const first = localSsrc[row]!;
  network.path = ({ from, bytes }) => {
    if (from.startsWith(THERE) && isRtp(bytes))
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(8, localSsrc[row]!);
    return [0.05];
  };
  const before = network.sent.length;
  run(network, both, 3000);
  const second = localSsrc[row]!;
  t.not(second, first);
  const sent = network.sent.slice(before).filter(({ from, bytes }) => from.startsWith(HERE) && isRtp(bytes));
  t.same(
    [...new Set(sent.map(({ bytes }) => ssrcOf(bytes)))],
    [first, second],
    'packets that follow our new SSRC are a loop, not a second collision',
  );
  const reports = reportsFrom(network, HERE).flatMap(({ packets }) => packets);
  const byes = reports.flatMap((packet) => (packet.kind === 'BYE' ? packet.ssrcs : []));
  t.same(byes, [first]);
  const senders = reports.flatMap((packet) => (packet.kind === 'SR' && packet.ssrc === second ? [packet] : []));
  const under = sent.filter(({ bytes }) => ssrcOf(bytes) === second).length;
  t.ok(senders.length > 1 && senders.every(({ packets, octets }) => packets <= under && octets === packets * 160));
  const [record] = end(network, here);
  t.match(record, { ssrcCollisions: 1, ssrcSent: second, lost: 0 });
  t.match(end(network, there)[0], { ssrcChanges: 1, lost: 0 });
});

t.test('an echo of ours is no collision, and is measured as any stream', async (t) => {
  const { network, here, both, ours } = call(1, { rtcpMinimumMs: 500 });
  const { localSsrc } = here.memory.streams;
  const first = localSsrc[ours[0]!.row]!;
  network.path = ({ from, to, bytes }) => {
    if (!isRtp(bytes)) return [0.05];
    if (from.startsWith(HERE)) network.transmit({ from: to, to: from, bytes: bytes.slice(), sentMs: network.nowMs });
    return from.startsWith(THERE) && ssrcOf(bytes) === first ? [40] : [];
  };
  run(network, both, 5000);
  t.equal(localSsrc[ours[0]!.row], first);
  const [record] = end(network, here);
  t.match(record, { ssrcCollisions: 0, ssrcReceived: first, lost: 0 });
  t.ok(record!.packetsReceived > 240 && record!.jitterMaxMs < 0.01, `${record!.packetsReceived} came back`);
});

/** The contents of the peer's compounds, one a second. */
type ReportPacket =
  /** The sender: the peer, or ourselves (an echo). About us: more received since then, the same, or nothing. */
  | {
      readonly by?: 'PEER' | 'US';
      readonly kind?: 'SR' | 'RR';
      readonly hears: 'MORE' | 'NO_MORE' | 'NOTHING';
      /** In place of our SSRC, and of its other fields. */
      readonly about?: number;
      readonly fields?: Partial<ReportBlock>;
      /** What follows in the compound. */
      readonly behind?: 'FEEDBACK' | 'BYE' | 'APP';
    }
  /** Nothing arrives while time passes. */
  | { readonly quietMs: number }
  /** From here on the session is a different one. */
  | { readonly direction: StreamDirection };

const HEARS: ReportPacket = { hears: 'MORE' };
const DEAF: ReportPacket = { hears: 'NOTHING' };
const STUCK: ReportPacket = { hears: 'NO_MORE' };
const NO_LOSS = { fractionLost: 0, cumulativeLost: 0, jitter: 0, lsr: 0, dlsr: 0 };

/** Where reports come to: the RTCP port, the RTP port although that was not agreed on, or as agreed on (RFC 5761). */
type Way = 'RTCP' | 'RTP' | 'MUXED';
type PeerOptions = { readonly peerSends?: boolean; readonly stepMs?: number; readonly way?: Way };

/** Reports of a peer are made here; what they prove. */
function hearing(says: readonly ReportPacket[], { peerSends = true, stepMs = 1000, way = 'RTCP' }: PeerOptions = {}) {
  const { network, here, ours, theirs, both } = call(1, { muxed: way === 'MUXED' });
  const [{ row, rtpPort } = { row: 0, rtpPort: 0 }] = ours;
  const { streams, received } = here.memory;
  network.path = ({ from, bytes }) => (from.startsWith(THERE) && (!isRtp(bytes) || !peerSends) ? [] : [0.05]);
  const shift = way === 'RTCP' ? 1 : 0;
  const inject = (bytes: Uint8Array): void => {
    const path = network.path;
    network.path = () => [0];
    const [from, to] = [`${THERE}:${theirs[0]!.rtpPort + shift}`, `${HERE}:${rtpPort + shift}`];
    network.transmit({ from, to, bytes, sentMs: network.nowMs });
    network.path = path;
  };
  run(network, both, 500);
  let highest = 0;
  for (const said of says) {
    if ('quietMs' in said) run(network, both, said.quietMs);
    else if ('direction' in said) {
      here.loop.change(row, {
        remote: { address: THERE, rtpPort: theirs[0]!.rtpPort, rtcpPort: theirs[0]!.rtpPort + 1 },
        format: { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 },
        source: 'TONE',
        direction: said.direction,
      });
    } else {
      run(network, both, stepMs);
      const { by = 'PEER', kind = 'RR', hears, behind } = said;
      const own = streams.localSsrc[row]!;
      const peer = received.known[row] === 1 ? received.ssrc[row]! : 0x1234;
      const ssrc = by === 'PEER' ? peer : own;
      if (hears === 'MORE') highest = streams.packetsSent[row]!;
      const block: ReportBlock = { ssrc: said.about ?? own, highestSequence: highest, ...NO_LOSS, ...said.fields };
      const blocks = hears === 'NOTHING' ? [] : [block];
      const bytes = new Uint8Array(256);
      const sr = { ssrc, ntpSeconds: 1, ntpFraction: 1, rtpTimestamp: 1, packets: 1, octets: 160, blocks };
      let at = kind === 'SR' ? encodeSenderReport(bytes, 0, sr) : encodeReceiverReport(bytes, 0, ssrc, blocks);
      at = encodeCname(bytes, at, ssrc, 'peer');
      if (behind === 'FEEDBACK') at = encodePli(bytes, at, ssrc, own);
      if (behind === 'BYE') at = encodeBye(bytes, at, ssrc);
      if (behind === 'APP') {
        bytes.set([0x80, 204, 0, 2, 0, 0, 0, 1, 0x74, 0x65, 0x73, 0x74], at);
        at += 12;
      }
      inject(bytes.slice(0, at));
      run(network, both, 2);
    }
  }
  return end(network, here)[0]!;
}

t.test('what reports of the peer prove, over each way', async (t) => {
  const rows: [what: string, says: readonly ReportPacket[], proves: Hearing, peerSends?: boolean][] = [
    ['all is well', [HEARS, HEARS, HEARS], 'HEARD'],
    ['never named', [DEAF, DEAF, DEAF], 'UNKNOWN'],
    ['never named, by a peer that only listens', [DEAF, DEAF], 'UNKNOWN', false],
    ['heard no more', [HEARS, HEARS, STUCK, STUCK], 'UNHEARD'],
    ['heard no more, by a peer that only listens', [HEARS, HEARS, STUCK, STUCK], 'UNHEARD', false],
    ['heard no more, and not named any more', [HEARS, HEARS, DEAF, DEAF], 'UNHEARD'],
    ['heard late', [DEAF, DEAF, HEARS], 'HEARD'],
    ['heard again', [HEARS, STUCK, STUCK, HEARS], 'HEARD'],
    [
      'SR and RR apart',
      [{ ...DEAF, kind: 'SR' }, HEARS, { ...DEAF, kind: 'SR' }, HEARS, { ...DEAF, kind: 'SR' }],
      'HEARD',
    ],
    ['another SSRC', [1, 2, 3].map(() => ({ ...HEARS, about: 0x77 })), 'HEARD'],
    ['SSRC 0', [1, 2, 3].map(() => ({ ...HEARS, about: 0 })), 'HEARD'],
    ['zeros', [1, 2, 3].map(() => ({ ...HEARS, fields: { highestSequence: 0 } })), 'UNKNOWN'],
    [
      'loss and the number 0',
      [1, 2].map(() => ({ ...HEARS, fields: { highestSequence: 0, fractionLost: 255, cumulativeLost: 9 } })),
      'UNHEARD',
    ],
    ['LSR of the future', [1, 2].map(() => ({ ...HEARS, fields: { lsr: 0xffff_0000, dlsr: 9 } })), 'HEARD'],
    ['DLSR 0', [1, 2].map(() => ({ ...HEARS, fields: { lsr: 9, dlsr: 0 } })), 'HEARD'],
    ['an empty report in front of feedback (RFC 4585, 3.1)', [HEARS, DEAF, { ...DEAF, behind: 'FEEDBACK' }], 'HEARD'],
    ['a BYE', [HEARS, DEAF, { ...DEAF, behind: 'BYE' }], 'HEARD'],
    ['what an application adds', [HEARS, DEAF, { ...DEAF, behind: 'APP' }], 'HEARD'],
    ['an echo of our own', [1, 2, 3].map(() => ({ ...HEARS, by: 'US' as const })), 'UNKNOWN'],
    ['held: we send nothing', [HEARS, { direction: 'RECEIVE' }, DEAF, DEAF, DEAF], 'HEARD'],
    ['resumed, and heard', [HEARS, { direction: 'RECEIVE' }, DEAF, { direction: 'BOTH' }, HEARS], 'HEARD'],
    ['resumed, and not heard', [HEARS, { direction: 'RECEIVE' }, DEAF, { direction: 'BOTH' }, DEAF, DEAF], 'UNHEARD'],
  ];
  for (const way of ['RTCP', 'RTP', 'MUXED'] as const)
    for (const [what, says, proves, peerSends = true] of rows) {
      const isAgreed = way !== 'MUXED' || !says.some((said) => 'direction' in said);
      if (isAgreed) t.equal(hearing(says, { peerSends, way }).hearing, proves, `${way}: ${what}`);
    }
});

t.test('stamps that cannot be give no round trip', async (t) => {
  for (const fields of [
    { lsr: 0xffff_0000, dlsr: 9 },
    { lsr: 9, dlsr: 0 },
    { lsr: 0, dlsr: 9 },
  ])
    t.match(hearing([1, 2].map(() => ({ ...HEARS, fields }))), {
      rttCount: 0,
      rttMeanMs: Number.NaN,
      hearing: 'HEARD',
    });
});

t.test('two reports with next to nothing between them say no more than one', async (t) => {
  const soon = { stepMs: 100 };
  t.equal(hearing([DEAF, DEAF, DEAF, DEAF], soon).unnamedReports, 1, 'five packets each: the first stands for 30');
  t.equal(hearing([HEARS, STUCK, STUCK], soon).hearing, 'HEARD', 'they may have crossed');
  t.equal(hearing([DEAF, { quietMs: 1000 }, DEAF, HEARS], soon).hearing, 'HEARD', 'to have heard something takes one');
});
