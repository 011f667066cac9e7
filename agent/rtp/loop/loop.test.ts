import { mosOfR } from '@carillon/media/quality/e-model.ts';
import { excuseDelay } from '@carillon/media/rtp/absence.ts';
import t from 'tap';
import {
  arrivals,
  call,
  drain,
  end,
  HERE,
  isRtp,
  run,
  seeded,
  sequenceOf,
  THERE,
  timestampOf,
  total,
} from '../../testing/rtp/simulation.ts';
import type { StreamSamples } from '../figures/stream-samples.ts';
import { SendWheel } from '../send/send-wheel.ts';

t.test('a call without loss has no loss, and the jitter of its network', async (t) => {
  const { network, here, there, ours, both } = call(40);
  run(network, both, 6000);
  const { samples } = here.sampler.sample(network.nowMs);
  t.equal(samples.owner.length, 40);
  t.same(
    samples.endpointNumber,
    ours.map((_, i) => 100 + i),
  );
  t.ok(
    samples.packetsSent.every((packets) => packets === 300 || packets === 299),
    'one packet every 20 ms',
  );
  t.equal(total(samples.lost), 0);
  t.ok(
    samples.jitterMs.every((ms) => Math.abs(ms) < 1e-6),
    'the network has none, so we report none',
  );
  t.ok(samples.mos.every((mos) => mos > 4.3 && mos < 4.5));
  const sentByHere = network.sent.filter(({ from, bytes }) => from.startsWith(HERE) && isRtp(bytes));
  const perTick = new Map<number, number>();
  for (const { sentMs } of sentByHere) perTick.set(sentMs, (perTick.get(sentMs) ?? 0) + 1);
  t.same([...new Set(perTick.values())], [8], 'neighbours leave together');
  const records = end(network, here);
  t.equal(records.length, 40);
  t.match(records[0], {
    codec: 'PCMU',
    remoteAddress: THERE,
    owner: 7,
    endpointNumber: 100,
    hasFeedback: true,
    lost: 0,
  });
  t.equal(end(network, there).length, 40);
  t.equal(network.bound, 0, 'every port was given back');
});

t.test('slots: eight neighbours together, none eight above another', async (t) => {
  const wheel = new SendWheel(1000);
  for (let row = 0; row < 500; row++) wheel.add(row, 20, 0);
  const { slots } = wheel.wheels[0]!;
  t.ok(
    slots.every((rows) => rows.every((row) => rows.includes(row ^ 1))),
    'side by side',
  );
  const spread = (): number =>
    Math.max(...slots.map((rows) => rows.length)) - Math.min(...slots.map((rows) => rows.length));
  t.ok(spread() <= 8);
  const random = seeded(5);
  for (let i = 0; i < 5000; i++) {
    const row = Math.floor(random() * 1000);
    wheel.remove(row);
    if (random() < 0.5) wheel.add(row, 20, i);
  }
  const held = slots.flat();
  t.equal(new Set(held).size, held.length, 'each row once');
});

t.test('what the network loses is what is reported, to the packet', async (t) => {
  const { network, here, there, theirs, both } = call(30, { rtcpMinimumMs: 1000 });
  const random = seeded(3);
  network.path = ({ from, bytes }) => (from.startsWith(HERE) && isRtp(bytes) && random() < 0.03 ? [] : [5]);
  run(network, both, 20_000);
  const samplesThere = there.sampler.sample(network.nowMs).samples;
  end(network, here);
  const records = end(network, there);
  let losses = 0;
  for (const [i, record] of records.entries()) {
    const numbers = arrivals(network, theirs[i]!.rtpPort).map(({ bytes }) => sequenceOf(bytes));
    const first = numbers[0]!;
    const last = (numbers.at(-1)! - first + 65_536) % 65_536;
    const lost = last + 1 - numbers.length;
    losses += lost;
    t.equal(record.lost, lost, `stream ${i}`);
    t.equal(record.expected, last + 1);
    t.equal(record.packetsReceived, numbers.length);
    t.equal(samplesThere.lost[i], lost, 'the samples add up to the record');
    const gaps = numbers.slice(1).filter((n, k) => (n - numbers[k]! + 65_536) % 65_536 !== 1).length;
    t.equal(record.plcEvents, gaps, 'a PLC event a gap');
    t.equal(record.plcMs, lost * 20);
  }
  t.ok(losses > 600, `${losses} packets were dropped in all`);
});

