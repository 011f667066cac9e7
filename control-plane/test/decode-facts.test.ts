/** Agents' facts, checked: what is too long is cut, what cannot be is refused. */
import { randomUUID } from 'node:crypto';
import { BUCKETS } from '@carillon/media/quality/histogram.ts';
import { decodeFacts, encodeFacts, FrameError, type wire } from '@carillon/proto';
import t from 'tap';
import { decodeFactsIn } from '../link/decode-facts.ts';
import { toBytes } from '../link/identifiers.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;
const between = { fromMs: NOW - 30 * DAY, toMs: NOW + DAY };

const read = (facts: wire.agent.v1.Facts.$Properties) => decodeFactsIn(decodeFacts(encodeFacts(1, facts)), between);
const ofAllocation = (more: wire.agent.v1.AllocationFacts.$Properties) =>
  read({ allocations: [{ allocationId: toBytes(randomUUID()), baseUnixMs: NOW, ...more }] });

t.test('texts that strangers send are cut before they become keys', async (t) => {
  const { allocations } = ofAllocation({
    sipCounts: {
      sent: [false],
      method: ['M'.repeat(5000)],
      status: [200],
      reason: ['r'.repeat(5000)],
      count: [1],
      retransmissions: [0],
    },
  });
  t.equal(allocations[0]?.sipCounts?.method[0]?.length, 32);
  t.equal(allocations[0]?.sipCounts?.reason[0]?.length, 200);
});

t.test('histograms have the buckets of their layout', async (t) => {
  const histogram = (bucket: number) => ({ bucket: [bucket], count: [1] });
  const noise = (bucket: number) => ({ noise: [{ fromUnixMs: NOW, seconds: 1, loopDelayMs: histogram(bucket) }] });
  t.same(read(noise(BUCKETS - 1)).noise[0]?.loopDelay, [BUCKETS - 1, 1]);
  t.throws(() => read(noise(BUCKETS)), FrameError);
  t.throws(() => ofAllocation({ startNoise: { inviteLateMs: histogram(99_999) } }), FrameError);
  t.throws(() => read({ noise: [{ fromUnixMs: NOW, seconds: Number.NaN }] }), FrameError);
});

t.test('an agent does not choose which days there are', async (t) => {
  const zero = [0];
  const one = (at: number) => ({
    baseUnixMs: at,
    samples: {
      ...Object.fromEntries(
        'endpoint stream atMs intervalMs packetsSent packetsReceived expected lost discarded duplicates reordered plcEvents jitterMs jitterMaxMs rttMs mos rFactor remoteLossFraction remoteJitterMs octetsReceived'
          .split(' ')
          .map((name) => [name, zero]),
      ),
    },
  });
  t.same(ofAllocation(one(NOW)).allocations[0]?.samples?.unixMs, [NOW]);
  for (const at of [between.fromMs, between.toMs]) t.ok(ofAllocation(one(at)));
  for (const at of [0, between.fromMs - 1, between.toMs + 1, 8.64e15, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => ofAllocation(one(at)), FrameError, `samples at ${at}`);
    t.throws(() => read({ noise: [{ fromUnixMs: at, seconds: 1 }] }), FrameError, `noise at ${at}`);
  }
  const outcome = (plannedUnixMs: number) => ({ outcomes: [{ outcome: 'SUCCESS', plannedUnixMs }] });
  t.ok(ofAllocation(outcome(Number.NaN)), 'what was not planned has no instant');
  t.throws(() => ofAllocation(outcome(1e300)), FrameError);
});
