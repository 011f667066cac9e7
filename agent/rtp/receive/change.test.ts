/** Sessions that change during a call, and peers that send from other addresses than announced. */
import t from 'tap';
import {
  createNode,
  end,
  HERE,
  isRtp,
  Network,
  open,
  PCMU,
  run,
  seeded,
  sequenceOf,
  start,
  THERE,
  timestampOf,
} from '../../testing/rtp/simulation.ts';
import type { AudioFormat } from '../media-engine.ts';
import type { LoadedAudio } from '../send/playlists.ts';
import { FOLLOWED_AFTER } from './symmetric-rtp.ts';

const ELSEWHERE = '10.0.0.3';
const NATED = '10.9.9.9';

/** Two nodes with one started stream each; `change` gives the stream of `here` a later agreement. */
function session() {
  const network = new Network();
  const asked: string[] = [];
  const here = createNode(network, {
    random: seeded(1),
    rtcpMinimumMs: 500,
    onSource: (_, { address, port }) => asked.push(`${address}:${port}`),
  });
  const there = createNode(network, { random: seeded(2), rtcpMinimumMs: 500 });
  const [ours] = open(here, HERE, 1) as [ReturnType<typeof open>[0]];
  const [theirs] = open(there, THERE, 1) as [ReturnType<typeof open>[0]];
  const both = [here, there];
  const remote = { address: THERE, rtpPort: theirs!.rtpPort, rtcpPort: theirs!.rtpPort + 1 };
  const sent = (rtp: boolean) =>
    network.sent.filter(({ from, bytes }) => from.startsWith(`${HERE}:`) && isRtp(bytes) === rtp);
  return { network, here, there, ours: ours!, theirs: theirs!, both, remote, sent, asked };
}

t.test('hold and resume: numbers and figures go on', async (t) => {
  const { network, here, there, ours, theirs, both, remote, sent } = session();
  start(here, ours, THERE, theirs);
  start(there, theirs, HERE, ours);
  run(network, both, 1000);
  here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'RECEIVE' });
  const before = sent(true).at(-1)!;
  const reports = sent(false).length;
  run(network, both, 2000);
  t.equal(sent(true).at(-1), before, 'on hold nothing is sent');
  t.ok(sent(false).length > reports, 'but reports');
  here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'BOTH' });
  run(network, both, 1000);
  const after = sent(true)[sent(true).indexOf(before) + 1]!;
  t.equal(sequenceOf(after.bytes), (sequenceOf(before.bytes) + 1) & 0xffff);
  t.equal(
    (timestampOf(after.bytes) - timestampOf(before.bytes)) >>> 0,
    (after.sentMs - before.sentMs) * 8,
    'the media clock ran on',
  );
  const [theirRecord] = end(network, there);
  t.match(theirRecord, { lost: 0, plcEvents: 0, ssrcChanges: 0, restarts: 0 });
  t.ok(theirRecord!.jitterMaxMs < 1e-6);
  const [record] = end(network, here);
  t.match(record, { lost: 0, restarts: 0, remoteAddress: THERE });
  t.ok(record!.packetsReceived >= 199);
  t.ok(record!.longestGapMs < 25);
});

