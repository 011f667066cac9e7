/** The first run: agents call agents, and all reports about it are consistent. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import type { Distribution } from '../../../control-plane/contract/run/run.ts';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, receives } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 10;
/** Long enough for two RTCP reports each way: the round trip is measured from them. */
const SECONDS = 10;

const net = ownLoopback();
/** Receives everything and sends nothing: without a listener, the kernel would report this at once. */
const silent = createSocket('udp4');
silent.bind(0, net.address(105));
await once(silent, 'listening');
t.teardown(() => silent.close());

/** Of calls that are cancelled. */
const LONG_SECONDS = 300;
const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    registrars: [
      {
        slug: 'silent',
        name: 'Silent',
        uri: `sip:${net.address(105)}:${silent.address().port}`,
        sipAccounts: ['1', '2'].map((username) => ({ username, password: 'x' })),
      },
    ],
    tests: [
      callsAmongAgents('pairs', { endpoints: CALLS, buildup: 2, durationSeconds: SECONDS }),
      callsAmongAgents('brief', { endpoints: 2, durationSeconds: 1 }),
      callsAmongAgents('long', { endpoints: 10, durationSeconds: LONG_SECONDS }),
      callsAmongAgents('waiting', { endpoints: 1, durationSeconds: 1, registrar: 'silent' }),
      receives('receive', { endpoints: 5, durationSeconds: 60, workers: ['agent-1'] }),
    ],
  }),
});
const { projectId } = lab;

const rejection = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'was accepted',
    (error: { status?: number; code?: string }) => ({ status: error.status, code: error.code }),
  );

