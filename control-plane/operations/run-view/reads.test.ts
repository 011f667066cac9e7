/** Reading runs: how their endpoints failed, which of them, and one in full. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CATALOGUE } from '../../catalogue.ts';
import { type FailureCluster, MAX_CLUSTERS } from '../../contract/run/run.ts';
import { NO_DETAILS } from '../../contract/run/stream-details.ts';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import type { ReportedFinding } from '../../domain/run/facts.ts';
import { insertStreams } from '../../store/measured/streams.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { everyPage, openReading, type ReadQuery, single, streamFact } from '../../testing/reading.ts';
import { messageChunk } from '../../testing/world.ts';
import { applyInstanceEvent } from '../run/instance-events.ts';

const CALLS = 40;
const { world, agents, begin, report } = await openReading(t, CALLS);
const { db } = world.database;
const CLOSED = PHASES.indexOf('CLOSED');
const DISCONNECTING = PHASES.indexOf('DISCONNECTING');
const NUMBERS = Array.from({ length: 2 * CALLS }, (_, n) => n);
const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const WAYS = [
  { outcome: 'CALL_FAILED', cause: 'BUSY', causeStatus: 486, causeText: 'Busy Here' },
  {
    outcome: 'CALL_FAILED',
    cause: 'SERVER_ERROR',
    causeStatus: 503,
    causeText: 'Try later',
    q850: 34,
    reasonText: 'No circuit',
  },
  {
    outcome: 'CALL_FAILED',
    cause: 'SERVER_ERROR',
    causeStatus: 503,
    causeText: 'Try later',
    q850: 42,
    warning: '399 full',
  },
  { outcome: 'CALL_FAILED', cause: 'SERVER_ERROR', causeStatus: 503, causeText: 'Overloaded' },
  { outcome: 'CALL_FAILED', cause: 'CALL_TIMEOUT', causeStatus: 0, causeText: 'no answer' },
  { outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_DENIED', causeStatus: 403, causeText: 'Forbidden' },
  { outcome: 'NEGOTIATION_FAILED', cause: 'ANSWER_UNUSABLE', causeStatus: 0, causeText: 'no codec' },
] as const;
/** The called host and port of a cluster, and the number. */
const CALLEES = [
  ['sip:bob@10.0.0.1:5070', '10.0.0.1:5070', 'bob'],
  ['sip:PBX.example.org;transport=udp', 'pbx.example.org', null],
  ['sip:alice:secret@[2001:db8::1]:5060', '[2001:db8::1]:5060', 'alice:secret'],
  ['sips:x@y.example?Subject=a', 'y.example', 'x'],
  ['sip:4930901820;phone-context=+49@y.example', 'y.example', '4930901820'],
  ['sip:4930901899@y.example', 'y.example', '4930901899'],
  ['nonsense', '', null],
] as const;

/** What a cluster says about the numbers that its calls went to. */
function dialled({ outcome }: FailureCluster, numbers: readonly (string | null)[]): string | null {
  if (outcome === 'REGISTRATION_FAILED') return null;
  const different = [...new Set(numbers)].sort();
  if (different.length === 1) return different[0] ?? null;
  return different.every((n) => n?.startsWith('49309018')) ? '49309018##' : '…';
}

/** A run whose endpoints differ in everything that can be filtered. Before every test: agents number their batches. */
const gaps = (n: number): ReportedFinding[] =>
  n % 4 === 2
    ? [
        {
          kind: 'MEDIA_GAP',
          stream: 1,
          atUnixMs: baseMs,
          lastedMs: 1500,
          count: 2,
          of: 0,
          detail: '',
          tolerated: n % 8 === 2,
        },
      ]
    : [];
const run = await begin();
const baseMs = Math.floor(Date.now() / 1000) * 1000;
await report(run, (n) => ({
  phases: [2, 5, CLOSED].map((phase, i) => [phase, baseMs + n * 10 + i] as const),
  outcome:
    n % 3 === 0
      ? { ...WAYS[n % WAYS.length], findings: gaps(n) }
      : { finalStatus: 200 + (n % 2) * 2, findings: gaps(n) },
  messages: [
    messageChunk(n, ['INVITE', 'SIP/2.0 200 OK', 'BYE'], {
      sent: [true, false, true],
      retransmission: [false, n % 5 === 0, false],
    }),
  ],
}));
const details = {
  ...NO_DETAILS,
  clockDriftPpm: -12.5,
  oneWayAudio: 'SILENT' as const,
  digits: { sent: '12#', received: '' },
  receive: { ...NO_DETAILS.receive, restarts: 0, delayVariation: { p50Ms: 0.1, p95Ms: 1, p99Ms: null, maxMs: 3 } },
};
/** Of two streams of 500 packets, 490 received. */
const MEDIA = {
  lossFraction: 0.02,
  jitterMs: 0.5,
  packetsSent: 1000,
  packetsReceived: 980,
  longestGapMs: null,
  awaitedMs: null,
  absentMs: null,
  pausedMs: null,
};
const mosOf = (n: number) => (n % 4 === 1 ? Number.NaN : 1 + ((n * 13) % 40) / 10);
await insertStreams(
  db,
  run.runId,
  NUMBERS.flatMap((n) => [streamFact(n, 0, { mos: mosOf(n) }), streamFact(n, 1, { mos: mosOf(n) + 0.1, details })]),
);

