/** SIPp is called: our reports of our calls equal SIPp's counts, and every failure is reported with its cause. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { clockErrorMs } from '../../peers/lab/carillon.ts';
import type { RunDetail } from '../../peers/lab/lab.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 40;
const FAILURES = 5;
/** When an INVITE is sent again, until timer B ends it (RFC 3261, 17.1.1.2). */
const TIMER_A_MS = [500, 1500, 3500, 7500, 15_500, 31_500];
const net = ownLoopback();

const answering = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });
const late = await startSipp({ address: net.address(101), scenario: { file: 'answer-late.xml' } });
const busy = await startSipp({ address: net.address(102), scenario: { file: 'busy.xml' } });
const overloaded = await startSipp({ address: net.address(103), scenario: { file: 'overloaded.xml' } });
const unanswered = await startSipp({ address: net.address(104), scenario: { file: 'no-answer.xml' } });
const crossing = await startSipp({ address: net.address(106), scenario: { file: 'answer-cancelled.xml' } });

/** Receives everything and sends nothing. */
const silent = createSocket('udp4');
let heard = 0;
silent.on('message', () => {
  heard++;
});
silent.bind(0, net.address(105));
await once(silent, 'listening');
t.teardown(() => silent.close());

const few = { endpoints: FAILURES, durationSeconds: 1, media: SPEAKS_ONLY };
const lab = await openLab(t, {
  net,
  provision: () => ({
    tests: [
      callsTo(answering.uri, 'answered', {
        endpoints: CALLS,
        buildup: CALLS / 20,
        durationSeconds: 2,
        media: SPEAKS_ONLY,
      }),
      callsTo(late.uri, 'late', few),
      callsTo(busy.uri, 'busy', few),
      callsTo(overloaded.uri, 'overloaded', few),
      callsTo(unanswered.uri, 'no-answer', few),
      callsTo(crossing.uri, 'crossing', few),
      callsTo(`sip:nobody@${net.address(105)}:${silent.address().port}`, 'silence', few),
    ],
  }),
});

// Timer B is long: these calls run in parallel with the answered ones.
const FAILING = ['busy', 'overloaded', 'no-answer', 'late', 'silence'];
const runs = new Map(FAILING.map((slug) => [slug, lab.runToEnd(slug)]));

const sentOf = (run: RunDetail, method: string) => run.sipRequests.find((r) => r.method === method)?.sent ?? 0;
const receivedOf = (run: RunDetail, method: string, status: number) =>
  run.sipResponses.find((r) => r.statusCode === status)?.methods[method] ?? 0;

t.test(`${CALLS} answered calls at 20/s`, async (t) => {
  const errorBeforeMs = await clockErrorMs(lab.agents[0]!);
  const run = await lab.runToEnd('answered');
  const { totals, messages } = await answering.end();
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS, asr: 100, ner: 100 } });
  t.match(totals, { FailedCall: 0, IncomingCall: CALLS });
  t.same(
    {
      '0_INVITE_Recv': sentOf(run, 'INVITE'),
      '1_180_Sent': receivedOf(run, 'INVITE', 180),
      '2_200_Sent': receivedOf(run, 'INVITE', 200),
      '3_ACK_Recv': sentOf(run, 'ACK'),
      '4_BYE_Recv': sentOf(run, 'BYE'),
      '5_200_Sent': receivedOf(run, 'BYE', 200),
    },
    Object.fromEntries(
      ['0_INVITE_Recv', '1_180_Sent', '2_200_Sent', '3_ACK_Recv', '4_BYE_Recv', '5_200_Sent'].map((key) => [
        key,
        messages[key],
      ]),
    ),
    'our counts are those of SIPp',
  );
  t.equal(sentOf(run, 'INVITE'), CALLS);
  const [start] = await lab.query<{ spread: number }>(
    `select extract(epoch from max(planned_at) - min(planned_at))::float8 as spread from endpoints where run_id = $1`,
    [run.id],
  );
  // Instants are in the control plane's time, as exactly as the agent knows it.
  const errorMs = Math.max(errorBeforeMs, await clockErrorMs(lab.agents[0]!));
  const offMs = 1000 * (start?.spread ?? Number.NaN) - 50 * (CALLS - 1);
  t.ok(Math.abs(offMs) <= 5 + 2 * errorMs, `planned over ${start?.spread} s; the agent's clock: ${errorMs} ms`);
});