t.test('another address, another codec, another packet time', async (t) => {
  const { network, here, there, ours, theirs, both, sent } = session();
  const third = createNode(network, { random: seeded(3) });
  const [moved] = open(third, ELSEWHERE, 1) as [ReturnType<typeof open>[0]];
  start(here, ours, THERE, theirs);
  start(there, theirs, HERE, ours);
  run(network, both, 1000);
  there.loop.close(theirs.row);
  const pcma = { kind: 'AUDIO', codec: 'PCMA', sendPayloadType: 8, receivePayloadType: 8, packetMs: 40 } as const;
  start(third, moved!, HERE, ours, { format: pcma });
  const remote = { address: ELSEWHERE, rtpPort: moved!.rtpPort, rtcpPort: moved!.rtpPort + 1 };
  here.loop.change(ours.row, { remote, format: pcma, source: 'TONE', direction: 'BOTH' });
  run(network, [here, third], 2000);
  const last = sent(true).at(-1)!;
  t.match([last.to, last.bytes.length, last.bytes[1]], [`${ELSEWHERE}:${moved!.rtpPort}`, 12 + 320, 8]);
  const [record] = end(network, here);
  t.match(record, { codec: 'PCMA', remoteAddress: ELSEWHERE, lost: 0, unexpectedPayloadTypes: 0 });
  t.ok(Math.abs(record!.packetsReceived - (50 + 50)) <= 1);
  t.ok(record!.longestGapMs < 45);
  const [theirRecord] = end(network, third);
  t.match(theirRecord, { lost: 0 });
  t.ok(Math.abs(theirRecord!.packetsReceived - 50) <= 1);
});

t.test('a sender that does not follow the change of the codec is told of after a second', async (t) => {
  const { network, here, there, ours, theirs, both } = session();
  start(here, ours, THERE, theirs);
  start(there, theirs, HERE, ours);
  run(network, both, 1000);
  const remote = { address: HERE, rtpPort: ours.rtpPort, rtcpPort: ours.rtpPort + 1 };
  const pcma = { kind: 'AUDIO', codec: 'PCMA', sendPayloadType: 8, receivePayloadType: 8, packetMs: 20 } as const;
  there.loop.change(theirs.row, { remote, format: pcma, source: 'TONE', direction: 'BOTH' });
  run(network, both, 3000);
  const [record] = end(network, there);
  t.ok(Math.abs(record!.unexpectedPayloadTypes - 100) <= 2, `${record!.unexpectedPayloadTypes} of 150`);
});

const OPUS: AudioFormat = {
  kind: 'AUDIO',
  codec: 'OPUS',
  sendPayloadType: 111,
  receivePayloadType: 111,
  packetMs: 20,
};
const G722: AudioFormat = { kind: 'AUDIO', codec: 'G722', sendPayloadType: 9, receivePayloadType: 9, packetMs: 20 };
/** A second of 20 ms frames, of which only the first octet is Opus. */
const OPUS_TONE: LoadedAudio = {
  source: 'TONE',
  encoded: [
    {
      codec: 'OPUS',
      unitMs: 20,
      bytes: new Uint8Array(50 * 80).fill(0xf8),
      unitEnds: Uint32Array.from({ length: 50 }, (_, i) => (i + 1) * 80),
    },
  ],
};

