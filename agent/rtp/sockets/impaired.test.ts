/** The impairment of a stream, in a simulated network: the report matches what was done. */
import { type Impairment, NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import t from 'tap';
import {
  createNode,
  end,
  HERE,
  Network,
  open,
  run,
  seeded,
  start,
  THERE,
  total,
} from '../../testing/rtp/simulation.ts';
import type { StreamRecord } from '../figures/stream-record.ts';
import type { StreamProfile } from '../media-engine.ts';

const STREAMS = 20;
const SECONDS = 20;

/** Streams both ways between two nodes; what arrives at the second is impaired. */
function impaired(
  setting: Partial<Impairment>,
  muxed = false,
): { here: readonly StreamRecord[]; there: readonly StreamRecord[] } {
  const network = new Network();
  const here = createNode(network, { random: seeded(11) });
  const there = createNode(network, { random: seeded(22) });
  const profile: StreamProfile = { stream: 0, impairment: { ...NO_IMPAIRMENT, ...setting } };
  const ours = open(here, HERE, STREAMS);
  const theirs = open(there, THERE, STREAMS, 7, profile);
  for (const [i, stream] of ours.entries()) start(here, stream, THERE, theirs[i]!, { muxed });
  for (const [i, stream] of theirs.entries()) start(there, stream, HERE, ours[i]!, { muxed });
  run(network, [here, there], SECONDS * 1000);
  const heard = end(network, here);
  run(network, [there], 1000);
  return { here: heard, there: end(network, there) };
}

const sum = (records: readonly StreamRecord[], of: (record: StreamRecord) => number): number => total(records.map(of));

for (const muxed of [false, true])
  t.test(`what is done to streams is what they report${muxed ? ', with RTCP on the same port' : ''}`, async (t) => {
    const { here, there } = impaired(
      { lossPercent: 5, burstRatio: 2, delayMs: 40, jitterMs: 2, reorderPercent: 3, duplicatePercent: 4 },
      muxed,
    );
    t.equal(there.length, STREAMS);
    for (const record of there) {
      const { injected } = record;
      t.equal(record.lost, injected!.lost);
      t.equal(record.duplicates, injected!.duplicated);
      t.equal(record.reordered, injected!.reordered);
      t.equal(record.plcEvents, injected!.lossRuns);
      t.ok(Math.abs(record.jitterMeanMs - injected!.jitterAfterMs) < 1e-6, `${record.jitterMeanMs} ms of jitter`);
      t.equal(record.packetsReceived, injected!.passed + injected!.duplicated);
    }
    t.ok(sum(there, (r) => r.injected!.lost) > 500, 'and it was something');
    t.ok(here.every((record) => record.injected === null && record.lost + record.duplicates + record.reordered === 0));
    const rtts = here.filter((record) => record.rttCount > 0);
    t.ok(rtts.length > STREAMS / 2);
    t.ok(
      rtts.every((record) => record.rttMeanMs >= 40 && record.rttMeanMs < 60),
      'the way that is delayed is in the round trip',
    );
  });

t.test('delayed packets count as late', async (t) => {
  const { there } = impaired({ jitterMs: 20 });
  const late = sum(there, (r) => r.injected!.late);
  t.ok(late > 1000);
  t.ok(Math.abs(sum(there, (r) => r.lateDiscarded) - late) <= late * 0.005);
  t.equal(
    sum(there, (r) => r.lost + r.reordered + r.duplicates),
    0,
  );
});

t.test('the same seed does the same, to each stream something else', async (t) => {
  const losses = (seed: number): number[] => impaired({ lossPercent: 5, seed }).there.map((record) => record.lost);
  const first = losses(1);
  t.same(losses(1), first);
  t.notSame(losses(2), first);
  t.ok(new Set(first).size > 5);
});

t.test('an impaired stream that ends leaves nothing behind', async (t) => {
  const network = new Network();
  const here = createNode(network, { random: seeded(11) });
  const there = createNode(network, { random: seeded(22), capacity: 1 });
  const delayed: StreamProfile = { stream: 0, impairment: { ...NO_IMPAIRMENT, delayMs: 500 } };
  const [ours] = open(here, HERE, 1);
  const [first] = open(there, THERE, 1, 7, delayed);
  start(here, ours!, THERE, first!);
  start(there, first!, HERE, ours!);
  run(network, [here, there], 1000);
  const [record] = end(network, there);
  t.ok(record!.packetsReceived > 20 && record!.packetsReceived < 30, `${record!.packetsReceived} of 50`);
  const [second] = open(there, THERE, 1);
  start(there, second!, HERE, ours!);
  run(network, [there], 600);
  t.equal(
    end(network, there)[0]!.packetsReceived,
    0,
    'what was on its way to the one before is not delivered to the next',
  );
});