/** The callTiming of each endpoint whose call failed. */
const unmeasured = {
  timeToRingingMs: null,
  pddMs: null,
  callSetupMs: null,
  timeToFirstMediaMs: null,
  callDurationMs: null,
  registerRttMs: null,
};

type Expected = {
  readonly slug: string;
  readonly outcome: string;
  readonly failure: object | null;
  readonly timing: object;
  readonly calls: object;
  readonly responses: readonly [number, number][];
};

const expected: Expected[] = [
  {
    slug: 'busy',
    outcome: 'CALL_FAILED',
    failure: { cause: 'BUSY', party: 'callee', sipStatus: 486, reason: 'Busy Here' },
    timing: { ...unmeasured, callResult: 'REJECTED', finalStatusCode: 486, finalReasonPhrase: 'Busy Here' },
    calls: { rejectedCount: FAILURES, successCount: 0, asr: 0, ner: 100, callSetup: { count: 0 }, pdd: { count: 0 } },
    responses: [[486, FAILURES]],
  },
  {
    slug: 'overloaded',
    outcome: 'CALL_FAILED',
    failure: { cause: 'SERVER_ERROR', party: 'network', sipStatus: 503 },
    timing: { ...unmeasured, callResult: 'REJECTED', finalStatusCode: 503, finalReasonPhrase: 'Service Unavailable' },
    calls: { rejectedCount: FAILURES, asr: 0, ner: 0, timeToTrying: { count: FAILURES } },
    responses: [[503, FAILURES]],
  },
  {
    slug: 'no-answer',
    outcome: 'CALL_FAILED',
    failure: { cause: 'UNAVAILABLE', party: 'callee', sipStatus: 480 },
    timing: { callResult: 'REJECTED', finalStatusCode: 480, callSetupMs: null, timeToFirstMediaMs: null },
    calls: {
      rejectedCount: FAILURES,
      ...{ asr: 0, ner: 100 },
      ...{ pdd: { count: FAILURES }, timeToRinging: { count: FAILURES }, callSetup: { count: 0 } },
    },
    responses: [
      [180, FAILURES],
      [480, FAILURES],
    ],
  },
  {
    slug: 'late',
    outcome: 'SUCCESS',
    failure: null,
    timing: { callResult: 'SUCCESS', finalStatusCode: 200, timeToRingingMs: null, registerRttMs: null },
    calls: {
      successCount: FAILURES,
      ...{ asr: 100, ner: 100 },
      ...{ pdd: { count: FAILURES }, timeToRinging: { count: 0 }, callSetup: { count: FAILURES } },
    },
    responses: [[200, 2 * FAILURES]],
  },
  {
    slug: 'silence',
    outcome: 'CALL_FAILED',
    failure: { cause: 'CALL_TIMEOUT', party: 'network', sipStatus: null },
    timing: {
      ...unmeasured,
      timeToTryingMs: null,
      callResult: 'TIMEOUT',
      finalStatusCode: null,
      finalReasonPhrase: null,
    },
    calls: { timeoutCount: FAILURES, ...{ asr: 0, ner: 0 }, timeToTrying: { count: 0 } },
    responses: [],
  },
];

/** Once all of them ring. */
async function ringing(): Promise<string> {
  const id = await lab.begin('crossing');
  await lab.reaches(id, 'rings', (run) => run.progress.phases.RINGING === FAILURES);
  return id;
}

t.test('stopped while it rings: a 200 that crosses the CANCEL is acknowledged and hung up', async (t) => {
  const id = await ringing();
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: id } as never);
  const run = await lab.ended(id);
  t.equal(run.status, 'CANCELLED');
  t.same([sentOf(run, 'CANCEL'), sentOf(run, 'ACK'), sentOf(run, 'BYE')], [FAILURES, FAILURES, FAILURES]);
});