for (const [from, to] of [
  [PCMU, OPUS],
  [OPUS, PCMU],
  [G722, OPUS],
  [PCMU, G722],
] as const)
  t.test(`${from.codec} becomes ${to.codec}: jitter is told in each one's clock`, async (t) => {
    const { network, here, there, ours, theirs, both, sent } = session();
    for (const { loop } of both) loop.load(OPUS_TONE);
    // Every other packet comes 10 ms later: the estimator converges to 10 ms (standards, 2.1).
    network.path = ({ bytes }) => [isRtp(bytes) && sequenceOf(bytes) % 2 === 1 ? 10.05 : 0.05];
    start(here, ours, THERE, theirs, { format: from });
    start(there, theirs, HERE, ours, { format: from });
    run(network, both, 10_000);
    const before = there.sampler.sample(network.nowMs).samples;
    t.ok(before.jitterMs[0]! > 8 && before.jitterMs[0]! < 10.01, `${before.jitterMs[0]} ms`);
    const [last] = sent(true).slice(-1);
    const changed = (address: string, { rtpPort }: { rtpPort: number }) => ({
      remote: { address, rtpPort, rtcpPort: rtpPort + 1 },
      format: to,
      source: 'TONE' as const,
      direction: 'BOTH' as const,
    });
    here.loop.change(ours.row, changed(THERE, theirs));
    there.loop.change(theirs.row, changed(HERE, ours));
    run(network, both, 3000);
    const first = sent(true)[sent(true).indexOf(last!) + 1]!;
    t.equal(sequenceOf(first.bytes), (sequenceOf(last!.bytes) + 1) & 0xffff);
    const { samples } = there.sampler.sample(network.nowMs);
    // Starting from zero: 150 packets have the mean of the first 150 of any stream.
    const anew = 10 * (1 - (16 / 150) * (1 - (15 / 16) ** 150));
    t.ok(
      Math.abs(samples.jitterMs[0]! - anew) < 0.3,
      `${samples.jitterMs[0]} ms, ${anew} of an estimator that began again`,
    );
    t.ok(samples.jitterMaxMs[0]! < 10.01);
    t.ok(samples.remoteJitterMs[0]! > 6 && samples.remoteJitterMs[0]! < 10.01, `${samples.remoteJitterMs[0]} ms told`);
    const [record] = end(network, there);
    t.match(record, {
      codec: to.codec,
      lost: 0,
      lateDiscarded: 0,
      ssrcChanges: 0,
      restarts: 0,
    });
    t.equal(record!.unexpectedPayloadTypes, 0, 'what was on its way at the change (RFC 3264, 8.3.2)');
    t.ok(
      record!.jitterMaxMs < 10.01 && record!.jitterMeanMs > 8 && record!.jitterMeanMs < 10,
      `${record!.jitterMeanMs} ms`,
    );
    t.ok(Math.abs(record!.delayVariation.maxMs - 10) < 0.01, `${record!.delayVariation.maxMs} ms`);
    t.ok(record!.remoteJitterMs > 6 && record!.remoteJitterMs < 10.01, `${record!.remoteJitterMs} ms told`);
  });

t.test('audio that was not loaded is no silence without a name', async (t) => {
  for (const loaded of [false, true]) {
    const { network, here, there, ours, theirs, both } = session();
    if (loaded) here.loop.load(OPUS_TONE);
    start(here, ours, THERE, theirs, { format: OPUS });
    start(there, theirs, HERE, ours, { format: PCMU });
    run(network, both, 200);
    const [record] = end(network, here);
    t.match(record, { unplayable: !loaded, packetsSent: loaded ? 10 : 0 });
    t.match(end(network, there)[0], { unplayable: false });
  }
  const { network, here, ours, theirs, both, remote } = session();
  start(here, ours, THERE, theirs);
  run(network, both, 200);
  here.loop.change(ours.row, { remote, format: OPUS, source: 'TONE', direction: 'BOTH' });
  run(network, both, 200);
  t.match(end(network, here)[0], { unplayable: true }, 'after a change, too');
});

t.test('what the far end has said of jitter was said in the old clock', async (t) => {
  const { network, here, there, ours, theirs, both, remote } = session();
  for (const { loop } of both) loop.load(OPUS_TONE);
  network.path = ({ bytes }) => [isRtp(bytes) && sequenceOf(bytes) % 2 === 1 ? 10.05 : 0.05];
  start(here, ours, THERE, theirs);
  start(there, theirs, HERE, ours);
  run(network, both, 10_000);
  here.loop.change(ours.row, { remote, format: OPUS, source: 'TONE', direction: 'BOTH' });
  const [record] = end(network, here);
  t.ok(record!.remoteJitterMs > 8 && record!.remoteJitterMs < 10.01, `${record!.remoteJitterMs} ms`);
});