t.test('10 callers and 10 callees on two agents', async (t) => {
  const run = await lab.runWhole('pairs');
  const { id, callTiming: calls, summary } = run;
  // A host without processor time affects media: the verdict says so, and no figure is guaranteed.
  const isValid = run.validity?.verdict === 'VALID';
  t.comment(
    `MOS ${summary.avgMos}, jitter ${summary.avgJitter} ms, RTT ${summary.avgRtt} ms, set-up p50 ${calls.callSetup.p50} ms, ${run.validity?.verdict}`,
  );

  t.test('calls', async (t) => {
    t.match(run, { status: 'COMPLETED', error: null, endpoints: 2 * CALLS, isProbeRun: false, testName: 'pairs' });
    const { totalCalls, successCount, timeoutCount, rejectedCount, errorCount, inProgressCount, asr, ner } = calls;
    t.same([totalCalls, successCount], [CALLS, CALLS]);
    t.same([timeoutCount, rejectedCount, errorCount, inProgressCount], [0, 0, 0, 0]);
    t.same([asr, ner], [100, 100]);
    const measured: (keyof typeof calls)[] = [
      'pdd',
      'timeToTrying',
      'timeToRinging',
      'timeToFirstMedia',
      'callSetup',
      'callDuration',
    ];
    for (const name of measured) checkDistribution(t, name, calls[name] as Distribution);
    t.same(calls.registerRtt, { p50: 0, p95: 0, p99: 0, avg: 0, min: 0, max: 0, count: 0 });
    const { min, p50 } = calls.callDuration;
    t.ok(min > SECONDS * 1000 - 100, `no call is cut short: ${min} ms`);
    if (isValid) t.ok(p50 < SECONDS * 1000 + 100, `calls last ${p50} ms`);
    t.ok(run.validity, 'there is a verdict');
  });

  t.test('media', async (t) => {
    t.equal(summary.totalStreams, 2 * CALLS);
    t.match(summary.measured, { mos: 2 * CALLS, jitter: 2 * CALLS, loss: 2 * CALLS, rFactor: 2 * CALLS });
    t.ok(summary.avgMos >= (isValid ? 4.3 : 1) && summary.avgMos <= 4.5, `MOS ${summary.avgMos}`);
    t.same([summary.totalPacketsLost, summary.avgPacketLossFraction], [0, 0]);
    if (isValid) t.equal(summary.totalPacketsDiscarded, 0);
    const [streams] = await lab.query<{ slots: number; trips: number }>(
      `select sum(packets_sent + sends_skipped)::int as slots, count(*) filter (where rtt_count > 0)::int as trips,
         sum(packets_sent)::int as sent, sum(packets_received)::int as received, count(*)::int as n from streams where run_id = $1`,
      [id],
    );
    // Of two reports each way, of which the second is due after 9.3 s at the latest, one may come after the BYE.
    const trips = summary.measured?.rtt ?? 0;
    t.ok(trips >= (isValid ? 2 * CALLS - 2 : CALLS), `${trips} round trips`);
    t.equal(trips, streams?.trips);
    t.ok(summary.streamsWithFeedback >= trips, `${summary.streamsWithFeedback} streams with feedback`);
    t.ok(summary.avgRtt > 0 && summary.avgRtt < (isValid ? 50 : SECONDS * 1000), `RTT ${summary.avgRtt} ms`);
    const share = (streams?.slots ?? 0) / (2 * CALLS * SECONDS * 50);
    t.ok(
      Math.abs(share - 1) < (isValid ? 0.02 : 0.3),
      `${share} of the packets that belong to the calls sent or skipped`,
    );
    const { totalPacketsSent: sent, totalPacketsReceived: received } = summary;
    t.match(streams, { sent, received, n: 2 * CALLS });
  });

  t.test('SIP, as counted and as stored', async (t) => {
    t.same(
      run.sipResponses.map(({ statusCode, reasonPhrase, count, percentage, methods }) => [
        statusCode,
        reasonPhrase,
        count,
        percentage,
        methods,
      ]),
      [
        [200, 'OK', 2 * CALLS, 66.666667, { INVITE: CALLS, BYE: CALLS }],
        [180, 'Ringing', CALLS, 33.333333, { INVITE: CALLS }],
      ],
    );
    const again = run.sipRequests.reduce((n, r) => n + r.retransmissions, 0);
    t.same(
      run.sipRequests.map(({ method, sent, received }) => [method, sent, received]),
      ['ACK', 'BYE', 'INVITE'].map((method) => [method, CALLS, CALLS]),
    );
    // INVITE, 180, 200, ACK, BYE, 200: each is sent by one endpoint and received by another.
    const [rows] = await lab.query<{ n: number; once: number; sent: number; chunks: number }>(
      `select count(*)::int as n, count(*) filter (where not retransmission)::int as once,
         count(*) filter (where sent and not retransmission)::int as sent from sip_messages where run_id = $1`,
      [id],
    );
    t.same(rows, { n: run.counts.sipMessages, once: 12 * CALLS, sent: 6 * CALLS });
    if (again === 0) t.equal(run.counts.sipMessages, 12 * CALLS);
    const [events] = await lab.query<{ n: number; status: number }>(
      `select count(*)::int as n, count(*) filter (where kind = 'STATUS')::int as status from run_events where run_id = $1`,
      [id],
    );
    // Statuses: PENDING, QUEUED, RUNNING, COMPLETED. Callers pass six phases, callees four: only callers hang up.
    t.same(events, { n: 4 + (6 + 4) * CALLS, status: 4 });
    t.equal(run.counts.events, events?.n);
  });

  t.test('endpoints, page by page', async (t) => {
    const ask = (page: number, per_page: number) =>
      lab.call('listTestRunEndpoints', { projectId, testRunId: id, page, per_page });
    const first = await ask(1, 8);
    t.same(first.pagination, { page: 1, perPage: 8, total: 2 * CALLS, totalPages: 3 });
    const last = await ask(3, 8);
    t.same([first.rows.length, last.rows.length], [8, 4]);
    const all = [...first.rows, ...(await ask(2, 8)).rows, ...last.rows];
    t.equal(new Set(all.map((e) => e.id)).size, 2 * CALLS, 'no endpoint twice');
    t.ok(
      all.every((e) => e.phase === 'CLOSED' && e.outcome === 'SUCCESS' && e.failure === null),
      'each is CLOSED with SUCCESS',
    );
    t.equal(all.filter((e) => e.endpointType === 'CALLER').length, CALLS);
    const caller = all.find((e) => e.endpointType === 'CALLER');
    t.match(caller?.callTiming, { callResult: 'SUCCESS', finalStatusCode: 200, finalReasonPhrase: 'OK' });
    t.equal(caller?.callTiming?.registerRttMs, null);
    t.same(await rejection(ask(0, 15)), { status: 422, code: 'VALIDATION_ERROR' });
    t.same(await rejection(ask(1, 101)), { status: 422, code: 'VALIDATION_ERROR' });
  });

  t.test('instances share the load', async (t) => {
    t.equal(run.subPopulationInstances.length, 4);
    t.ok(run.subPopulationInstances.every((i) => i.status === 'DONE' && i.endpoints === CALLS / 2));
    t.equal(new Set(run.subPopulationInstances.map((i) => i.worker.name)).size, 2);
  });

  t.test('metrics over time', async (t) => {
    const series = await lab.call('getTestRunMetrics', { projectId, testRunId: id });
    t.equal(series.resolutionSeconds, 1);
    for (const key of ['mos', 'rFactor', 'jitter', 'packetLossFraction', 'rtt']) {
      const points = series.series.find((s) => s.metricKey === key)?.points ?? [];
      // A stall merges several samples into one.
      t.ok(points.length >= (key === 'rtt' ? 1 : SECONDS / 2), `${key}: ${points.length} points`);
    }
    const mos = series.series.find((s) => s.metricKey === 'mos')?.points ?? [];
    for (const [at, avg, min, max, count] of mos) {
      // Minimum and maximum are stored in single precision.
      const inOrder = min <= avg + 1e-5 && avg <= max + 1e-5;
      t.ok(inOrder && count > 0 && count <= 4 * CALLS, `${at}: ${min} <= ${avg} <= ${max} of ${count} samples`);
    }
    const coarse = await lab.call('getTestRunMetrics', { projectId, testRunId: id, resolution: '5s' });
    const counted = (of: typeof series) =>
      of.series.find((s) => s.metricKey === 'mos')?.points.reduce((n, p) => n + p[4], 0);
    t.equal(counted(coarse), counted(series), 'every sample is in one bucket');
    const [one] = (await lab.endpoints(id)).filter((e) => e.endpointType === 'CALLER');
    const own = await lab.call('getTestRunMetrics', { projectId, testRunId: id, endpoint_id: one?.id ?? '' });
    t.equal(own.endpointId, one?.id);
    const ownMos = own.series.find((s) => s.metricKey === 'mos')?.points ?? [];
    t.ok(ownMos.length >= SECONDS / 2 && ownMos.length <= SECONDS + 5, `${ownMos.length} points of one endpoint`);
  });
});

