import { count, quantile } from '@carillon/media/quality/histogram.ts';
import { patchRtpHeader, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import {
  arrivals,
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
  start,
  THERE,
  timestampOf,
  total,
} from '../../testing/rtp/simulation.ts';
import { NoiseMeter } from '../figures/noise-meter.ts';
import { ACTIVE, CLOSED, FREE, OPEN } from '../figures/stream-memory.ts';
import type { OpenedStream } from './open-job.ts';

t.test('lateness of our own is skipped, counted, and no loss to the far end', async (t) => {
  const { network, here, there, theirs, both } = call(20);
  run(network, both, 1000);
  const meter = new NoiseMeter(here.memory);
  // Our loop does not run for 35 ms: one or two packets of each stream are due, and those of the first 15 ms are more than 20 ms late.
  for (let i = 0; i < 35; i++) {
    network.tick();
    there.loop.turn(network.nowMs + 1);
  }
  run(network, both, 1000);
  const noise = meter.read();
  t.equal(noise.slotsPlanned, noise.slotsSent + noise.slotsSkipped);
  t.ok(noise.slotsSkipped >= 10 && noise.slotsSkipped <= 20, `${noise.slotsSkipped} of ${noise.slotsPlanned}`);
  t.equal(count(noise.pacingErrorMs), noise.slotsSent);
  t.ok(quantile(noise.pacingErrorMs, 1) <= 20.6, 'nothing left more than a packet time late');
  const records = end(network, here);
  t.equal(total(records.map((record) => record.sendsSkipped)), noise.slotsSkipped);
  for (const record of end(network, there)) t.equal(record.lost, 0);
  for (const { rtpPort } of theirs) {
    const list = arrivals(network, rtpPort);
    const spacings = list.slice(1).map(({ atMs }, i) => atMs - list[i]!.atMs);
    const three = spacings.slice(1).map((ms, i) => ms + spacings[i]!);
    t.ok(Math.min(...three) >= 19.9, `never more than two in one packet time: ${Math.min(...three)} ms`);
    const due = list.map(({ atMs, bytes }) => atMs - timestampOf(bytes) / 8);
    t.ok(
      due.every((at) => Math.abs(at - due[0]!) % 536_870_912 <= 20.1),
      'the timestamp kept time',
    );
  }
});

t.test(
  'a packet that is up to its own length late is sent and says so, a later one is skipped: whatever the delay',
  async () => {
    fc.assert(
      fc.property(
        fc.constantFrom(5, 10, 20, 30, 60),
        fc.integer({ min: 0, max: 150 }),
        fc.nat({ max: 60 }),
        (packetMs, heldMs, atMs) => {
          const { network, here, there, both } = call(1, { format: { ...PCMU, packetMs } });
          run(network, both, 300 + atMs);
          const meter = new NoiseMeter(here.memory);
          const before = network.sent.filter(({ from, bytes }) => from.startsWith(HERE) && isRtp(bytes));
          const first = before[0]!;
          /** When a packet was due, by its timestamp: the first was on time. */
          const dueMs = (bytes: Uint8Array): number =>
            first.sentMs + ((timestampOf(bytes) - timestampOf(first.bytes)) >>> 0) / 8;
          for (let ms = 0; ms < heldMs; ms++) {
            network.tick();
            there.loop.turn(network.nowMs + 1);
          }
          run(network, both, 300);
          const { slotsPlanned, slotsSent, slotsSkipped, pacingErrorMs } = meter.read();
          const sent = network.sent
            .filter(({ from, bytes }) => from.startsWith(HERE) && isRtp(bytes))
            .slice(before.length);
          const late = sent.map(({ bytes, sentMs }) => sentMs - dueMs(bytes));
          if (late.some((ms) => ms > packetMs + 1e-6)) throw new Error(`sent ${Math.max(...late)} ms late`);
          if (sent.length !== slotsSent || count(pacingErrorMs) !== slotsSent)
            throw new Error('what was sent is counted otherwise');
          if (slotsPlanned !== slotsSent + slotsSkipped) throw new Error('planned, and neither sent nor skipped');
          // A missed turn runs together with the next: packets that are due and not too old are sent.
          const lastDue = dueMs(before.at(-1)!.bytes);
          const resumesMs = network.nowMs - 300 + 1;
          let tooLate = 0;
          for (let due = lastDue + packetMs; due <= resumesMs; due += packetMs)
            if (resumesMs - due > packetMs) tooLate++;
          if (slotsSkipped !== tooLate) throw new Error(`${slotsSkipped} skipped, ${tooLate} were too late`);
          if (Math.abs(quantile(pacingErrorMs, 1) - Math.max(...late)) > 0.05 * packetMs + 0.1)
            throw new Error(`pacing error ${quantile(pacingErrorMs, 1)}, ${Math.max(...late)} ms late`);
          const [record] = end(network, here);
          if (record?.sendsSkipped !== slotsSkipped) throw new Error('not in the record');
          if (end(network, there)[0]?.lost !== 0) throw new Error('a loss to the far end');
        },
      ),
      { numRuns: 60 },
    );
  },
);

t.test('a packet that the kernel refuses is counted and costs no sequence number', async (t) => {
  const { network, here, there, both } = call(1);
  run(network, both, 500);
  here.sockets.refuse = true;
  run(network, both, 200);
  here.sockets.refuse = false;
  run(network, both, 500);
  t.equal(end(network, here)[0]!.sendErrors, 10);
  t.equal(end(network, there)[0]!.lost, 0);
});

t.test('packet times side by side', async (t) => {
  const network = new Network();
  const here = createNode(network);
  const there = createNode(network, { random: seeded(2) });
  const times = [5, 10, 20, 30, 40, 60];
  const ours = open(here, HERE, times.length);
  const theirs = open(there, THERE, times.length);
  times.forEach((packetMs, i) => {
    start(here, ours[i]!, THERE, theirs[i]!, { format: { ...PCMU, packetMs } });
    start(there, theirs[i]!, HERE, ours[i]!, { format: { ...PCMU, packetMs }, direction: 'RECEIVE' });
  });
  run(network, [here, there], 6000);
  for (const [i, record] of end(network, there).entries()) {
    t.ok(Math.abs(record.packetsReceived - 6000 / times[i]!) <= 1, `${times[i]} ms: ${record.packetsReceived}`);
    t.equal(record.octetsReceived, record.packetsReceived * times[i]! * 8);
    t.equal(record.packetsSent, 0);
    t.ok(record.jitterMeanMs < 1e-6);
  }
});

t.test('RTCP', async (t) => {
  const isReport = ({ bytes, from }: { bytes: Uint8Array; from: string }): boolean =>
    !isRtp(bytes) && from.startsWith(HERE);

  t.test('first after half the interval, then at intervals of 5 s on average (RFC 3550, 6.2)', async (t) => {
    const { network, both } = call(40);
    run(network, both, 60_000);
    const byPort = Map.groupBy(network.sent.filter(isReport), ({ from }) => from);
    const firsts = [...byPort.values()].map((list) => list[0]!.sentMs - 1_000_000);
    t.ok(
      firsts.every((ms) => ms >= 1020 && ms <= 3100),
      `${Math.min(...firsts)} to ${Math.max(...firsts)}`,
    );
    const spacings = [...byPort.values()].flatMap((list) =>
      list.slice(1).map(({ sentMs }, i) => sentMs - list[i]!.sentMs),
    );
    t.ok(Math.min(...spacings) >= 2050 && Math.max(...spacings) <= 6180);
    const mean = total(spacings) / spacings.length;
    // Timers are reconsidered when they expire (6.3.6); the division by e - 3/2 compensates for this.
    t.ok(Math.abs(mean - 5000) < 250, `${mean} ms`);
  });

  t.test('senders send SR, receivers RR, with CNAME and at last BYE', async (t) => {
    const network = new Network();
    const here = createNode(network, { rtcpMinimumMs: 500 });
    const there = createNode(network, { rtcpMinimumMs: 500, random: seeded(9) });
    const [ours] = open(here, HERE, 1);
    const [theirs] = open(there, THERE, 1);
    start(here, ours!, THERE, theirs!, { direction: 'SEND' });
    start(there, theirs!, HERE, ours!, { direction: 'RECEIVE' });
    run(network, [here, there], 5000);
    const typesOf = (address: string): string[] => [
      ...new Set(
        network.sent
          .filter(({ from, bytes }) => from.startsWith(address) && !isRtp(bytes))
          .map(({ bytes }) => `${bytes[1]}`),
      ),
    ];
    t.same(typesOf(HERE), ['200']);
    t.same(typesOf(THERE), ['201']);
    end(network, here);
    const last = network.sent.at(-1)!;
    t.equal(last.bytes.at(-7), 203, 'BYE is the last packet of the last compound');
    run(network, [there], 10);
    t.equal(there.memory.streams.byes[theirs!.row], 1);
    t.equal(end(network, there)[0]!.lost, 0);
  });

  t.test('a stream that was named is sent under its name (RFC 5576)', async (t) => {
    const network = new Network();
    const here = createNode(network, { rtcpMinimumMs: 500 });
    const [ours] = open(here, HERE, 1);
    const sender = { ssrc: 0xfeed_beef, cname: 'a name' };
    start(here, ours!, THERE, ours!, { session: { sender } });
    run(network, [here], 2000);
    const sent = network.sent.filter(({ from }) => from.startsWith(HERE)).map(({ bytes }) => Buffer.from(bytes));
    const [media, reports] = [sent.filter(isRtp), sent.filter((bytes) => !isRtp(bytes))];
    t.ok(media.length > 50 && reports.length > 0);
    t.ok(media.every((bytes) => bytes.readUInt32BE(8) === sender.ssrc));
    t.ok(reports.every((bytes) => bytes.readUInt32BE(4) === sender.ssrc && bytes.includes(sender.cname)));
    end(network, here);
  });

  t.test('muxed on the RTP port (RFC 5761)', async (t) => {
    const { network, here, both, ours } = call(2, { rtcpMinimumMs: 500, muxed: true });
    run(network, both, 3000);
    t.ok(
      network.sent.every(({ to }) => Number(to.split(':')[1]) % 2 === 0),
      'nothing goes to an odd port',
    );
    const records = end(network, here);
    t.ok(records.every((record) => record.rttCount > 0 && record.malformed === 0));
    t.equal(ours.length, 2);
  });
});

t.test('what arrives around the start', async (t) => {
  t.test('up to 250 ms before counts, so that no head is lost', async (t) => {
    const network = new Network();
    const here = createNode(network);
    const there = createNode(network, { random: seeded(2) });
    const [ours] = open(here, HERE, 1);
    const [theirs] = open(there, THERE, 1);
    start(here, ours!, THERE, theirs!);
    run(network, [here, there], 200);
    start(there, theirs!, HERE, ours!);
    run(network, [here, there], 300);
    const [sent] = end(network, here);
    run(network, [there], 5);
    const [record] = end(network, there);
    t.equal(record!.packetsReceived, sent!.packetsSent);
    t.ok(record!.firstPacketAtMs < record!.startedAtMs);
  });

  t.test('earlier is early media, counted apart', async (t) => {
    const network = new Network();
    const here = createNode(network);
    const there = createNode(network, { random: seeded(2) });
    const [ours] = open(here, HERE, 1);
    const [theirs] = open(there, THERE, 1);
    start(here, ours!, THERE, theirs!);
    run(network, [here, there], 2000);
    start(there, theirs!, HERE, ours!);
    run(network, [here, there], 500);
    const [record] = end(network, there);
    t.ok(record!.early >= 85 && record!.early <= 89, `${record!.early}`);
    t.equal(record!.lost, 0);
  });
});

t.test('what is not the stream', async (t) => {
  const { network, there, theirs, ours, both } = call(1);
  run(network, both, 200);
  const [{ row, rtpPort }] = theirs as [OpenedStream];
  const from = `${HERE}:${ours[0]!.rtpPort}`;
  const inject = (bytes: Uint8Array, source = from, port = rtpPort): void =>
    network.transmit({ from: source, to: `${THERE}:${port}`, bytes, sentMs: network.nowMs });
  const rtp = (payloadType: number, ssrc: number): Uint8Array => {
    const bytes = new Uint8Array(172);
    writeRtpHeader(bytes, 0, payloadType, ssrc);
    patchRtpHeader(bytes, 0, 1, 2);
    return bytes;
  };
  inject(rtp(0, 1), `${HERE}:9`);
  inject(rtp(0, 1), '10.9.9.9:16384');
  inject(rtp(101, 1));
  inject(rtp(0, 1));
  inject(new Uint8Array(0));
  inject(Uint8Array.of(0x80, 0, 1));
  inject(rtp(0, 1), `${HERE}:${ours[0]!.rtpPort + 1}`, rtpPort + 1);
  run(network, both, 200);
  const [record] = end(network, there);
  t.match(record, { foreign: 2, unexpectedPayloadTypes: 1, otherSources: 1, malformed: 3, lost: 0, ssrcChanges: 0 });
  t.equal(there.memory.streams.state[row], FREE);
});

t.test('100,000 datagrams of garbage, random and mutated, on both ports', async (t) => {
  const { network, there, theirs, ours, both } = call(1, { rtcpMinimumMs: 500 });
  run(network, both, 1000);
  const random = seeded(77);
  const samples = network.sent.slice(-20).map(({ bytes }) => bytes);
  const received = there.memory.noise.received[0]!;
  for (let i = 0; i < 100_000; i++) {
    let bytes: Uint8Array;
    if (i % 2 === 0) bytes = Uint8Array.from({ length: Math.floor(random() * 200) }, () => random() * 256);
    else {
      bytes = samples[i % samples.length]!.slice(0, 1 + Math.floor(random() * 200));
      for (let k = 0; k < 4; k++) bytes[Math.floor(random() * Math.min(bytes.length, 40))] = random() * 256;
    }
    const odd = i % 4 < 2 ? 0 : 1;
    there.sockets.incoming.set(bytes);
    there.loop.receiver.onDatagram(theirs[0]!.row * 2 + odd, bytes.length, network.nowMs, true);
  }
  t.equal(there.memory.noise.received[0]! - received, 100_000);
  run(network, both, 1000);
  const [record] = end(network, there);
  const c = record!;
  t.ok(c.malformed > 40_000, `${c.malformed} malformed`);
  t.ok(c.otherSources + c.unexpectedPayloadTypes > 1000);
  t.ok(Number.isFinite(c.jitterMeanMs) && Number.isFinite(c.mos) && c.lost >= 0);
  t.equal(ours.length, 1);
});

t.test('ports', async (t) => {
  const range = { firstPort: 20_000, lastPort: 20_019, capacity: 30 };
  const outcome = (node: Node, streams: number): string | number => {
    let result: string | number = 'PENDING';
    node.loop.open({
      address: HERE,
      owner: 1,
      endpointNumbers: Array.from({ length: streams }, (_, i) => i),
      done: (opened, failure) => {
        result = failure ?? opened.length;
      },
    });
    for (let i = 0; i < 50 && result === 'PENDING'; i++) node.loop.turn(0);
    return result;
  };

  t.test('all or none, and none are leaked', async (t) => {
    const network = new Network();
    const node = createNode(network, range);
    t.equal(outcome(node, 11), 'EXHAUSTED');
    t.equal(network.bound, 0);
    t.equal(outcome(node, 10), 10);
    t.equal(network.bound, 20);
    t.equal(outcome(node, 1), 'EXHAUSTED');
    for (let row = 0; row < 30; row++) node.loop.close(row);
    t.equal(network.bound, 0);
    t.equal(outcome(node, 10), 10, 'closing gave them back');
  });

  t.test('pairs that others hold are stepped over, RTP is even', async (t) => {
    const network = new Network();
    const other = createNode(network, { ...range, random: () => 0.5 });
    const node = createNode(network, { ...range, random: () => 0.4 });
    open(other, HERE, 5);
    const ours = open(node, HERE, 5);
    t.ok(ours.every(({ rtpPort }) => rtpPort % 2 === 0));
    t.equal(network.bound, 20);
    t.equal(outcome(node, 1), 'EXHAUSTED');
  });

  t.test('full columns are an exhaustion too', async (t) => {
    const node = createNode(new Network(), { capacity: 3 });
    t.equal(outcome(node, 4), 'EXHAUSTED');
    t.equal(outcome(node, 3), 3);
  });

  t.test('binding a thousand goes on between other streams’ packets', async (t) => {
    const { network, here, there, both } = call(2);
    run(network, both, 100);
    let opened = 0;
    here.loop.open({
      address: HERE,
      owner: 1,
      endpointNumbers: Array.from({ length: 60 }, (_, i) => i),
      done: (streams) => {
        opened = streams.length;
      },
    });
    t.equal(opened, 0);
    run(network, both, 8);
    t.equal(opened, 60);
    t.equal(there.memory.streams.state[0], ACTIVE);
  });
});

t.test('the life of a row', async (t) => {
  const network = new Network();
  const here = createNode(network, { capacity: 1 });
  const there = createNode(network, { capacity: 1, random: seeded(2) });
  const { state } = here.memory.streams;
  const [unused] = open(here, HERE, 1);
  t.equal(state[0], OPEN);
  here.loop.close(unused!.row);
  t.equal(state[0], FREE, 'a stream that never started leaves no figures');
  const [ours] = open(here, HERE, 1);
  const [theirs] = open(there, THERE, 1);
  t.equal(ours!.generation, unused!.generation + 1);
  start(here, ours!, THERE, theirs!);
  start(there, theirs!, HERE, ours!);
  t.equal(state[0], ACTIVE);
  run(network, [here, there], 1000);
  here.loop.close(0);
  t.equal(state[0], CLOSED);
  t.throws(() => open(here, HERE, 1), /EXHAUSTED/, 'not before the sampler has seen it');
  const batch = here.sampler.sample(network.nowMs);
  t.equal(batch.records.length, 1);
  t.equal(batch.samples.owner.length, 1, 'the last interval comes with the record');
  t.equal(state[0], FREE);
  t.equal(here.sampler.sample(network.nowMs + 1000).samples.owner.length, 0);

  const [again] = open(here, HERE, 1);
  start(here, again!, THERE, theirs!);
  run(network, [here], 50);
  here.loop.close(0);
  const [record] = here.sampler.sample(network.nowMs).records;
  t.match(record, { packetsReceived: 0, lost: 0, reordered: 0, ssrcReceived: 0, sendsSkipped: 0, hasFeedback: false });
});
