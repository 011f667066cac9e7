/** What is sent to peers that have not shown consent, in a simulated network. */
import t from 'tap';
import {
  createNode,
  end,
  HERE,
  isRtp,
  Network,
  open,
  run,
  seeded,
  sequenceOf,
  start,
  THERE,
  timestampOf,
} from '../../testing/rtp/simulation.ts';
import type { StreamDirection } from '../media-engine.ts';
import { PACKETS_BEFORE_CONSENT } from './consent.ts';

/** A stream that waits for consent and, unless its peer is silent, one that sends to it from the announced address. */
function answered(theirDirection: StreamDirection | null, direction: StreamDirection = 'BOTH') {
  const network = new Network();
  const here = createNode(network, { random: seeded(1), rtcpMinimumMs: 500 });
  const there = createNode(network, { random: seeded(2), rtcpMinimumMs: 500 });
  const [ours] = open(here, HERE, 1) as [ReturnType<typeof open>[0]];
  const [theirs] = open(there, THERE, 1) as [ReturnType<typeof open>[0]];
  start(here, ours!, THERE, theirs!, { direction, session: { awaitsConsent: true } });
  if (theirDirection !== null) start(there, theirs!, HERE, ours!, { direction: theirDirection });
  const sent = () => network.sent.filter(({ from }) => from.startsWith(`${HERE}:`));
  return { network, here, there, ours: ours!, theirs: theirs!, both: [here, there], sent };
}

t.test('a peer that never acknowledges is sent a few packets, and no report', (t) => {
  for (const direction of ['BOTH', 'SEND', 'RECEIVE'] as const) {
    const { network, here, both, sent } = answered(null, direction);
    run(network, both, 32_000);
    t.equal(sent().filter(({ bytes }) => isRtp(bytes)).length, direction === 'RECEIVE' ? 0 : PACKETS_BEFORE_CONSENT);
    t.equal(sent().length, direction === 'RECEIVE' ? 0 : PACKETS_BEFORE_CONSENT, 'and no BYE is sent');
    const [record] = end(network, here);
    t.match(record, { sendsSkipped: 0, sendErrors: 0 }, 'which is no trouble of this host');
    t.equal(network.bound, 2, 'ports of the other node only');
  }
  t.end();
});

t.test('an ACK that comes late: numbers go on, timestamps have run on, nothing is lost', (t) => {
  const { network, here, there, ours, both, sent } = answered('RECEIVE');
  run(network, both, 1000);
  t.equal(sent().length, PACKETS_BEFORE_CONSENT);
  here.loop.consent(ours.row);
  here.loop.consent(ours.row);
  run(network, both, 2000);
  const packets = sent().filter(({ bytes }) => isRtp(bytes));
  t.ok(packets.length > PACKETS_BEFORE_CONSENT + 95);
  t.ok(sent().length > packets.length, 'and reports');
  const [last, next] = packets.slice(PACKETS_BEFORE_CONSENT - 1) as [(typeof packets)[0], (typeof packets)[0]];
  t.equal(sequenceOf(next.bytes), (sequenceOf(last.bytes) + 1) & 0xffff);
  t.equal((timestampOf(next.bytes) - timestampOf(last.bytes)) >>> 0, (next.sentMs - last.sentMs) * 8);
  end(network, here);
  t.match(end(network, there)[0], { lost: 0, plcEvents: 0, ssrcChanges: 0, restarts: 0 });
  t.end();
});

t.test('an ACK in time: the stream is what it is without any of this', (t) => {
  const { network, here, ours, both, sent } = answered('RECEIVE');
  run(network, both, 60);
  here.loop.consent(ours.row);
  run(network, both, 940);
  const packets = sent().filter(({ bytes }) => isRtp(bytes));
  t.ok(packets.length >= 49);
  const gaps = packets.slice(1).map(({ sentMs }, i) => sentMs - packets[i]!.sentMs);
  t.same([...new Set(gaps)], [20]);
  t.end();
});

t.test('media of the peer, from where it wants ours, show as much as an ACK; a stranger’s do not', (t) => {
  const { network, both, sent } = answered('BOTH');
  run(network, both, 1000);
  t.ok(sent().filter(({ bytes }) => isRtp(bytes)).length >= 49, 'its ACK was lost, its media were not');

  const spoofed = answered(null);
  const stranger = createNode(spoofed.network, { random: seeded(3) });
  const [third] = open(stranger, '10.0.0.3', 1) as [ReturnType<typeof open>[0]];
  start(stranger, third!, HERE, spoofed.ours);
  run(spoofed.network, [...spoofed.both, stranger], 2000);
  t.equal(spoofed.sent().length, PACKETS_BEFORE_CONSENT);
  t.end();
});

t.test('a session that changes meanwhile, or ends, is no consent', (t) => {
  const { network, here, ours, theirs, both, sent } = answered(null);
  const session = { format: { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 } };
  const remote = { address: THERE, rtpPort: theirs.rtpPort, rtcpPort: null };
  run(network, both, 1000);
  here.loop.change(ours.row, { ...session, remote, source: 'TONE', direction: 'SEND' } as Parameters<
    typeof here.loop.change
  >[1]);
  run(network, both, 1000);
  t.equal(sent().length, PACKETS_BEFORE_CONSENT);
  here.loop.close(ours.row);
  here.loop.consent(ours.row);
  run(network, both, 1000);
  t.equal(sent().length, PACKETS_BEFORE_CONSENT);
  t.end();
});