t.test('ways to fail', async (t) => {
  for (const e of expected) {
    t.test(e.slug, async (t) => {
      const run = (await runs.get(e.slug)) as RunDetail;
      t.match(run, { status: 'COMPLETED', error: null }, 'a run whose calls fail completes');
      t.match(run.callTiming, { totalCalls: FAILURES, errorCount: 0, inProgressCount: 0, ...e.calls });
      t.same(
        run.sipResponses.map(({ statusCode, count }) => [statusCode, count]).sort((a, b) => a[0]! - b[0]!),
        e.responses,
      );
      t.equal(sentOf(run, 'INVITE'), FAILURES, 'retransmissions are no attempts');
      t.same([run.summary.measured.mos, run.summary.avgMos, run.summary.totalPacketsReceived], [0, 0, 0]);
      for (const endpoint of await lab.endpoints(run.id)) {
        t.match(endpoint, { phase: 'CLOSED', outcome: e.outcome, failure: e.failure });
        t.match(endpoint.callTiming, e.timing);
      }
    });
  }

  t.test('an answer without ringing is the first thing heard', async (t) => {
    const { callTiming, sipRequests } = (await runs.get('late')) as RunDetail;
    const { callSetup, pdd, timeToTrying } = callTiming;
    t.same([pdd.p50, timeToTrying.p50], [callSetup.p50, callSetup.p50]);
    // sipp-timing.test.ts shows how exact times are; SIPp is never early.
    t.ok(callSetup.min > 1980, `answered after ${callSetup.p50} ms`);
    // Of timer A, those before the last answer; after a stall, less.
    const most = FAILURES * TIMER_A_MS.filter((ms) => ms < callSetup.max).length;
    const { sent, retransmissions } = sipRequests.find((r) => r.method === 'INVITE')!;
    t.equal(sent, FAILURES);
    t.ok(
      retransmissions >= FAILURES && retransmissions <= most,
      `${retransmissions} of at most ${most} retransmissions`,
    );
    t.match((await late.end()).messages, { '0_INVITE_Recv': FAILURES, '0_INVITE_Retrans': retransmissions });
  });

  t.test('timer B ends what nobody answers', async (t) => {
    const run = (await runs.get('silence')) as RunDetail;
    const { sent, retransmissions } = run.sipRequests.find((r) => r.method === 'INVITE')!;
    t.equal(sent, FAILURES);
    // Each wait starts with the previous transmission: after half a second without processor time the last one is too late.
    const most = TIMER_A_MS.length * FAILURES;
    const isTimely = retransmissions >= most - FAILURES && retransmissions <= most;
    t.ok(isTimely, `${retransmissions} retransmissions by timer A: after ${TIMER_A_MS} ms`);
    t.equal(heard, FAILURES + retransmissions);
    const seconds = (Date.parse(run.endedAt ?? '') - Date.parse(run.startedAt ?? '')) / 1000;
    t.ok(seconds > 31.9, `the run took ${seconds} s`);
  });

  t.test('SIPp says the same', async (t) => {
    t.match((await busy.end()).messages, { '1_486_Sent': FAILURES, '2_ACK_Recv': FAILURES });
    t.match((await overloaded.end()).messages, { '1_503_Sent': FAILURES, '2_ACK_Recv': FAILURES });
    t.match((await unanswered.end()).messages, { '1_180_Sent': FAILURES, '4_ACK_Recv': FAILURES });
  });
});

t.test('the same without a control plane, when the agent itself is told to end', async (t) => {
  await ringing();
  await lab.controlPlane.stop('SIGKILL');
  t.equal(await lab.agents[0]?.stop('SIGTERM', 60_000), 0);
  const { messages } = await crossing.end();
  const counted = (what: RegExp) => Object.entries(messages).find(([name]) => what.test(name))?.[1];
  t.same(
    [/CANCEL_Recv$/, /ACK_Recv$/, /BYE_Recv$/].map(counted),
    [2 * FAILURES, 2 * FAILURES, 2 * FAILURES],
    'both times, counted by SIPp',
  );
});