t.test('failures stand in clusters, live and when the run has ended', async (t) => {
  const registrar = await db.selectFrom('registrars').select('uri').executeTakeFirstOrThrow();
  const end = fc.record({
    way: fc.option(fc.constantFrom(...WAYS), { freq: 4 }),
    callee: fc.constantFrom(...CALLEES),
    reached: fc.integer({ min: 0, max: 5 }),
    hungUp: fc.boolean(),
    closedMs: fc.integer({ min: 0, max: 60_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(end, { minLength: 2 * CALLS, maxLength: 2 * CALLS }), async (ends) => {
      const run = await begin();
      const baseMs = Math.floor(Date.now() / 1000) * 1000;
      const endOf = (n: number) => ends[n] as (typeof ends)[number];
      await report(
        run,
        (n) => {
          const { way, callee, reached, hungUp, closedMs } = endOf(n);
          const phases = [reached, ...(hungUp ? [DISCONNECTING] : []), CLOSED];
          return {
            phases: phases.map((phase) => [phase, baseMs + closedMs] as const),
            outcome: { ...way, calleeUri: callee[0] },
          };
        },
        false,
      );
      const live = await single(run, 'getTestRun');
      await report(run, () => ({}));
      const ended = await single(run, 'getTestRun');
      t.equal(ended.status, 'COMPLETED');
      t.same([ended.failureClusters, ended.otherFailures], [live.failureClusters, live.otherFailures]);

      const listed = await everyPage(run, 'listTestRunEndpoints');
      const typeOf = (n: number) => listed[n]?.endpointType;
      const members = Map.groupBy(
        NUMBERS.filter((n) => endOf(n).way !== null),
        (n) => {
          const { way, callee, reached } = endOf(n);
          const target = way?.outcome === 'REGISTRATION_FAILED' ? registrar.uri : callee[1];
          const q850 = way !== null && 'q850' in way ? way.q850 : null;
          const status = way?.causeStatus || null;
          return JSON.stringify([PHASES[reached], typeOf(n), way?.cause, status, q850, way?.causeText, target]);
        },
      );
      const ids = new Map(listed.map((e, n) => [e.id, n]));
      const keyOf = (c: FailureCluster) =>
        JSON.stringify([c.phase, c.endpointType, c.cause, c.sipStatus, c.q850, c.reason, c.target]);
      t.same(
        ended.failureClusters.map((c) => [c.count, c.firstSeenAt, c.lastSeenAt, c.exampleEndpointIds.length]),
        ended.failureClusters.map((c) => {
          const closed = (members.get(keyOf(c)) ?? []).map((n) => baseMs + endOf(n).closedMs);
          const [first, last] = [Math.min(...closed), Math.max(...closed)].map((ms) => new Date(ms).toISOString());
          return [closed.length, first, last, Math.min(3, closed.length)];
        }),
      );
      t.equal(ended.failureClusters.length, Math.min(members.size, MAX_CLUSTERS));
      t.same(
        ended.failureClusters.map((c) => c.number),
        ended.failureClusters.map((c) =>
          dialled(
            c,
            (members.get(keyOf(c)) ?? []).map((n) => endOf(n).callee[2]),
          ),
        ),
      );
      const counts = ended.failureClusters.map((c) => c.count);
      const failures = [...members.values()].flat().length;
      t.equal(
        counts.reduce((n, count) => n + count, ended.otherFailures),
        failures,
        'each failure once',
      );
      t.ok(
        ended.failureClusters.every((c) =>
          c.exampleEndpointIds.every((id) => members.get(keyOf(c))?.includes(ids.get(id) as number)),
        ),
      );
      t.same(
        counts,
        counts.toSorted((a, b) => b - a),
        'largest first',
      );
    }),
    { numRuns: 6 },
  );
});

t.test('what varies from call to call splits no cluster', async (t) => {
  const run = await begin();
  const texts = (n: number) => `channel ${n} of 10.0.0.${n}:50${n} refused`;
  await report(run, (n) => ({ outcome: { ...WAYS[0], causeText: texts(n), warning: `399 "node ${n % 3}"` } }));
  const { failureClusters } = await single(run, 'getTestRun');
  t.same(
    failureClusters.map((c) => [c.endpointType, c.reason, c.count]).toSorted(),
    ['CALLEE', 'CALLER'].map((type) => [type, 'channel # of # refused', CALLS]),
  );
  t.match(failureClusters[0]?.explanation, /^399 "node [012]" \(and others\)$/);
});

t.test('clusters beyond the most are counted together', async (t) => {
  const run = await begin();
  // The first ten fail in the same way, each of the others differently.
  const letters = (n: number) => String.fromCharCode(97 + (n % 26)).repeat(1 + Math.floor(n / 26));
  await report(run, (n) => ({ outcome: { ...WAYS[0], causeText: n < 10 ? 'alike' : `reason ${letters(n)}` } }));
  const { failureClusters, otherFailures, progress } = await single(run, 'getTestRun');
  t.same([failureClusters.length, failureClusters[0]?.reason], [MAX_CLUSTERS, 'alike']);
  const shown = failureClusters.reduce((n, c) => n + c.count, 0);
  t.equal(shown + otherFailures, 2 * CALLS);
  t.equal(progress.phases.CLOSED, 2 * CALLS);
});

t.test('endpoints of a lost worker failed where they were', async (t) => {
  const run = await begin();
  const nowMs = world.ports.now().getTime();
  await report(run, (n) => ({ phases: [[n % 6, nowMs]] }), false);
  for (const { allocationId } of run.orders.flat()) {
    await world.database.transaction(async (tx) => {
      const locked = await lockRun(tx, run.runId);
      if (locked) await applyInstanceEvent(world.ports, tx, locked, allocationId, { event: 'lost', reason: 'gone' });
    });
  }
  await world.work();
  const { status, failureClusters } = await single(run, 'getTestRun');
  t.equal(status, 'FAILED');
  t.same(new Set(failureClusters.map((c) => c.phase)), new Set<Phase>(PHASES.slice(0, 6)));
  t.ok(failureClusters.every((c) => c.cause === 'WORKER_LOST' && c.party === 'agent' && c.firstSeenAt !== null));
});

t.test('endpoints by filter: the pages hold what the filter says, in order', async (t) => {
  const all = await everyPage(run, 'listTestRunEndpoints');
  t.equal(all.length, 2 * CALLS);
  const filters = fc.record({
    outcome: optional(['SUCCESS', 'CALL_FAILED', 'REGISTRATION_FAILED', 'NEGOTIATION_FAILED']),
    endpoint_type: optional(['CALLER', 'CALLEE']),
    worker_id: optional(agents.map((a) => a.workerId)),
    cause: optional(['BUSY', 'SERVER_ERROR', 'CALL_TIMEOUT', 'NO_MEDIA']),
    sip_status: optional([486, 503, 200, 202, 699]),
    finding: optional(['MEDIA_GAP', 'NO_MEDIA']),
  });
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 7, max: 40 }), async (filter, perPage) => {
      const { outcome, endpoint_type, worker_id, cause, sip_status, finding } = filter;
      const expected = all.filter(
        (e) =>
          (outcome === undefined || e.outcome === outcome) &&
          (endpoint_type === undefined || e.endpointType === endpoint_type) &&
          (worker_id === undefined || e.worker.id === worker_id) &&
          (cause === undefined || e.failure?.cause === cause) &&
          (finding === undefined || e.findings.some((f) => f.finding === finding)) &&
          (sip_status === undefined ||
            e.failure?.sipStatus === sip_status ||
            e.callTiming?.finalStatusCode === sip_status),
      );
      const given = JSON.parse(JSON.stringify(filter)) as ReadQuery;
      const found = await everyPage(run, 'listTestRunEndpoints', given, perPage);
      t.same(
        found.map((e) => e.id),
        expected.map((e) => e.id),
      );
      const worst = await everyPage(run, 'listTestRunEndpoints', { ...given, order: 'worst' }, perPage);
      t.same(new Set(worst.map((e) => e.id)), new Set(expected.map((e) => e.id)));
    }),
    { numRuns: 60 },
  );
  for (const bad of [
    { outcome: 'GOOD' },
    { sip_status: 99 },
    { sip_status: 'x' },
    { order: 'best' },
    { finding: 'DEAF' },
    { cause: 'NO\0NE' },
    { cause: 'LUCK' },
    { worker_id: randomUUID() },
    { worker_id: 'nobody' },
  ]) {
    await t.rejects(single(run, 'listTestRunEndpoints', bad as ReadQuery), JSON.stringify(bad));
  }
});

