/** RFC 4733 digits within a stream, in a simulated network. */
import { receivedDigits } from '@carillon/media/dtmf/receive-digits.ts';
import t from 'tap';
import {
  call,
  createNode,
  end,
  HERE,
  isRtp,
  Network,
  type Node,
  open,
  PCMU,
  run,
  seeded,
  sequenceOf,
  start,
  THERE,
  timestampOf,
} from '../../testing/rtp/simulation.ts';
import type { AudioFormat, StreamSession, VideoFormat } from '../media-engine.ts';
import type { LoadedAudio } from './playlists.ts';

const EVENTS = 101;
const WITH_EVENTS: AudioFormat = {
  ...PCMU,
  telephoneEvent: { sendPayloadType: EVENTS, receivePayloadType: EVENTS, clockRateHz: 8000 },
};

const VIDEO: VideoFormat = {
  kind: 'VIDEO',
  codec: 'VP8',
  sendPayloadType: EVENTS,
  receivePayloadType: EVENTS,
  feedback: { nack: false, pli: false, fir: false },
};

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

const typeOf = (bytes: Uint8Array): number => bytes[1]! & 0x7f;

t.test('keys under an SSRC of their own are heard, and are in the place of audio', async (t) => {
  // As SIPp plays a recorded key after recorded audio, and as gateways insert them.
  const { network, here, there, ours, theirs, both } = call(1, { format: WITH_EVENTS });
  there.loop.expect(theirs[0]!.row, true);
  run(network, both, 2000);
  const pass = network.path;
  here.loop.press(ours[0]!.row, '42', 120, 80);
  let others = 0;
  network.path = (one) => {
    if (!one.from.startsWith(HERE) || !isRtp(one.bytes)) return pass(one);
    // The sender is silent but for the keys, which bear other numbers and another SSRC.
    if (typeOf(one.bytes) !== EVENTS) return [];
    const bytes = Uint8Array.from(one.bytes);
    const view = new DataView(bytes.buffer);
    view.setUint16(2, 7000 + others++);
    view.setUint32(8, 0x0e05384e);
    one.bytes.set(bytes);
    return [0.05];
  };
  run(network, both, 1200);
  const [record] = end(network, there);
  t.ok(others >= 12, `${others} event packets`);
  t.match(record, { digitsReceived: '42', ssrcChanges: 0, eventPackets: others });
  // From the last key on, less than a second.
  t.match(record!.absence, { tailMs: 0, gaps: 0 });
});

t.test('digits replace audio in its own slots, and disturb no figure', async (t) => {
  const { network, here, there, ours, theirs, both } = call(1, { format: WITH_EVENTS });
  run(network, both, 1000);
  here.loop.press(ours[0]!.row, '15#', 120, 80);
  run(network, both, 2000);
  const from = network.sent.find(({ bytes }) => typeOf(bytes) === EVENTS)!.from;
  const sent = network.sent.filter((datagram) => datagram.from === from && isRtp(datagram.bytes));
  t.ok(
    sent.every(({ bytes }, i) => i === 0 || sequenceOf(bytes) === ((sequenceOf(sent[i - 1]!.bytes) + 1) & 0xffff)),
    'sequence numbers go on',
  );
  t.ok(
    sent.every(({ sentMs }, i) => i === 0 || sentMs - sent[i - 1]!.sentMs === 20),
    'one packet a slot',
  );
  const events = sent.filter(({ bytes }) => typeOf(bytes) === EVENTS);
  t.equal(events.length, 3 * 8);
  const starts = events.filter(({ bytes }) => bytes[1]! > 0x7f);
  t.same(
    starts.map(({ bytes }) => (timestampOf(bytes) - timestampOf(starts[0]!.bytes)) >>> 0),
    [0, 1600, 3200],
    'every 200 ms',
  );
  t.same(
    starts.map(({ sentMs }) => sentMs - starts[0]!.sentMs),
    [0, 200, 400],
  );
  t.ok(events.every(({ bytes }) => bytes.length === 16));
  const audio = sent.filter(({ bytes }) => typeOf(bytes) === 0);
  t.ok(audio.every(({ bytes }) => bytes.length === 172 && bytes[1] === 0));
  const first = timestampOf(sent[0]!.bytes);
  t.ok(
    audio.every(({ bytes, sentMs }) => (timestampOf(bytes) - first) >>> 0 === (sentMs - sent[0]!.sentMs) * 8),
    'and audio goes on where it would be without them',
  );

  t.same(
    receivedDigits(there.memory.digits, theirs[0]!.row, 8).map(({ digit, durationMs, volume }) => [
      digit,
      durationMs,
      volume,
    ]),
    [
      ['1', 120, 10],
      ['5', 120, 10],
      ['#', 120, 10],
    ],
  );
  const [sender] = end(network, here);
  const [receiver] = end(network, there);
  t.match(sender, { digitsSent: '15#', digitsReceived: '' });
  t.match(receiver, {
    digitsSent: '',
    digitsReceived: '15#',
    lost: 0,
    lateDiscarded: 0,
    duplicates: 0,
    reordered: 0,
    plcEvents: 0,
  });
  t.ok(receiver!.jitterMaxMs < 0.01, `${receiver!.jitterMaxMs} ms of jitter`);
});