t.test('a POST that is repeated starts one run', async (t) => {
  const key = { 'idempotency-key': 'only-once' };
  const [first, second] = await Promise.all([lab.begin('brief', key), lab.begin('brief', key)]);
  t.equal(first, second);
  t.equal((await lab.ended(first)).status, 'COMPLETED');
  t.equal(await lab.begin('brief', key), first, 'also after its end');
  const other = await lab.begin('brief', { 'idempotency-key': 'another' });
  t.not(other, first);
  t.match(await lab.ended(other), { status: 'COMPLETED', callTiming: { successCount: 2 } });
});

t.test('strangers call a group that receives', async (t) => {
  const id = await lab.startRun('receive');
  const [agent] = lab.agents;
  const sipp = await startSipp({
    address: lab.net.address(100),
    scenario: { builtIn: 'uac' },
    target: `${lab.net.address(11)}:${agent?.sipPort}`,
    args: ['-s', '12345', '-m', '5', '-r', '10', '-d', '2000'],
  });
  const run = await lab.ended(id);
  const counted = await sipp.end();
  t.match(counted, { exit: 0, totals: { SuccessfulCall: 5, FailedCall: 0 } });
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 5, successCount: 5, asr: 100, ner: 100 } });
  t.same(
    run.sipRequests.map(({ method, sent, received }) => [method, sent, received]),
    ['ACK', 'BYE', 'INVITE'].map((method) => [method, 0, 5]),
  );
  const { totalPacketsReceived, totalPacketsLost, measured } = run.summary;
  t.same([totalPacketsReceived, totalPacketsLost, measured.loss, measured.mos], [0, 0, 0, 0], 'SIPp sent no media');
  const { talkSeconds, absentSeconds, mediaShare } = run.callQuality;
  t.same([absentSeconds, mediaShare], [talkSeconds, 0], 'nothing was lost: all of it is absent');
  // A process that is held up for some seconds gets messages again.
  const findings = run.findings.filter(({ finding }) => finding !== 'SIP_RETRANSMISSIONS');
  t.match(findings, [{ finding: 'NO_MEDIA', endpointType: 'CALLEE', count: 5, party: 'network' }]);
  const ends = await lab.endpoints(id);
  t.ok(
    ends.every((e) => e.outcome === 'CALL_FAILED' && e.failure?.cause === 'NO_MEDIA'),
    'dead air is no success',
  );
  t.ok(ends.every((e) => e.callTiming?.callResult === 'SUCCESS' && e.calleeUri.includes('12345')));
});