t.test('the far end’s report of our loss reaches us', async (t) => {
  const { network, here, both } = call(1, { rtcpMinimumMs: 500 });
  let n = 0;
  network.path = ({ from, bytes }) => (from.startsWith(HERE) && isRtp(bytes) && ++n % 10 === 5 ? [] : [1]);
  run(network, both, 10_000);
  const { samples } = here.sampler.sample(network.nowMs);
  const fraction = samples.remoteLossFraction[0]!;
  t.ok(fraction > 0.03 && fraction < 0.2, `${fraction}, of the dozen or two packets since the report before`);
  const [record] = end(network, here);
  t.ok(record!.hasFeedback);
  t.ok(record!.remoteLost > 40 && record!.remoteLost <= 50, `${record!.remoteLost}`);
});

t.test('jitter is that of RFC 3550, whatever the delays; late packets are those beyond the buffer', async (t) => {
  const { network, there, theirs, both } = call(10);
  const random = seeded(5);
  network.path = ({ from, bytes }) => [from.startsWith(HERE) && isRtp(bytes) ? 10 + 90 * random() ** 3 : 10];
  run(network, both, 9000);
  drain(network, both);
  const records = end(network, there);
  for (const [i, record] of records.entries()) {
    const list = arrivals(network, theirs[i]!.rtpPort);
    let jitter = 0;
    let sum = 0;
    let most = 0;
    let least = Number.POSITIVE_INFINITY;
    const late = list.filter(({ atMs, bytes }, k) => {
      const transit = atMs * 8 - timestampOf(bytes);
      least = Math.min(least, transit);
      if (k === 0) return false;
      const before = list[k - 1]!;
      const d = Math.abs((atMs - before.atMs) * 8 - ((timestampOf(bytes) - timestampOf(before.bytes)) | 0));
      jitter += (d - jitter) / 16;
      sum += jitter;
      most = Math.max(most, jitter);
      return transit - least > 60 * 8;
    });
    t.ok(
      Math.abs(record.jitterMeanMs - sum / (list.length - 1) / 8) < 1e-6,
      `stream ${i}: mean ${record.jitterMeanMs} ms`,
    );
    t.ok(Math.abs(record.jitterMaxMs - most / 8) < 1e-6, `stream ${i}: greatest`);
    t.equal(record.lateDiscarded, late.length, `stream ${i}: late`);
    t.equal(record.lost, 0);
    t.ok(record.reordered > 0);
  }
});

t.test('duplicates and reordering are counted as they were made', async (t) => {
  const { network, there, theirs, both } = call(5);
  const random = seeded(8);
  let copies = 0;
  network.path = ({ from, bytes }) => {
    if (!from.startsWith(HERE) || !isRtp(bytes)) return [1];
    const fate = random();
    if (fate < 0.02) return [1 + 25 * random() + 20];
    if (fate >= 0.04) return [1];
    copies += 1;
    return [1, 3];
  };
  run(network, both, 20_000);
  drain(network, both);
  const records = end(network, there);
  t.equal(total(records.map((record) => record.duplicates)), copies);
  for (const [i, record] of records.entries()) {
    const numbers = arrivals(network, theirs[i]!.rtpPort).map(({ bytes }) => sequenceOf(bytes));
    const seen = new Set<number>();
    let highest = numbers[0]!;
    let reordered = 0;
    for (const number of numbers) {
      const ahead = ((number - highest + 65_536 + 32_768) % 65_536) - 32_768;
      if (ahead < 0 && !seen.has(number)) reordered += 1;
      if (ahead > 0) highest = number;
      seen.add(number);
    }
    t.equal(record.reordered, reordered, `stream ${i}: ${reordered}`);
    t.equal(record.lost, 0);
  }
});

t.test('the round trip is the sum of both delays', async (t) => {
  const { network, here, both } = call(3, { rtcpMinimumMs: 500 });
  network.path = ({ from }) => [from.startsWith(HERE) ? 30 : 45];
  run(network, both, 5000);
  const { samples } = here.sampler.sample(network.nowMs);
  t.ok(
    samples.rttMs.every((ms) => Math.abs(ms - 75) < 0.05),
    `${samples.rttMs[0]} ms`,
  );
  const records = end(network, here);
  t.ok(records.every((record) => record.rttCount > 3 && Math.abs(record.rttMaxMs - 75) < 0.05));
  t.ok(records.every((record) => record.delaySource === 'RTT'));
  const { rFactor, mos, mosLq } = records[0]!;
  t.ok(Math.abs(mos - mosOfR(rFactor)) < 1e-9 && mos < mosLq, 'delay costs');
});

