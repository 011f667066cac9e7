/** The data of a run's page: the run over time, reported live; the distribution of its times; its report. */
import type { AddressInfo } from 'node:net';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { LiveEvent, Timeline } from '../../contract/run/timeline.ts';
import { quantileOf, tailOf, timelineOf } from '../../domain/figures/timeline.ts';
import { HANDLERS } from '../../handlers.ts';
import { createHttpServer } from '../../http/server.ts';
import { LIMITS } from '../../limits/limits.ts';
import { list, openReading, type Run, single } from '../../testing/reading.ts';
import { allocationFacts, KEY, someSamples } from '../../testing/world.ts';
import type { EventStream } from '../request/perform.ts';
import { runReport } from './run-report.ts';

const { world, agents, begin, report } = await openReading(t, 4);
const { app } = await createHttpServer(world.ports);
await app.listen({ port: 0, host: '127.0.0.1' });
t.teardown(() => app.close());
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1`;
const [CALLING, INCALL, DISCONNECTING] = [2, 5, 6];
const XSS = '<script>alert(1)</script>';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Callers (their numbers are even or odd by share) call 100 ms apart, are answered after 50 ms and talk for 3 s; one is refused. */
async function called(run: Run, end: boolean): Promise<number> {
  const row = await single(run, 'getTestRun');
  const startMs = Date.parse(row.startedAt ?? '');
  await report(
    run,
    (n) => {
      const callMs = startMs + n * 100;
      const talk: [number, number][] = [
        [CALLING, callMs],
        [INCALL, callMs + 50],
        [DISCONNECTING, callMs + 3050],
      ];
      if (n === 0) {
        return {
          phases: [[CALLING, callMs]],
          outcome: {
            outcome: 'CALL_FAILED',
            cause: 'REJECTED',
            causeText: XSS,
            causeStatus: 486,
            finalStatus: 486,
            callResult: 'REJECTED',
            plannedUnixMs: callMs,
            callSetupMs: Number.NaN,
          },
        };
      }
      return end
        ? { phases: talk, outcome: { plannedUnixMs: callMs, callSetupMs: 50, callDurationMs: 3000 } }
        : { phases: talk.slice(0, 2) };
    },
    end,
  );
  return startMs;
}

t.test('percentiles of counted ratings are those of the ratings, to the bucket', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 4.99, noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (values, q) => {
        const counted = [...Map.groupBy(values, (v) => Math.floor(v * 20))]
          .map(([bucket, of]) => ({ bucket, count: of.length }))
          .sort((a, b) => a.bucket - b.bucket);
        const exact = values.sort((a, b) => a - b)[Math.max(1, Math.ceil(q * values.length)) - 1] as number;
        return Math.abs((quantileOf(counted, q, 20) ?? 0) - exact) <= 0.026;
      },
    ),
  );
  t.equal(quantileOf([], 0.5, 20), null, 'nothing was measured');
  t.end();
});

t.test('a tail is what the whole is from there on', (t) => {
  const frame = {
    resolutionSeconds: 5,
    fromMs: 100_000,
    steps: 12,
    startedAt: new Date(100_000),
    mosScale: null,
    dueBefore: (ms: number) => [101_000, 130_000].filter((due) => due < ms).length,
    endpoints: null,
    bucketsAPoint: 20,
  };
  const nothing = {
    calls: [],
    starts: [],
    ratings: [],
    noise: [],
    marks: [{ at: new Date(103_000), kind: 'LOAD' as const, detail: '5 calls/s' }],
  };
  const whole = timelineOf(frame, { ...nothing, loss: [{ at: new Date(125_000), loss: 0.5 }] });
  const tail = tailOf(whole, 125_000);
  t.equal(tail.from, new Date(125_000).toISOString());
  t.same([tail.steps, tail.lossFraction[0], tail.calls.offered.length], [7, 0.5, 7]);
  t.same(tail.calls.offered, whole.calls.offered.slice(5));
  t.same(
    tail.marks,
    [{ at: new Date(103_000).toISOString(), kind: 'LOAD', detail: '5 calls/s' }],
    'marks are always all',
  );
  t.same(whole.mos.p5, new Array(12).fill(null), 'what was not measured is null, not 0');
  t.end();
});

t.test('a run over time', async (t) => {
  const run = await begin();
  const startMs = await called(run, false);
  const orders = run.orders[0] ?? [];
  await agents[0].send({
    allocations: orders
      .slice(0, 1)
      .map((o) => allocationFacts(o.allocationId, { samples: someSamples(startMs, o.endpoints.number, 3) })),
    noise: [
      {
        unixMs: startMs + 1000,
        seconds: 1,
        pacingError: [],
        slotsPlanned: 100,
        slotsSkipped: 3,
        loopDelay: [],
        threadCpu: 0.1,
        steal: Number.NaN,
        receiveDrops: 0,
        received: 0,
        clockSteps: 0,
        coldSeconds: 0,
        stamps: 'kernel',
      },
    ],
  });
  world.pass(5);
  const open = await single(run, 'getTestRunTimeline');
  t.equal((await single(run, 'getTestRun')).result, null, 'nothing is judged before the end');
  t.equal(total(open.calls.offered), 4, 'offered by the timetable, before anybody reported its end');
  t.ok(open.calls.concurrent.at(-1), 'calls go on');
  t.ok(
    open.mos.count.some((n) => n > 0),
    'ratings are counted',
  );
  t.same(
    open.noise.level.filter((l) => l !== null),
    ['VOID'],
    '3 % of the slots were skipped',
  );
  await called(run, true);
  const done = await single(run, 'getTestRunTimeline');
  t.equal(done.resolutionSeconds, 1);
  t.equal(total(done.calls.started), total(done.calls.answered) + 1);
  t.same(
    [total(done.answers['4xx']), total(done.answers['2xx']), done.calls.concurrent.at(-1)],
    [1, total(done.calls.answered), 0],
  );
  t.equal(total(done.setupMs.count), total(done.calls.answered));
  t.ok(done.setupMs.p99.every((v) => v === null || v === 50));
  const result = {
    endpoints: 8,
    calls: 4,
    successful: 3,
    failed: 1,
    answeredFailed: 0,
    failures: 1,
    findings: [],
    verdict: 'VOID',
    passed: null,
    health: null,
  };
  const ended = await single(run, 'getTestRun');
  t.same(ended.result, result);
  t.same((await list(run, 'listTestRuns')).rows.find((r) => r.id === run.runId)?.result, result, 'in lists as well');
  t.same((await list(run, 'listTests')).rows.find((r) => r.id === ended.testId)?.lastRunResult, result);
  const { histograms } = await single(run, 'getTestRunHistograms');
  const setup = histograms.find((h) => h.timing === 'callSetup');
  t.ok(
    setup?.buckets.some((b) => b.fromMs <= 50 && 50 < b.toMs && b.count === setup.count),
    JSON.stringify(setup),
  );
  const { config } = await single(run, 'getTestRunConfiguration');
  t.equal(config.groups.length, 2);

  const html = await runReport(run.context, { projectId: run.projectId, testRunId: run.runId });
  t.notMatch(html, /<script|https?:|src=|@import|url\(/, 'nothing runs, nothing is loaded');
  t.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;');
  t.match(html, /<path class="l0" d="M/, 'charts are drawn');
});

/** Events as received over HTTP. */
async function* heard(run: Run, headers: Record<string, string> = {}) {
  const answer = await fetch(`${base}/projects/${run.projectId}/test-runs/${run.runId}/live`, {
    headers: { authorization: `Bearer ${KEY}`, ...headers },
  });
  if (answer.status !== 200 || !answer.body) throw new Error(String(answer.status));
  t.match(answer.headers.get('content-type'), 'text/event-stream');
  t.equal(answer.headers.get('x-accel-buffering'), 'no');
  let text = '';
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((l) => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      if (fields['event']) yield { event: fields['event'], id: fields['id'], data: JSON.parse(fields['data'] ?? '') };
    }
  }
}

t.test('a run is reported live; a client that was away receives what it missed', async (t) => {
  const run = await begin();
  const stream = heard(run);
  const next = async () => (await stream.next()).value as { event: string; id?: string; data: never };
  t.match(await next(), { event: 'run', data: { id: run.runId, status: 'RUNNING' } });
  const first = await next();
  t.equal(first.event, 'timeline');
  await called(run, false);
  world.pass(40);
  let last = first;
  for (let e = await next(); e.event !== 'timeline' || total((e.data as Timeline).calls.answered) === 0; )
    e = await next();
  for (let e = await next(); ; e = await next()) {
    if (e.event !== 'timeline') continue;
    last = e;
    break;
  }
  const resumed = heard(run, { 'last-event-id': last.id ?? '' });
  t.equal((await resumed.next()).value?.event, 'run');
  const tail = (await resumed.next()).value?.data as Timeline;
  const whole = await single(run, 'getTestRunTimeline');
  t.ok(tail.steps < whole.steps && tail.steps > 10, `${tail.steps} of ${whole.steps} steps`);
  await resumed.return();
  await called(run, true);
  const rest = await all(stream);
  t.same(rest.at(-1), { event: 'end', id: undefined, data: { reason: 'OVER' } });
  t.match(rest.filter((e) => e.event === 'run').at(-1)?.data, { status: 'COMPLETED' });
  t.same(
    (await all(heard(run))).map((e) => e.event),
    ['run', 'timeline', 'end'],
    'one that is over is told once',
  );
  const late = (await all(heard(run, { 'last-event-id': last.id ?? '' }))).find((e) => e.event === 'timeline');
  const { steps } = await single(run, 'getTestRunTimeline');
  t.match(late?.data, { steps }, 'and all of it, for each client that returns');
});

t.test('however many watch, one looks; an organization may watch so many', async (t) => {
  const run = await begin();
  const watch = (): Promise<EventStream> =>
    HANDLERS.streamTestRun(run.context, { projectId: run.projectId, testRunId: run.runId }) as Promise<EventStream>;
  const streams = await Promise.all(Array.from({ length: LIMITS.watchedRuns.max }, watch));
  const events = (await Promise.all(streams.map((s) => s.next()))) as LiveEvent[][];
  t.ok(
    events.every((e) => e[0]?.data === events[0]?.[0]?.data),
    'the same look for all of them',
  );
  await t.rejects(watch(), { code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  for (const stream of streams) stream.close();
  t.equal(await streams[0]?.next(), null);
  (await watch()).close();
  await called(run, true);
});

t.test('it ends with the access, and with the server', async (t) => {
  const run = await begin();
  const stream = heard(run);
  await stream.next();
  await world.database.db.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
  const rest = await all(stream);
  t.same(rest.at(-1)?.data, { reason: 'ACCESS' });
  await t.rejects(heard(run).next(), /401/);
  await world.database.db.updateTable('api_keys').set({ revoked_at: null }).execute();
  const other = heard(run);
  await other.next();
  await app.close();
  t.same((await all(other)).at(-1)?.data, { reason: 'CLOSING' });
});