t.test('a run that is cancelled while calls go on hangs up', async (t) => {
  const id = await lab.startRun('long', 'has every endpoint in its call', (run) => run.progress.phases.INCALL === 20);
  await lab.call('cancelTestRun', { projectId, testRunId: id });
  const run = await lab.ended(id);
  t.match(run, { status: 'CANCELLED', error: null });
  const longestMs = Math.max(...(await lab.endpoints(id)).map((e) => e.callTiming?.callDurationMs ?? Number.NaN));
  t.ok(longestMs < (1000 * LONG_SECONDS) / 2, `the longest call lasted ${longestMs} ms of ${LONG_SECONDS} s`);
  // Both ends are told to stop: a BYE for every call, from one of them or, when they cross, from both.
  const byes = run.sipRequests.find((r) => r.method === 'BYE');
  t.ok((byes?.sent ?? 0) >= 10 && byes?.sent === byes?.received, `${byes?.sent} BYEs`);
  t.equal(run.progress.phases.CLOSED, 20, 'no endpoint is left');
  t.equal(run.callTiming.successCount, 10, 'the calls were answered');
  for (const agent of lab.agents) {
    t.equal((await scrape(agent.metricsUrl)).value('carillon_agent_endpoints_active'), 0, 'no call is left');
  }
  t.same(await rejection(lab.call('cancelTestRun', { projectId, testRunId: id })), { status: 409, code: 'CONFLICT' });
});

t.test('a run that is cancelled before it starts places no call', async (t) => {
  const id = await lab.begin('waiting');
  await lab.reaches(id, 'waits for its receivers to register', (run) => run.status === 'QUEUED');
  await lab.call('cancelTestRun', { projectId, testRunId: id });
  const run: RunDetail = await lab.ended(id);
  t.match(run, { status: 'CANCELLED', startedAt: null, callTiming: { totalCalls: 0 }, summary: { totalStreams: 0 } });
  t.same(
    run.sipRequests.filter((r) => r.method === 'INVITE'),
    [],
  );
});

function checkDistribution(t: Test, name: string, d: Distribution): void {
  t.equal(d.count, CALLS, `${name} was measured ${CALLS} times`);
  t.ok(d.min <= d.p50 && d.p50 <= d.p95 && d.p95 <= d.p99 && d.p99 <= d.max, `${name} is in order`);
  t.ok(d.min <= d.avg && d.avg <= d.max, `${name}: the mean lies between`);
}