t.test('the worst first: failures, then by lowest MOS, what was not measured last', async (t) => {
  const rank = (n: number) => [n % 3 === 0 ? 0 : 1, Number.isNaN(mosOf(n)) ? 9 : Math.fround(mosOf(n)), n] as const;
  const expected = NUMBERS.toSorted((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  const ids = new Map((await everyPage(run, 'listTestRunEndpoints')).map((e, n) => [e.id, n]));
  const worst = await everyPage(run, 'listTestRunEndpoints', { order: 'worst' }, 33);
  t.same(
    worst.map((e) => ids.get(e.id)),
    expected,
  );
});

t.test('one endpoint in full', async (t) => {
  const rows = await everyPage(run, 'listTestRunEndpoints');
  for (const n of [0, 1, 2, 5, 79]) {
    const endpointId = rows[n]?.id ?? '';
    const full = await single(run, 'getTestRunEndpoint', { endpointId });
    t.match(full, rows[n] as object, 'says what the list says');
    t.match(full, {
      number: n,
      phaseReached: 'INCALL',
      closedAt: new Date(baseMs + n * 10 + 2).toISOString(),
      callId: 'call',
      inviteLateMs: 0.5,
      byeRttMs: 1,
      endedBy: 'LOCAL',
    });
    t.ok(CATALOGUE.getTestRunEndpoint.output.safeParse(full).success);
    const retransmissions = n % 5 === 0 ? 1 : 0;
    const actions = { actionsDone: 0, actionsFailed: 0 };
    const messages = { sipMessages: 3, sipMessagesSent: 2, sipMessagesReceived: 1, retransmissions };
    t.same(full.counts, { events: 3, ...actions, ...messages });
    t.equal(full.streams.length, 2);
    const [stream] = full.streams;
    t.match(stream, { stream: 0, codec: 'PCMU', send: { packets: 500, ssrc: 1 }, receive: { packets: 490, lost: 10 } });
    t.equal(stream?.receive.lossFraction, 10 / 500);
    t.equal(stream?.receive.mos === null, n % 4 === 1, 'what was not measured is null');
    t.match(stream, { audio: null, security: null, receive: { playout: null, restarts: null }, scale: 'nb' });
    t.match(full.streams[1], details, 'details are answered as they were stored');
    t.same(
      full.findings.map((f) => [f.stream, f.finding, f.message]),
      n % 4 === 2 ? [[1, 'MEDIA_GAP', 'No audio packet came for 1.5 s; 2 gaps of 1 s or more.']] : [],
    );
    t.same(full.media, { mos: full.media?.mos, ...MEDIA });
  }
  const other = await begin();
  await report(other, () => ({ outcome: {} }));
  for (const endpointId of ['x', randomUUID(), (await everyPage(other, 'listTestRunEndpoints'))[0]?.id ?? '']) {
    await t.rejects(single(run, 'getTestRunEndpoint', { endpointId }), { code: 'NOT_FOUND' });
  }
});

t.test('what a run that has ended stores is answered without a look at its calls and streams', async (t) => {
  const one = await begin();
  await insertStreams(db, one.runId, [streamFact(0, 0, { mos: 4.2 })]);
  await report(one, () => ({ outcome: {} }));
  const read = async () => ({
    run: await single(one, 'getTestRun'),
    timeline: (await single(one, 'getTestRunTimeline')).mosScale,
    metrics: (await single(one, 'getTestRunMetrics')).mosScale,
  });
  const before = await read();
  t.match(before, { run: { callQuality: { calls: CALLS } }, timeline: 'nb', metrics: 'nb' });
  await db.deleteFrom('endpoints').where('run_id', '=', one.runId).execute();
  await db.deleteFrom('streams').where('run_id', '=', one.runId).execute();
  t.same(await read(), before);
});

t.test('each timing is counted in the bucket whose edges surround it, powers of ten at its beginning', async (t) => {
  const VALUES = [0.25, 1, 9.75, 10, 99.5, 100, 1000, 10_000];
  const one = await begin();
  await report(one, (n) => ({ outcome: { pddMs: VALUES[n % VALUES.length] ?? 0 } }));
  const { histograms } = await single(one, 'getTestRunHistograms');
  const buckets = histograms.find(({ timing }) => timing === 'pdd')?.buckets ?? [];
  for (const value of VALUES) {
    const [own, ...others] = buckets.filter(({ fromMs, toMs }) => fromMs <= value && value < toMs);
    t.ok(own !== undefined && own.count > 0, `${value} ms`);
    t.equal(others.length, 0);
    if (Number.isInteger(Math.log10(value))) t.equal(own?.fromMs, value);
  }
  t.equal(
    buckets.reduce((sum, { count }) => sum + count, 0),
    CALLS,
  );
});