t.test('a peer without an address is not sent to', async (t) => {
  const { network, here, there, ours, theirs, both, remote, sent } = session();
  here.loop.start(ours.row, { remote: null, format: PCMU, source: 'TONE', direction: 'RECEIVE' });
  start(there, theirs, HERE, ours);
  run(network, both, 3000);
  t.equal(sent(true).length + sent(false).length, 0, 'neither RTP nor RTCP');
  here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'BOTH' });
  run(network, both, 1000);
  here.loop.change(ours.row, { remote: null, format: PCMU, source: 'TONE', direction: 'RECEIVE' });
  const count = network.sent.filter(({ from }) => from.startsWith(HERE)).length;
  run(network, both, 1000);
  t.equal(network.sent.filter(({ from }) => from.startsWith(HERE)).length, count);
  const [record] = end(network, here);
  t.equal(record!.packetsReceived, 100, 'the peer is still heard from its old address');
  t.equal(network.sent.filter(({ from }) => from.startsWith(HERE)).length, count, 'no BYE either');
});

t.test('inactive: neither sent nor counted, and no loss from it', async (t) => {
  const { network, here, there, ours, theirs, both, remote } = session();
  start(here, ours, THERE, theirs);
  start(there, theirs, HERE, ours);
  run(network, both, 1000);
  here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'NONE' });
  run(network, both, 1000);
  here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'BOTH' });
  run(network, both, 1000);
  const [record] = end(network, here);
  t.match(record, { lost: 0, restarts: 0 });
  t.ok(Math.abs(record!.packetsReceived - 100) <= 2 && Math.abs(record!.packetsSent - 100) <= 2);
});

t.test('no port for RTCP', async (t) => {
  const { network, here, there, ours, theirs, both, remote, sent } = session();
  here.loop.start(ours.row, { remote: { ...remote, rtcpPort: null }, format: PCMU, source: 'TONE', direction: 'BOTH' });
  start(there, theirs, HERE, ours);
  run(network, both, 2000);
  t.ok(sent(true).length > 95);
  t.equal(sent(false).length, 0);
  t.match(end(network, here)[0], { rttCount: 0, lost: 0, sendErrors: 0 });
});