t.test('events at 8000 beside Opus have their own clock, and disturb no figure (RFC 4733, 2.1)', async (t) => {
  const format: AudioFormat = {
    ...{ kind: 'AUDIO', codec: 'OPUS', sendPayloadType: 111, receivePayloadType: 111, packetMs: 20 },
    telephoneEvent: { sendPayloadType: EVENTS, receivePayloadType: EVENTS, clockRateHz: 8000 },
  };
  const { network, here, there, both } = call(0);
  for (const { loop } of both) loop.load(OPUS_TONE);
  const [ours, theirs] = [open(here, HERE, 1), open(there, THERE, 1)];
  start(here, ours[0]!, THERE, theirs[0]!, { format });
  start(there, theirs[0]!, HERE, ours[0]!, { format });
  there.loop.expect(theirs[0]!.row, true);
  run(network, both, 1000);
  here.loop.press(ours[0]!.row, '15#', 120, 80);
  run(network, both, 2000);
  const sent = network.sent.filter(({ from, bytes }) => from.startsWith(HERE) && isRtp(bytes));
  const events = sent.filter(({ bytes }) => typeOf(bytes) === EVENTS);
  const starts = events.filter(({ bytes }) => bytes[1]! > 0x7f);
  t.same(
    starts.map(({ bytes }) => (timestampOf(bytes) - timestampOf(starts[0]!.bytes)) >>> 0),
    [0, 1600, 3200],
    'every 200 ms at 8 kHz',
  );
  t.same(
    events.slice(0, 6).map(({ bytes }) => (bytes[14]! << 8) | bytes[15]!),
    [160, 320, 480, 640, 800, 960],
    'durations at 8 kHz',
  );
  const { digits } = there.memory;
  t.same(
    receivedDigits(digits, theirs[0]!.row, digits.clockHz[theirs[0]!.row]! / 1000).map((one) => one.durationMs),
    [120, 120, 120],
  );
  const [record] = end(network, there);
  t.match(record, { digitsReceived: '15#', lost: 0, lateDiscarded: 0, reordered: 0, plcEvents: 0 });
  t.match(record!.absence, { absentMs: 0, pausedMs: 0, gaps: 0 });
  t.ok(record!.jitterMaxMs < 0.01, `${record!.jitterMaxMs} ms of jitter`);
});

t.test('each digit once, over a network that loses and duplicates', async (t) => {
  const { network, here, there, ours, both } = call(10, { format: WITH_EVENTS });
  const random = seeded(4);
  // At most two packets in a row are lost: an event has eight.
  let lostBefore = 0;
  network.path = () => {
    const fate = random();
    lostBefore = fate < 0.2 && lostBefore < 2 ? lostBefore + 1 : 0;
    return lostBefore > 0 ? [] : fate > 0.8 ? [0.05, 0.06] : [0.05];
  };
  run(network, both, 500);
  for (const { row } of ours) here.loop.press(row, '0123456789*#ABCD', 120, 80);
  run(network, both, 5000);
  end(network, here);
  for (const { digitsReceived } of end(network, there)) t.equal(digitsReceived, '0123456789*#ABCD');
});

t.test(
  'where no events were agreed on, nothing is pressed; a change ends what was being pressed under other terms',
  async (t) => {
    const plain = call(1);
    run(plain.network, plain.both, 100);
    plain.here.loop.press(plain.ours[0]!.row, '1', 120, 80);
    run(plain.network, plain.both, 500);
    t.notOk(plain.network.sent.some(({ bytes }) => typeOf(bytes) === EVENTS));

    const { network, here, there, ours, theirs, both } = call(1, { format: WITH_EVENTS });
    run(network, both, 100);
    here.loop.press(ours[0]!.row, '123', 120, 80);
    here.loop.press(ours[0]!.row, '456', 120, 80);
    run(network, both, 300);
    const session: StreamSession = {
      remote: { address: THERE, rtpPort: theirs[0]!.rtpPort, rtcpPort: theirs[0]!.rtpPort + 1 },
      format: WITH_EVENTS,
      source: 'TONE',
      direction: 'BOTH',
    };
    here.loop.change(ours[0]!.row, session);
    run(network, both, 600);
    here.loop.change(ours[0]!.row, { ...session, direction: 'NONE' });
    run(network, both, 400);
    here.loop.change(ours[0]!.row, session);
    run(network, both, 2000);
    here.loop.press(ours[0]!.row, '9', 120, 80);
    run(network, both, 1000);
    end(network, here);
    t.equal(end(network, there)[0]!.digitsReceived, '123459', 'a session that was refreshed disturbs nobody');
  },
);

t.test('a row that carries video next remembers no digits', async (t) => {
  const network = new Network();
  const nodes = [HERE, THERE].map((_, i) => createNode(network, { capacity: 1, random: seeded(i + 1) }));
  const [here, there] = nodes as [Node, Node];
  for (const format of [WITH_EVENTS, VIDEO]) {
    const [ours] = open(here, HERE, 1);
    const [theirs] = open(there, THERE, 1);
    const session = { source: format === VIDEO ? 'PATTERN' : 'TONE' } as const;
    start(here, ours!, THERE, theirs!, { format, session });
    start(there, theirs!, HERE, ours!, { format, session });
    run(network, nodes, 1000);
    t.same(
      [there.memory.digits.digits[0], there.memory.digits.otherEvents[0], there.memory.digits.malformed[0]],
      [0, 0, 0],
    );
    for (const node of nodes) end(network, node);
  }
});

t.test('events of strangers are no digits', async (t) => {
  const { network, there, ours, theirs, both } = call(1, { format: WITH_EVENTS });
  run(network, both, 500);
  const one = network.sent.findLast(({ from, bytes }) => from === `${HERE}:${ours[0]!.rtpPort}` && isRtp(bytes))!;
  for (let n = 0; n < 20; n++) {
    const bytes = one.bytes.slice(0, 16);
    bytes[1] = EVENTS;
    bytes[8]! ^= 1 + (n % 2);
    bytes.set([n % 10, 10, 0, 160], 12);
    network.transmit({ ...one, bytes, sentMs: network.nowMs });
  }
  run(network, both, 100);
  t.equal(there.memory.digits.digits[theirs[0]!.row], 0);
});
