import { decodeFeedback, encodeNack } from '@carillon/media/rtcp/feedback.ts';
import { emptyRtpPacket, parseRtp, RTP_HEADER_BYTES } from '@carillon/media/rtp/header.ts';
import { MASTER_KEY_BYTES, SRTP_ROOM_BYTES, type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import { depacketize, type VideoPacket } from '@carillon/media/testing/depacketize.ts';
import { MAX_PAYLOAD_BYTES } from '@carillon/media/video/video-packets.ts';
import t from 'tap';
import {
  createNode,
  type Datagram,
  end,
  HERE,
  isRtp,
  Network,
  type Node,
  open,
  run,
  seeded,
  sequenceOf,
  THERE,
  timestampOf,
} from '../../testing/rtp/simulation.ts';
import type { StreamSession, VideoFormat } from '../media-engine.ts';
import { MAX_RESENT, VIDEO_BYTES } from './video-sender.ts';

const ALL = { nack: true, pli: true, fir: true };
const VP8: VideoFormat = { kind: 'VIDEO', codec: 'VP8', sendPayloadType: 96, receivePayloadType: 96, feedback: ALL };
const H264: VideoFormat = { ...VP8, codec: 'H264', packetizationMode: 1 };
const FORMATS = { VP8, 'H264 mode 1': H264, 'H264 mode 0': { ...H264, packetizationMode: 0 } } as const;

type Options = Partial<StreamSession> & { format?: VideoFormat; streams?: number };

/** Two nodes that send each other the pattern, with 20 ms of delay. */
function call({ streams = 1, ...options }: Options = {}) {
  const network = new Network();
  network.path = () => [20];
  const [here, there] = [11, 22].map((seed) => createNode(network, { rtcpMinimumMs: 500, random: seeded(seed) })) as [
    Node,
    Node,
  ];
  const ours = open(here, HERE, streams, 7, { stream: 1 });
  const theirs = open(there, THERE, streams, 7, { stream: 1 });
  const session = (address: string, rtpPort: number): StreamSession => ({
    remote: { address, rtpPort, rtcpPort: rtpPort + 1 },
    format: VP8,
    source: 'PATTERN',
    direction: 'BOTH',
    ...options,
  });
  for (const [i, { row }] of ours.entries()) here.loop.start(row, session(THERE, theirs[i]!.rtpPort));
  for (const [i, { row }] of theirs.entries()) there.loop.start(row, session(HERE, ours[i]!.rtpPort));
  return { network, here, there, ours, theirs, both: [here, there], session };
}

const fromHere = ({ from }: { from: string }): boolean => from.startsWith(HERE);

function packetOf({ bytes }: { bytes: Uint8Array }): VideoPacket {
  const packet = emptyRtpPacket();
  parseRtp(bytes, 0, bytes.length, packet);
  const payload = bytes.subarray(packet.payloadOffset, packet.payloadOffset + packet.payloadBytes);
  return { sequence: packet.sequence, timestamp: packet.timestamp, marker: packet.marker, payload };
}

const feedbackOf = (list: readonly Datagram[]): string[] =>
  list.flatMap(({ bytes }) => decodeFeedback(bytes, 0, bytes.length) ?? []).map(({ kind }) => kind);

const inFlight = (network: Network, sent: readonly Datagram[]): number =>
  sent.filter(({ sentMs }) => sentMs + 20 > network.nowMs).length;

for (const [name, format] of Object.entries(FORMATS)) {
  t.test(`${name}: a clean call`, async (t) => {
    const { network, here, there, both } = call({ format });
    run(network, both, 7000);
    const sent = network.sent.filter((datagram) => fromHere(datagram) && isRtp(datagram.bytes));
    const { frames, broken } = depacketize(format.codec, sent.map(packetOf));
    t.equal(broken, 0);
    t.ok(frames.every(({ timestamp }, i) => i === 0 || (timestamp - frames[i - 1]!.timestamp) >>> 0 === 6000));
    t.ok(frames.every(({ isKeyframe }, i) => isKeyframe === (i % 15 === 0)));
    const ticks = new Map<number, number>();
    for (const { sentMs } of sent) ticks.set(sentMs, (ticks.get(sentMs) ?? 0) + 1);
    t.equal(Math.max(...ticks.values()), 1, 'no two packets leave at once');
    t.ok(sent.every(({ bytes }) => bytes.length <= 1212));
    const { samples } = there.sampler.sample(network.nowMs);
    t.ok(
      [samples.mos, samples.rFactor].every(([value]) => Number.isNaN(value)),
      'video is not rated by the E-model',
    );
    t.same(samples.stream, [1]);
    const [record] = end(network, there);
    t.match(record, {
      stream: 1,
      codec: format.codec,
      lost: 0,
      nackCount: 0,
      pliCount: 0,
      firCount: 0,
      sendsSkipped: 0,
    });
    const { mos, rFactor, mosLq, plcMs, plcEvents, lateDiscarded, burstRatio, fixed, adaptive } = record!;
    const unmeasured = [mos, rFactor, mosLq, plcMs, plcEvents, lateDiscarded, burstRatio];
    t.ok(
      [...unmeasured, ...Object.values(fixed), ...Object.values(adaptive)].every(Number.isNaN),
      'no listener is emulated',
    );
    t.same(samples.plcEvents, [0]);
    t.match(record!.video, { framesLost: 0, framesDropped: 0, freezes: 0, plisSent: 0, nacksSent: 0 });
    t.ok(Math.abs(record!.video!.framesPerSecond - 15) < 0.1, `${record!.video!.framesPerSecond} frames a second`);
    t.ok(record!.video!.framesReceived >= 103 && record!.video!.keyframesReceived === 7);
    t.ok(record!.jitterMaxMs < 1, `jitter is that of first packets: ${record!.jitterMaxMs} ms`);
    t.equal(record!.packetsReceived, end(network, here)[0]!.packetsSent - inFlight(network, sent));
  });
}

for (const suite of Object.keys(SUITES) as SrtpSuite[])
  t.test(`${suite}: frames and feedback are the same encrypted, whatever is lost`, async (t) => {
    t.ok(
      RTP_HEADER_BYTES + MAX_PAYLOAD_BYTES + SRTP_ROOM_BYTES <= VIDEO_BYTES,
      'the longest packet leaves room for its tag',
    );
    const key = { suite, keySalt: Buffer.alloc(MASTER_KEY_BYTES + SUITES[suite].saltBytes, 7).toString('base64') };
    const security = { mode: 'SDES', send: key, receive: key } as const;
    const { network, here, there, both } = call({ format: H264, security, streams: 2 });
    const random = seeded(3);
    network.path = (datagram) => (isRtp(datagram.bytes) && fromHere(datagram) && random() < 0.1 ? [] : [20]);
    run(network, both, 6000);
    network.path = () => [20];
    run(network, both, 500);
    const senders = end(network, here);
    for (const [i, record] of end(network, there).entries()) {
      t.match(record, { srtpAuthFailed: 0, srtpReplayed: 0, malformed: 0, lost: 0 });
      t.ok(record.video!.nacksSent > 3 && record.video!.framesReceived > 80);
      t.equal(record.video!.nacksSent, senders[i]!.video!.nacksReceived);
      t.equal(record.video!.recoveredPackets, senders[i]!.video!.packetsResent);
    }
  });

t.test('lost packets are asked for, sent again, and the frames are whole; both ends count alike', async (t) => {
  for (const reducedSize of [false, true]) {
    const { network, here, there, both } = call({ reducedSize, streams: 3 });
    const random = seeded(7);
    const dropped = new Set<number>();
    network.path = (datagram) => {
      if (!fromHere(datagram) || !isRtp(datagram.bytes)) return [20];
      const sequence = sequenceOf(datagram.bytes);
      const gone = datagram.sentMs > 1_001_000 && random() < 0.15 && !dropped.has(sequence);
      if (gone) dropped.add(sequence);
      return gone ? [] : [20];
    };
    run(network, both, 10_000);
    network.path = () => [20];
    run(network, both, 500);
    const records = end(network, there);
    const senders = end(network, here);
    for (const [i, record] of records.entries()) {
      const sender = senders[i]!;
      t.equal(record.lost, 0, 'everything came in the end');
      t.match(record.video, { framesLost: 0, framesDropped: 0, plisSent: 0 });
      t.ok(record.video!.nacksSent > 10);
      t.equal(record.video!.nacksSent, sender.video!.nacksReceived);
      t.equal(record.video!.recoveredPackets, sender.video!.packetsResent, 'no packet was sent again in vain');
      t.equal(sender.nackCount, record.nackCount);
      t.ok(record.jitterMaxMs < 1, 'what was sent again is no jitter');
    }
    const nacks = network.sent.filter(
      ({ from, bytes }) =>
        from.startsWith(THERE) && !isRtp(bytes) && feedbackOf([{ from, to: '', bytes, sentMs: 0 }]).includes('NACK'),
    );
    t.ok(
      nacks.every(({ bytes }) => (bytes[1] === 205) === reducedSize),
      'by itself if agreed, otherwise in a compound',
    );
  }
});

t.test('a receiver that requests everything all the time gets only what was sent, at a limited rate', async (t) => {
  const { network, here, both, ours, theirs } = call({ reducedSize: true });
  run(network, both, 4000);
  const { streams } = here.memory;
  const row = ours[0]!.row;
  const [from, to] = [`${THERE}:${theirs[0]!.rtpPort + 1}`, `${HERE}:${ours[0]!.rtpPort + 1}`];
  const floodBeginMs = network.nowMs;
  const isFirst = (seen: Set<number>, { bytes }: Datagram): boolean =>
    !seen.has(sequenceOf(bytes)) && seen.add(sequenceOf(bytes)) !== null;
  for (let ms = 0; ms < 2000; ms++) {
    // A peer can make us believe any round trip.
    streams.rttCount[row] = 1;
    streams.rttLastMs[row] = 0;
    const newest = sequenceOf(network.sent.findLast((one) => fromHere(one) && isRtp(one.bytes))!.bytes);
    const bytes = new Uint8Array(80 * 16);
    let at = 0;
    for (let n = 0; n < 80; n++) {
      const lost = Uint16Array.from({ length: 17 }, (_, i) => newest - (n % 30) * 17 - 16 + i);
      at = encodeNack(bytes, at, streams.localSsrc[row]! ^ 1, streams.localSsrc[row]!, lost);
    }
    network.transmit({ from, to, bytes: bytes.slice(0, at), sentMs: network.nowMs });
    run(network, both, 1);
  }
  const seen = new Set<number>();
  const perTick = new Map<number, number>();
  let [octets, octetsAgain] = [0, 0];
  for (const one of network.sent.filter((one) => fromHere(one) && isRtp(one.bytes)))
    if (isFirst(seen, one)) octets += one.sentMs > floodBeginMs - 1000 ? one.bytes.length : 0;
    else {
      octetsAgain += one.bytes.length;
      perTick.set(one.sentMs, (perTick.get(one.sentMs) ?? 0) + 1);
    }
  t.ok(octetsAgain > 0);
  t.ok(Math.max(...perTick.values()) <= MAX_RESENT, `${Math.max(...perTick.values())} at once`);
  t.ok(octetsAgain <= octets * 1.1, `${octetsAgain} again, ${octets} at first`);
});

t.test('a frame that cannot be mended asks for a keyframe, which comes at its right time', async (t) => {
  const { network, here, there, both } = call();
  let hole = false;
  const gone = new Set<number>();
  network.path = (datagram) => {
    if (!fromHere(datagram) || !isRtp(datagram.bytes)) return [20];
    const sequence = sequenceOf(datagram.bytes);
    if (hole && gone.size < 3) gone.add(sequence);
    return gone.has(sequence) ? [] : [20];
  };
  run(network, both, 3200);
  hole = true;
  run(network, both, 5000);
  const sent = network.sent.filter((datagram) => fromHere(datagram) && isRtp(datagram.bytes));
  const { frames } = depacketize('VP8', sent.map(packetOf));
  const keyframes = frames.flatMap(({ isKeyframe }, i) => (isKeyframe ? [i] : []));
  t.ok(
    frames.every(({ timestamp }, i) => i === 0 || (timestamp - frames[i - 1]!.timestamp) >>> 0 === 6000),
    'timestamps go on',
  );
  t.equal(keyframes.filter((at, i) => i > 0 && at - keyframes[i - 1]! !== 15).length, 1, 'one jump');
  const [record] = end(network, there);
  const [sender] = end(network, here);
  t.match(record!.video, { plisSent: 1, firsSent: 0 });
  t.match(sender!.video, { plisReceived: 1, keyframesSent: keyframes.length });
  t.match({ pliCount: record!.pliCount, firCount: record!.firCount }, { pliCount: 1, firCount: 0 });
  t.ok(record!.video!.framesLost >= 1 && record!.video!.framesDropped > 0);
  t.equal(record!.lost, 3);
  t.equal(record!.video!.nacksSent >= 2, true, 'asked twice');
});

t.test('FIR where PLI was not agreed on; nothing where nothing was', async (t) => {
  for (const fir of [true, false]) {
    const { network, here, there, both } = call({ format: { ...VP8, feedback: { nack: false, pli: false, fir } } });
    let packets = 0;
    network.path = (datagram) => (fromHere(datagram) && isRtp(datagram.bytes) && ++packets === 60 ? [] : [20]);
    run(network, both, 5000);
    const [record] = end(network, there);
    const [sender] = end(network, here);
    t.match(record!.video, { nacksSent: 0, plisSent: 0, firsSent: fir ? 1 : 0 });
    t.equal(sender!.video!.firsReceived, record!.video!.firsSent);
    t.equal(sender!.firCount, fir ? 1 : 0);
    t.equal(record!.lost, 1);
    t.ok(record!.video!.framesLost === 1);
  }
});

t.test('a number of FIR is never used again, a repeat has that of its request', async (t) => {
  const fir = { nack: false, pli: false, fir: true };
  const { network, there, both, ours, theirs, session } = call({ format: { ...VP8, feedback: fir } });
  network.path = (datagram) =>
    fromHere(datagram) && isRtp(datagram.bytes) && sequenceOf(datagram.bytes) % 40 === 0 ? [] : [20];
  const numbers = (): number[] =>
    network.sent
      .filter((one) => !fromHere(one))
      .flatMap(({ bytes }) => decodeFeedback(bytes, 0, bytes.length) ?? [])
      .flatMap((one) => (one.kind === 'FIR' ? one.requests.map(({ sequenceNumber }) => sequenceNumber) : []));
  run(network, both, 2500);
  const before = numbers();
  t.ok(before.length > 0);
  there.loop.change(theirs[0]!.row, session(HERE, ours[0]!.rtpPort));
  run(network, both, 2500);
  const all = numbers();
  t.ok(all.length > before.length);
  t.ok(all[before.length]! > Math.max(...before), `${all}`);
  network.path = () => [20];
  const { keyframesReceived } = there.memory.streams;
  const keyframes = keyframesReceived[theirs[0]!.row]! + 2;
  while (keyframesReceived[theirs[0]!.row]! < keyframes) run(network, both, 1);
  const settled = numbers().length;
  let lost = 0;
  network.path = (datagram) => (fromHere(datagram) && (!isRtp(datagram.bytes) || lost++ > 0) ? [20] : []);
  run(network, both, 900);
  const unheard = numbers().slice(settled);
  t.same(unheard, [unheard[0], unheard[0]], 'asked twice, for one keyframe');
});

t.test('one packet out of every range blinds nobody', async (t) => {
  const { network, there, both, ours, theirs } = call();
  run(network, both, 3000);
  const one = network.sent.findLast((sent) => fromHere(sent) && isRtp(sent.bytes))!;
  const stray = one.bytes.slice();
  stray[2]! ^= 0x60;
  network.transmit({ ...one, from: `${HERE}:${ours[0]!.rtpPort}`, to: `${THERE}:${theirs[0]!.rtpPort}`, bytes: stray });
  run(network, both, 3000);
  const [record] = end(network, there);
  t.match(record!.video, { framesLost: 0, framesDropped: 0, plisSent: 0 });
  t.ok(record!.video!.framesReceived > 85);
});

t.test('feedback that could not be sent is not counted', async (t) => {
  const { network, there, both } = call();
  network.path = (datagram) =>
    fromHere(datagram) && isRtp(datagram.bytes) && sequenceOf(datagram.bytes) % 20 === 0 ? [] : [20];
  there.sockets.refuse = true;
  run(network, both, 3000);
  const [record] = end(network, there);
  t.match(record!.video, { nacksSent: 0, plisSent: 0, firsSent: 0 });
});

t.test('a receiver that joins late requests a keyframe and gets it immediately', async (t) => {
  const { network, there, both } = call();
  network.path = (datagram) => (fromHere(datagram) && isRtp(datagram.bytes) && datagram.sentMs < 1_000_400 ? [] : [20]);
  run(network, both, 900);
  const [record] = end(network, there);
  t.equal(record!.video!.plisSent, 1);
  t.equal(record!.video!.keyframesReceived, 1, 'well before the second is over');
});

t.test('a hold is no freeze; the stream goes on with a keyframe', async (t) => {
  const { network, here, there, both, session, ours, theirs } = call();
  run(network, both, 2000);
  const held = { ...session(THERE, theirs[0]!.rtpPort), direction: 'RECEIVE' } as const;
  here.loop.change(ours[0]!.row, held);
  there.loop.change(theirs[0]!.row, { ...session(HERE, ours[0]!.rtpPort), direction: 'SEND' });
  run(network, both, 3000);
  here.loop.change(ours[0]!.row, session(THERE, theirs[0]!.rtpPort));
  there.loop.change(theirs[0]!.row, session(HERE, ours[0]!.rtpPort));
  run(network, both, 2000);
  const sent = network.sent.filter((datagram) => fromHere(datagram) && isRtp(datagram.bytes));
  const numbers = sent.map(({ bytes }) => sequenceOf(bytes));
  t.ok(
    numbers.every((n, i) => i === 0 || ((n - numbers[i - 1]!) & 0xffff) === 1),
    'sequence numbers go on',
  );
  const pause = sent.findIndex(({ sentMs }, i) => i > 0 && sentMs - sent[i - 1]!.sentMs > 2000);
  const units = (timestampOf(sent[pause]!.bytes) - timestampOf(sent[pause - 1]!.bytes)) >>> 0;
  t.ok(Math.abs(units / 90 - (sent[pause]!.sentMs - sent[pause - 1]!.sentMs)) < 60, 'timestamps run on over the pause');
  const [record] = end(network, there);
  t.match(record!.video, { freezes: 0, framesLost: 0, plisSent: 0 });
  t.ok(Math.abs(record!.video!.framesPerSecond - 15) < 0.5, `${record!.video!.framesPerSecond} frames a second`);
});

t.test('a thread that was late skips frames, and goes on with a keyframe', async (t) => {
  const { network, here, there } = call({ direction: 'BOTH' });
  run(network, [here, there], 1500);
  run(network, [there], 400);
  run(network, [here, there], 3000);
  const [sender] = end(network, here);
  const [record] = end(network, there);
  t.ok(sender!.sendsSkipped > 0);
  t.match(record!.video, { framesLost: 0, framesDropped: 0, nacksSent: 0 }, 'what was sent can be shown');
  t.equal(record!.lost, 0);
});

t.test('many streams begin at different instants', async (t) => {
  const { network, both } = call({ streams: 40 });
  run(network, both, 1000);
  const perTick = new Map<number, number>();
  for (const { sentMs, from, bytes } of network.sent)
    if (from.startsWith(HERE) && isRtp(bytes)) perTick.set(sentMs, (perTick.get(sentMs) ?? 0) + 1);
  const most = Math.max(...perTick.values());
  t.ok(most <= 10, `${most} of 40 at once, although all begin with a keyframe of many packets`);
});