t.test('a peer that sends from elsewhere', async (t) => {
  await t.test('is followed when its packets have proved steady and the policy allows it', async (t) => {
    const { network, here, there, ours, theirs, both, asked, sent } = session();
    start(there, theirs, HERE, ours);
    // Behind a NAT: the address that `here` was told does not exist.
    here.loop.start(ours.row, {
      remote: { address: NATED, rtpPort: 4000, rtcpPort: 4001 },
      format: PCMU,
      source: 'TONE',
      direction: 'BOTH',
    });
    run(network, both, 1000);
    t.same(asked, [`${THERE}:${theirs.rtpPort}`], 'asked once');
    t.equal(here.memory.received.packets[ours.row], 0, 'and not followed on its own account');
    here.loop.follow(ours.row, THERE, theirs.rtpPort);
    run(network, both, 1000);
    t.equal(sent(true).at(-1)!.to, `${THERE}:${theirs.rtpPort}`);
    here.loop.change(ours.row, {
      remote: { address: NATED, rtpPort: 4000, rtcpPort: 4001 },
      format: PCMU,
      source: 'TONE',
      direction: 'BOTH',
    });
    run(network, both, 200);
    const [record] = end(network, here);
    t.match(record, { followed: 1, packetsReceived: 60, lost: 0, remoteAddress: THERE });
    t.ok(record!.foreign < 55, `${record!.foreign}: fifty packets and the first reports`);
    t.ok(record!.hasFeedback, 'its reports are received as well');
    t.ok(record!.firstPacketAtMs - record!.startedAtMs < 25, 'heard from its first packet on');
  });

  await t.test('is not heard by an end that only sends, and is heard as soon as that end listens', async (t) => {
    const { network, here, there, ours, theirs, both, asked } = session();
    network.refuses = true;
    start(there, theirs, HERE, ours);
    const remote = { address: NATED, rtpPort: 4000, rtcpPort: null };
    here.loop.start(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'SEND' });
    // Before the peer's first report, which arrives at an unconnected port.
    run(network, both, 90);
    t.equal(here.memory.streams.foreign[ours.row], 0, 'connected from the start');
    here.loop.change(ours.row, { remote, format: PCMU, source: 'TONE', direction: 'BOTH' });
    run(network, both, 1000);
    t.ok(here.memory.streams.foreign[ours.row]! > 40);
    t.same(asked, [`${THERE}:${theirs.rtpPort}`]);
  });

  await t.test('from the middle of a call on, is heard on and followed', async (t) => {
    const { network, here, there, ours, theirs, both, asked, sent } = session();
    start(here, ours, THERE, theirs);
    start(there, theirs, HERE, ours);
    here.loop.expect(ours.row, true);
    run(network, both, 1000);
    // A NAT that gives the same stream another port: the socket is connected, and the kernel refuses it at first.
    network.path = (one) => {
      if (one.from !== `${THERE}:${theirs.rtpPort}` || !isRtp(one.bytes)) return [0.05];
      network.transmit({ ...one, from: `${NATED}:5000` });
      return [];
    };
    run(network, both, 1000);
    t.same(asked, [`${NATED}:5000`], 'asked once');
    t.equal(sent(true).at(-1)!.to, `${THERE}:${theirs.rtpPort}`, 'not followed without leave');
    here.loop.follow(ours.row, NATED, 5000);
    run(network, both, 3000);
    t.equal(sent(true).at(-1)!.to, `${NATED}:5000`);
    const [record] = end(network, here);
    t.match(record, { followed: 1, remoteAddress: NATED, ssrcChanges: 0, absence: { tailMs: 0, gaps: 0 } });
    t.ok(record!.lost <= 8, `${record!.lost} of ${record!.numbered}, until others were heard again`);
    t.ok(record!.elsewhere > 30 && record!.elsewhere < 50, `${record!.elsewhere} before it was followed`);
    t.equal(record!.packetsReceived + record!.lost, record!.numbered);
  });

  await t.test('is heard on where it is not followed, and another source is not', async (t) => {
    const { network, here, there, ours, theirs, both, sent } = session();
    start(here, ours, THERE, theirs);
    start(there, theirs, HERE, ours);
    here.loop.expect(ours.row, true);
    run(network, both, 1000);
    const bytes = sent(true)[0]!.bytes;
    network.path = (one) => {
      if (one.from !== `${THERE}:${theirs.rtpPort}` || !isRtp(one.bytes)) return [0.05];
      network.transmit({ ...one, from: `${NATED}:5000` });
      network.transmit({ ...one, from: `${ELSEWHERE}:7`, bytes });
      return [];
    };
    run(network, both, 3000);
    const [record] = end(network, here);
    t.match(record, { followed: 0, remoteAddress: THERE, otherSources: 0, absence: { tailMs: 0 } });
    t.ok(record!.elsewhere > 130 && record!.foreign > 130, `${record!.elsewhere}, ${record!.foreign} of another`);
  });

  await t.test('is not followed once the negotiated peer has spoken, nor by a handful of packets', async (t) => {
    const { network, here, there, ours, theirs, both, asked, sent } = session();
    start(here, ours, THERE, theirs);
    run(network, both, 500);
    const bytes = sent(true)[0]!.bytes;
    const stranger = (from: string) =>
      network.transmit({ from, to: `${HERE}:${ours.rtpPort}`, bytes, sentMs: network.nowMs });
    for (let i = 0; i < FOLLOWED_AFTER - 1; i++) stranger(`${NATED}:9`);
    run(network, both, 10);
    for (let i = 0; i < FOLLOWED_AFTER - 1; i++) stranger(`${NATED}:10`);
    run(network, both, 10);
    t.same(asked, []);
    here.loop.follow(ours.row, NATED, 10);
    start(there, theirs, HERE, ours);
    run(network, both, 500);
    for (let i = 0; i < FOLLOWED_AFTER * 2; i++) stranger(`${NATED}:11`);
    run(network, both, 10);
    t.same(asked, []);
    t.match(end(network, here)[0], { followed: 0, remoteAddress: THERE });
  });
});
