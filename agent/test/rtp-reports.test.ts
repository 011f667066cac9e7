/** RTCP between two nodes, in a network of its own time. */
import { decodeRtcp } from '@carillon/media/rtcp/decode.ts';
import { encodeGoodbye, encodeReceiverReport } from '@carillon/media/rtcp/encode.ts';
import type { RtcpPacket } from '@carillon/media/rtcp/packets.ts';
import t from 'tap';
import { call, type Datagram, end, HERE, isRtp, type Network, run, THERE } from './rtp-simulation.ts';

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
  // 6.3.1: drawn between half and one and a half of Td, divided by e - 3/2, and reconsidered on expiry.
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
  const goodbyes = reports.filter(({ packets }) => packets.some(({ kind }) => kind === 'BYE'));
  t.equal(goodbyes.length, 2);
  t.ok(goodbyes.every(({ packets }) => packets.at(-1)!.kind === 'BYE'));
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

t.test('who only receives learns the round trip by DLRR', async (t) => {
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

t.test('a member who falls silent is no sender after two reports, and his stream is reported on no more', async (t) => {
  const { network, here, there, both } = call(1, { rtcpMinimumMs: 1000 });
  run(network, both, 10_000);
  end(network, there);
  const goneMs = network.nowMs;
  run(network, [here], 20_000);
  const after = reportsFrom(network, HERE).filter(({ sentMs }) => sentMs > goneMs);
  const blocks = after.map(({ packets }) => (packets[0]!.kind === 'SR' ? packets[0]!.blocks.length : -1));
  t.ok(blocks.slice(0, 1).every((count) => count <= 1) && blocks.slice(1).every((count) => count === 0), `${blocks}`);
});

t.test('a goodbye for somebody else is none', async (t) => {
  const { network, here, there, ours, theirs, both } = call(1);
  run(network, both, 1000);
  const ssrc = here.memory.streams.localSsrc[ours[0]!.row]!;
  const row = theirs[0]!.row;
  const [from, to] = [`${HERE}:${ours[0]!.rtpPort + 1}`, `${THERE}:${theirs[0]!.rtpPort + 1}`];
  for (const [named, goodbyes] of [
    [ssrc ^ 1, 0],
    [ssrc, 1],
  ] as const) {
    const bytes = new Uint8Array(16);
    encodeGoodbye(bytes, encodeReceiverReport(bytes, 0, ssrc, []), named >>> 0);
    network.transmit({ from, to, bytes, sentMs: network.nowMs });
    run(network, both, 2);
    t.equal(there.memory.streams.goodbyes[row], goodbyes);
  }
});

const ssrcOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(8);

t.test('a peer under our SSRC: goodbye, another one, counts from zero (8.2); nothing is lost by it', async (t) => {
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
    'who follows us is not fled from again',
  );
  const reports = reportsFrom(network, HERE).flatMap(({ packets }) => packets);
  const goodbyes = reports.flatMap((packet) => (packet.kind === 'BYE' ? packet.ssrcs : []));
  t.same(goodbyes, [first]);
  const senders = reports.flatMap((packet) => (packet.kind === 'SR' && packet.ssrc === second ? [packet] : []));
  const under = sent.filter(({ bytes }) => ssrcOf(bytes) === second).length;
  t.ok(senders.length > 1 && senders.every(({ packets, octets }) => packets <= under && octets === packets * 160));
  const [record] = end(network, here);
  t.match(record, { ssrcCollisions: 1, ssrcLocal: second, lost: 0 });
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
  t.match(record, { ssrcCollisions: 0, ssrcRemote: first, lost: 0 });
  t.ok(record!.packetsReceived > 240 && record!.jitterMaxMs < 0.01, `${record!.packetsReceived} came back`);
});
