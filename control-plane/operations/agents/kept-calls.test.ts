/** The same calls, reported in full and by agents that keep detail of some: the run's figures are the same, and it says what was kept. */
import { isInSample } from '@carillon/proto/call-sample.ts';
import t from 'tap';
import { NO_DETAILS } from '../../contract/run/stream-details.ts';
import type { SampleFacts } from '../../domain/run/facts.ts';
import type { AllocateOrder } from '../../domain/run/orders/orders.ts';
import { everyPage, single, streamFact } from '../../testing/reading.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  messageChunk,
  openWorld,
  outcomeFact,
  runningRun,
  someSamples,
  TOKENS,
} from '../../testing/world.ts';

const CALLS = 1200;
const MESSAGES = ['INVITE', '180', '200', 'ACK', 'BYE', '200'];
const REACHED = [2, 3, 5, 6, 7];

class LargeAgent extends FakeAgent {
  override greeting(joinToken: string, held: readonly string[]) {
    const greeting = super.greeting(joinToken, held);
    const { policy } = greeting.hello;
    const large = { maxCallsPerSecond: CALLS, maxEndpoints: 4 * CALLS };
    return { ...greeting, hello: { ...greeting.hello, capacity: 4 * CALLS, policy: { ...policy, ...large } } };
  }
}

const world = await openWorld(t);
await world.provision(acme(CALLS, 4 * CALLS));
const agents = [new LargeAgent(world), new LargeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
const startMs = Date.now();

const phases = (calls: readonly number[]) => ({
  endpoint: calls.flatMap((n) => REACHED.map(() => n)),
  phase: calls.flatMap(() => REACHED),
  unixMs: calls.flatMap((n) => REACHED.map((phase) => startMs + n + 100 * phase)),
});

/** Every seventh has failed. */
const outcome = (n: number, kept: boolean) =>
  outcomeFact(n, {
    ...{ callSetupMs: n, plannedUnixMs: startMs + n, kept },
    ...(n % 7 === 0 && { outcome: 'CALL_FAILED', cause: 'BUSY', finalStatus: 486, callResult: 'REJECTED' }),
  });

/** Of six seconds, with the details from which figures are computed. */
const stream = (n: number, figuresOnly: boolean) =>
  streamFact(n, 0, {
    details: {
      ...NO_DETAILS,
      receive: { ...NO_DETAILS.receive, longestGapMs: n },
      digits: { sent: `${n}`, received: '' },
      ...(!figuresOnly && { clockDriftPpm: 3 }),
    },
    figuresOnly,
  });

/** Each endpoint has its own figures, whichever column they are in. */
function samplesOf(told: readonly number[], late: readonly number[], others: readonly number[]) {
  const of = (calls: readonly number[]) => (calls.length === 0 ? null : withMos(someSamples(startMs, calls, 6)));
  return { samples: of(told), summedSamples: of([...late, ...others]), storedSamples: of(late) };
}

const withMos = (samples: SampleFacts): SampleFacts => ({
  ...samples,
  mos: Array.from(samples.endpoint, (n) => 1 + (n % 14) / 4),
  jitterMs: Array.from(samples.endpoint, (n) => n / 8),
  lost: Array.from(samples.endpoint, (n) => n % 3),
  rttMs: Array.from(samples.endpoint, (n) => (n % 5 === 0 ? Number.NaN : n / 4)),
});

/** Callers in two batches, so that calls are in progress between them. */
async function ran(isKept: (order: AllocateOrder, call: number) => boolean) {
  const run = await runningRun(world, agents);
  const keeping = run.orders.flat()[0]?.keeping ?? null;
  for (const [i, agent] of agents.entries()) {
    const callers = (run.orders[i] ?? []).filter(({ role }) => role === 'CALLER');
    const told = callers.map((order) => {
      const calls = order.endpoints.number;
      const kept = calls.filter((n) => isKept(order, n));
      return { order, calls, kept, others: calls.filter((n) => !kept.includes(n)) };
    });
    await agent.send({
      allocations: told.map(({ order, kept, others }) =>
        allocationFacts(order.allocationId, { phases: phases(kept), progress: phases(others) }),
      ),
    });
    await agent.send({
      allocations: told.map(({ order, calls, kept, others }) =>
        allocationFacts(order.allocationId, {
          outcomes: calls.map((n) => outcome(n, kept.includes(n))),
          messages: kept.map((n) => messageChunk(n, MESSAGES)),
          streams: calls.map((n) => stream(n, others.includes(n))),
          // Every other withheld one is kept later.
          ...samplesOf(
            kept.filter((_, i) => i % 2 === 0),
            kept.filter((_, i) => i % 2 > 0),
            others,
          ),
          state: 'DONE',
        }),
      ),
    });
    await agent.send(allDone((run.orders[i] ?? []).filter(({ role }) => role === 'CALLEE')));
  }
  await world.work();
  const metrics = await single(run, 'getTestRunMetrics', { resolution: '1s' });
  return { run, keeping, metrics, detail: await single(run, 'getTestRun') };
}

t.test('figures are of all calls, whatever is kept of them', async (t) => {
  const whole = await ran(() => true);
  const sampled = await ran(({ keeping }, n) => keeping !== null && isInSample(keeping, n));
  const figures = ({ detail }: typeof whole) => {
    const { summary, callTiming, callQuality, sipResponses, starts, findings, progress, failureClusters } = detail;
    const clusters = failureClusters.map(({ cause, count }) => [cause, count]);
    const { phases, callsStarted, callsAnswered, callsEnded, failures } = progress;
    const counts = { phases, callsStarted, callsAnswered, callsEnded, failures };
    return {
      status: detail.status,
      summary,
      callTiming,
      callQuality,
      sipResponses,
      starts,
      findings,
      clusters,
      counts,
    };
  };
  t.same(figures(sampled), figures(whole));
  t.same({ ...sampled.metrics, testRunId: null }, { ...whole.metrics, testRunId: null }, 'curves');
  const drawn = new Map(whole.metrics.series.map(({ metricKey, points }) => [metricKey, points.length]));
  for (const key of ['mos', 'jitter', 'rtt', 'packetLossFraction'])
    t.ok((drawn.get(key) ?? 0) > 5, `${key} has a curve`);
  t.equal(sampled.detail.callTiming.totalCalls, CALLS);

  const calls = await everyPage(sampled.run, 'listTestRunEndpoints', { endpoint_type: 'CALLER' });
  const kept = calls.filter((call) => call.kept);
  t.match(sampled.keeping, { oneIn: 2, ofCluster: 100 });
  t.same(sampled.detail.kept, { detail: 'SOME', calls: kept.length, oneIn: 2, ofCluster: 100 });
  t.ok(kept.length > CALLS / 3 && kept.length < (2 * CALLS) / 3, `${kept.length} kept`);
  t.same(sampled.detail.counts.sipMessages, kept.length * MESSAGES.length);
  for (const isKept of [true, false]) {
    const call = calls.find((one) => one.kept === isKept);
    const { counts, phaseReached, closedAt } = await single(sampled.run, 'getTestRunEndpoint', {
      endpointId: call?.id ?? '',
    });
    const series = await single(sampled.run, 'getTestRunMetrics', { resolution: '1s', endpoint_id: call?.id ?? '' });
    t.equal(
      series.series.some(({ points }) => points.length > 0),
      isKept,
      'samples of its own',
    );
    t.match([counts.events, counts.sipMessages], isKept ? [REACHED.length, MESSAGES.length] : [0, 0]);
    t.same([phaseReached, closedAt === null], ['INCALL', false], 'how far it came is known of each');
  }
});