t.test('without RTCP the delay is only the receiver’s', async (t) => {
  const { network, here, both } = call(1);
  network.path = ({ bytes }) => (isRtp(bytes) ? [40] : []);
  run(network, both, 3000);
  const { samples } = here.sampler.sample(network.nowMs);
  t.ok(Number.isNaN(samples.rttMs[0]) && Number.isNaN(samples.remoteJitterMs[0]));
  t.ok(samples.mos[0]! > 4.3);
  const [record] = end(network, here);
  t.match(record, { delaySource: 'RECEIVER_ONLY', hasFeedback: false, rttCount: 0 });
  t.ok(Number.isNaN(record!.remoteLost) && Number.isNaN(record!.rttMeanMs));
});

t.test('a stream that hears nothing has figures of nothing', async (t) => {
  const { network, here, both } = call(1);
  network.path = () => [];
  run(network, both, 2000);
  const { samples } = here.sampler.sample(network.nowMs);
  t.match([samples.packetsReceived[0], samples.expected[0], samples.lost[0]], [0, 0, 0]);
  t.ok([samples.jitterMs, samples.jitterMaxMs, samples.mos, samples.rFactor].every(([value]) => Number.isNaN(value)));
  const [record] = end(network, here);
  t.ok(Number.isNaN(record!.firstPacketAtMs) && Number.isNaN(record!.mos) && Number.isNaN(record!.jitterMeanMs));
});

t.test('samples add up to the record', async (t) => {
  const { network, here, there, both } = call(4, { rtcpMinimumMs: 500 });
  const random = seeded(6);
  network.path = () => (random() < 0.05 ? [] : random() < 0.05 ? [1, 2] : [20 * random()]);
  const seen: StreamSamples[] = [];
  for (let second = 0; second < 10; second++) {
    run(network, both, 1000);
    seen.push(there.sampler.sample(network.nowMs).samples);
  }
  run(network, both, 123);
  for (let row = 0; row < 4; row++) there.loop.close(row);
  const { samples, records } = there.sampler.sample(network.nowMs);
  seen.push(samples);
  const sumOf = (name: keyof StreamSamples, i: number): number => total(seen.map((batch) => batch[name][i]!));
  for (const [i, record] of records.entries()) {
    t.equal(sumOf('packetsReceived', i), record.packetsReceived);
    t.equal(sumOf('expected', i), record.expected);
    t.equal(sumOf('lost', i), record.lost);
    t.equal(sumOf('discarded', i), record.lateDiscarded);
    t.equal(sumOf('duplicates', i), record.duplicates);
    t.equal(sumOf('reordered', i), record.reordered);
    t.equal(sumOf('plcEvents', i), record.plcEvents);
    t.equal(sumOf('packetsSent', i), record.packetsSent);
    t.ok(Math.abs(sumOf('intervalMs', i) - (record.closedAtMs - record.startedAtMs)) < 1e-6);
    t.equal(Math.max(...seen.map((batch) => batch.jitterMaxMs[i]!)), record.jitterMaxMs);
    t.ok(record.mos < 4.3, 'it was a bad line');
  }
  end(network, here);
});

t.test('what arrives while the thread itself stalls is not a hole', async (t) => {
  const { network, here, both, ours } = call(1);
  const [{ row } = { row: 0 }] = ours;
  here.loop.expect(row, true);
  run(network, both, 1000);
  const seen = [here.sampler.sample(network.nowMs).samples];
  run(network, [both[1]!], 2000);
  seen.push(here.sampler.sample(network.nowMs).samples);
  run(network, both, 1000);
  seen.push(here.sampler.sample(network.nowMs).samples);
  const [record] = end(network, here);
  t.equal(seen[1]?.expected[0], 0);
  t.equal(total(seen.flatMap((batch) => batch.expected)), record!.expected);
});

t.test(
  'a hole that was counted while it was open, and is shorter after all, takes nothing back from an interval',
  async (t) => {
    const { network, here, both, ours } = call(1);
    const [{ row } = { row: 0 }] = ours;
    here.loop.expect(row, true);
    run(network, both, 1000);
    const seen = [here.sampler.sample(network.nowMs).samples];
    const pass = network.path;
    network.path = ({ from }) => (from.startsWith(THERE) ? [] : [1]);
    run(network, both, 2000);
    seen.push(here.sampler.sample(network.nowMs).samples);
    // Our process stalled for longer than the sampling interval.
    excuseDelay(here.memory.received, row, 900);
    run(network, both, 500);
    seen.push(here.sampler.sample(network.nowMs).samples);
    network.path = pass;
    run(network, both, 2000);
    const [record] = end(network, here);
    seen.push(here.sampler.sample(network.nowMs).samples);
    const expected = seen.flatMap((batch) => batch.expected);
    t.ok(
      expected.every((n) => n >= 0),
      `${expected}`,
    );
    t.equal(expected[2], 0);
    t.ok(record!.absence.absentMs >= 1500 && record!.absence.absentMs < 1700, `${record!.absence.absentMs}`);
  },
);
