/** Digits of RFC 4733 within a stream, in a network of the test's own time. */
import { receivedDigits } from '@carillon/media/dtmf/receive-digits.ts';
import t from 'tap';
import type { AudioFormat } from '../rtp/media-engine.ts';
import { call, end, isRtp, PCMU, run, seeded, sequenceOf, timestampOf } from './rtp-simulation.ts';

const EVENTS = 101;
const WITH_EVENTS: AudioFormat = {
  ...PCMU,
  telephoneEvent: { sendPayloadType: EVENTS, receivePayloadType: EVENTS, clockRateHz: 8000 },
};

const typeOf = (bytes: Uint8Array): number => bytes[1]! & 0x7f;

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

t.test('each digit once, behind a network that loses and doubles', async (t) => {
  const { network, here, there, ours, both } = call(10, { format: WITH_EVENTS });
  const random = seeded(4);
  // At most two packets in a row: an event has eight.
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

t.test('where no events were agreed on, nothing is pressed; a change ends what was being pressed', async (t) => {
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
  here.loop.change(ours[0]!.row, {
    remote: { address: '10.0.0.2', rtpPort: theirs[0]!.rtpPort, rtcpPort: theirs[0]!.rtpPort + 1 },
    format: WITH_EVENTS,
    source: 'TONE',
    direction: 'BOTH',
  });
  run(network, both, 2000);
  here.loop.press(ours[0]!.row, '9', 120, 80);
  run(network, both, 1000);
  end(network, here);
  t.equal(end(network, there)[0]!.digitsReceived, '129');
});
