/** Endpoints with several calls, on two agents that share a load: our counts equal SIPp's, and no call is postponed. */
import t, { type Test } from 'tap';
import { clockErrorMs } from '../../peers/lab/carillon.ts';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { type Sipp, startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const SECONDS = 4;
const A_SECOND_MS = 1000;
const [RATE, NARROW, HELD] = [20, 5, 10];
const SILENT = { mediaTracks: [] };
/** More than the rate gives in its time; a larger run is folded. */
const EXACT_CALLS = 2 * RATE * SECONDS;

const names = ['rate', 'narrow', 'held', 'thrice', 'media', 'folded', 'changed', 'sine'] as const;
const sipp = new Map(
  await Promise.all(
    names.map(
      async (name, i) =>
        [name, await startSipp({ address: net.address(100 + i), scenario: { builtIn: 'uas' } })] as const,
    ),
  ),
);
const uri = (name: (typeof names)[number]): string => sipp.get(name)?.uri ?? '';
const shape = { durationSeconds: 1, calls: null, media: SILENT };
const rate = { shape: 'RATE', callsPerSecond: RATE, seconds: SECONDS } as const;

const lab = await openLab(t, {
  net,
  agents: 2,
  controlPlaneEnv: { CARILLON_EXACT_CALLS: String(EXACT_CALLS) },
  provision: () => ({
    tests: [
      callsTo(uri('rate'), 'rate', { ...shape, endpoints: 2 * RATE, load: rate }),
      callsTo(uri('narrow'), 'narrow', { ...shape, endpoints: NARROW, load: rate }),
      callsTo(uri('held'), 'held', {
        ...shape,
        endpoints: HELD,
        load: { shape: 'CONCURRENCY', callsPerSecond: 40, seconds: SECONDS },
      }),
      callsTo(uri('thrice'), 'thrice', {
        ...shape,
        endpoints: HELD,
        calls: 3,
        load: { shape: 'RATE', callsPerSecond: 5 },
      }),
      callsTo(uri('changed'), 'changed', {
        ...shape,
        endpoints: 4 * RATE,
        load: { shape: 'RATE', callsPerSecond: RATE / 2, seconds: 30 },
      }),
      callsTo(uri('sine'), 'sine', {
        ...shape,
        endpoints: 2 * RATE,
        load: {
          shape: 'SINE',
          fromCallsPerSecond: RATE / 4,
          toCallsPerSecond: (3 * RATE) / 4,
          periodSeconds: SECONDS / 2,
          seconds: SECONDS,
        },
      }),
      callsTo(uri('folded'), 'folded', {
        ...shape,
        endpoints: 4 * RATE,
        load: { ...rate, callsPerSecond: 2 * RATE, seconds: SECONDS + 1 },
        media: SPEAKS_ONLY,
      }),
      callsTo(uri('media'), 'media', {
        ...shape,
        endpoints: RATE,
        load: { ...rate, callsPerSecond: RATE / 2 },
        media: SPEAKS_ONLY,
      }),
    ],
  }),
});

/** The run, and the counts of its far end. */
async function against(
  name: (typeof names)[number],
  beside: (id: string) => Promise<void> = async () => undefined,
): Promise<{ run: RunDetail; incoming: number }> {
  const id = await lab.startRun(name);
  await beside(id);
  const run = await lab.ended(id);
  const counted = await sipp.get(name)?.end();
  t.match(run, { callTiming: { inProgressCount: 0 } }, `${name}: ${run.error?.message}`);
  t.equal(counted?.totals['FailedCall'], 0);
  return { run, incoming: counted?.totals['IncomingCall'] ?? 0 };
}

/** The run reports that an agent was held up: it may have been too late for calls. */
const isHeldUp = ({ validity }: RunDetail): boolean =>
  validity?.reasons.some(({ check }) => ['stall', 'loopDelay', 'inviteLateness'].includes(check)) ?? false;

/** Of the planned calls of a run that was held up: those of two seconds of four find no endpoint free if they start together. */
const MAX_MISSING = 0.5;

/** False: calls are missing in a run that reports why. */
function startedAll(t: Test, run: RunDetail): boolean {
  const { planned, started, dropped, noFreeEndpoint } = run.starts;
  t.equal(started + dropped + noFreeEndpoint, planned, 'each planned call is counted once');
  if (started < planned && isHeldUp(run)) {
    t.comment(`${started} of ${planned} calls: ${run.validity?.sentence}`);
    t.ok(started >= (1 - MAX_MISSING) * planned, `${planned - started} of ${planned} calls are missing`);
    return false;
  }
  t.same([dropped, noFreeEndpoint], [0, 0]);
  return true;
}

/** The sum of the agents' clock errors. */
const clockErrorsMs = async (): Promise<number> =>
  (await Promise.all(lab.agents.map(clockErrorMs))).reduce((sum, ms) => sum + ms, 0);

t.test('a rate for a while: as many calls as it says, each a call of its own', async (t) => {
  const errorBeforeMs = await clockErrorsMs();
  const { run, incoming } = await against('rate');
  const errorMs = Math.max(errorBeforeMs, await clockErrorsMs());
  const calls = RATE * SECONDS;
  const { started } = run.starts;
  const isWhole = startedAll(t, run);
  t.equal(run.starts.planned, calls);
  t.equal(incoming, started);
  t.match(run, { endpoints: 2 * RATE, callTiming: { totalCalls: started, successCount: started } });
  const rows = await lab.calls(run.id);
  t.equal(new Set(rows.map(({ callId }) => callId)).size, started);
  t.equal(new Set(rows.map(({ number }) => number)).size, started);
  const at = rows.map(({ plannedAt }) => Date.parse(plannedAt ?? '')).sort((a, b) => a - b);
  const offMs = Math.max(...at.map((instant, i) => Math.abs(instant - (at[0] ?? 0) - (i * 1000) / RATE)));
  // Each instant is converted there and back, by a clock that may be corrected in between.
  if (isWhole)
    t.ok(offMs <= 5 + 2 * errorMs, `the two agents' calls are one even load, to ${offMs} ms (clocks: ${errorMs} ms)`);
  t.equal(new Set(rows.map(({ worker }) => worker.id)).size, 2);
});

t.test('a sine has the calls of its mean rate over whole periods', async (t) => {
  const { run, incoming } = await against('sine');
  const planned = (RATE / 2) * SECONDS;
  t.equal(run.starts.planned, planned);
  t.equal(incoming, startedAll(t, run) ? planned : run.starts.started);
});

t.test('what finds no endpoint free is dropped and counted, and is nobody else’s fault', async (t) => {
  const { run, incoming } = await against('narrow');
  const { planned, started, noFreeEndpoint, dropped } = run.starts;
  t.same([planned, started + noFreeEndpoint + dropped], [RATE * SECONDS, planned]);
  t.equal(started, incoming);
  if (dropped > 0) t.ok(isHeldUp(run), `${dropped} calls were dropped: ${run.validity?.sentence}`);
  // On a busy host calls are longer, and fewer.
  t.ok(started >= (NARROW * SECONDS) / 2 && started <= NARROW * SECONDS, `${started} of ${NARROW} at once`);
  t.equal(run.callTiming.successCount, started);
  const missed = run.validity?.checks.find(({ check }) => check === 'notStarted');
  if (dropped === 0) t.equal(missed?.value, 0, 'the agents did all that they could');
});

t.test('calls that are held up: each that ends is followed by the next', async (t) => {
  const { run, incoming } = await against('held');
  const { planned, started, noFreeEndpoint } = run.starts;
  t.same([started, noFreeEndpoint], [planned, 0]);
  t.equal(started, incoming);
  t.ok(started >= (HELD * SECONDS) / 2 && started <= HELD * (SECONDS + 1), `${started} calls of ${HELD} at once`);
});

t.test('three calls each, and the load ends with them', async (t) => {
  const { run, incoming } = await against('thrice');
  t.equal(incoming, 3 * HELD);
  t.match(run.callTiming, { totalCalls: 3 * HELD, successCount: 3 * HELD });
  const endpoints = await lab.endpoints(run.id);
  t.same(
    endpoints.map(({ calls }) => [calls?.total, calls?.successful, calls?.listed]),
    Array.from({ length: HELD }, () => [3, 3, 3]),
  );
  const numbers = (await lab.calls(run.id)).map(({ number }) => number);
  t.same(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 3 * HELD }, (_, i) => i),
  );
});

t.test('calls with media have a stream each', async (t) => {
  const { run, incoming } = await against('media');
  const planned = (RATE / 2) * SECONDS;
  const calls = startedAll(t, run) ? planned : run.starts.started;
  t.equal(incoming, calls);
  t.match(run, { callTiming: { successCount: calls }, summary: { totalStreams: calls } });
});

t.test('a run that is folded counts every call, and says what its calls say', async (t) => {
  const { run, incoming } = await against('folded');
  const planned = EXACT_CALLS + 2 * RATE;
  const calls = startedAll(t, run) ? planned : run.starts.started;
  t.match(run.figures, { from: 'SUMS', relativeError: 0.01 });
  t.equal(incoming, calls);
  t.match(run, {
    callTiming: { totalCalls: calls, successCount: calls, asr: 100, inProgressCount: 0 },
    callQuality: { calls, successful: calls, failed: 0 },
    progress: { callsStarted: calls, callsAnswered: calls, callsEnded: calls, failures: 0 },
    starts: { planned, started: calls, lateness: { count: calls } },
    summary: { totalStreams: calls },
    failureClusters: [],
  });
  const timeline = await lab.call('getTestRunTimeline', { projectId: lab.projectId, testRunId: run.id });
  const sum = (counts: readonly number[]): number => counts.reduce((all, n) => all + n, 0);
  const { started, answered, failed, concurrent } = timeline.calls;
  t.same([sum(started), sum(answered), sum(failed), concurrent.at(-1)], [calls, calls, 0, 0]);
  t.same([sum(timeline.answers['2xx']), sum(timeline.setupMs.count)], [calls, calls]);
  // A run with so few calls keeps all rows, in whole milliseconds.
  const rows = (await lab.calls(run.id)).flatMap(({ callTiming }) => callTiming?.callSetupMs ?? []);
  t.equal(rows.length, calls);
  const ranked = rows.sort((a, b) => a - b);
  const { p50, p95, p99, min, max, count } = run.callTiming.callSetup;
  t.equal(count, calls);
  for (const [q, figure] of [
    [0, min],
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
    [1, max],
  ] as const) {
    const exact = ranked[Math.max(1, Math.ceil(q * calls)) - 1] as number;
    t.ok(Math.abs(figure - exact) <= 0.5 + 0.01 * figure, `${figure} ms is ${exact} ms at ${q}`);
  }
});

t.test('the rate is raised, cut and paused while it goes on: SIPp sees each within a second', async (t) => {
  const { projectId } = lab;
  const callee = sipp.get('changed') as NonNullable<ReturnType<typeof sipp.get>>;
  const changes: { readonly rate: number; readonly atMs: number }[] = [];
  let rows: History = [];
  const { run, incoming } = await against('changed', async (testRunId) => {
    /** Until SIPp has counted two seconds of it. */
    const change = async (rate: number): Promise<void> => {
      await lab.call('updateTestRunLoad', { projectId, testRunId, callsPerSecond: rate });
      const atMs = Date.now();
      changes.push({ rate, atMs });
      await until(
        'SIPp has seen it',
        async () => ((await callee.history()).at(-1)?.atMs ?? 0) > atMs + 2 * A_SECOND_MS,
      );
    };
    await lab.reaches(testRunId, 'has begun', ({ starts }) => starts.planned >= RATE / 2);
    await change(2 * RATE);
    await change(RATE / 2);
    await change(0);
    const { starts } = await lab.reaches(
      testRunId,
      'has no call',
      ({ progress }) => progress.callsEnded === progress.callsStarted,
    );
    await change(RATE);
    t.ok((await lab.run(testRunId)).starts.planned > starts.planned, 'it goes on');
    // For SIPp, a cancelled call is a failed one.
    await change(0);
    await lab.reaches(testRunId, 'has no call', ({ progress }) => progress.callsEnded === progress.callsStarted);
    await lab.call('cancelTestRun', { projectId, testRunId });
    rows = await callee.history();
  });
  startedAll(t, run);
  t.equal(incoming, run.starts.started, 'SIPp saw what was asked for');
  for (const { rate, atMs } of changes) {
    const { seen, slowestMs } = ofTheSecondAfter(rows, atMs);
    // Two calls: the ends of a second are rows of 200 ms. An agent that had to wait was late, and reports it.
    if (run.validity?.verdict === 'VOID') t.comment(`${seen} calls a second of ${rate}: ${run.validity.sentence}`);
    else {
      const maxOff = 2 + rate / 5 + (2 * RATE * Math.max(0, slowestMs - ROW_MS)) / A_SECOND_MS;
      t.ok(
        Math.abs(seen - rate) <= maxOff,
        `${seen} calls a second, one second after ${rate} were asked for; SIPp told nothing for ${slowestMs} ms`,
      );
    }
  }
});

type History = Awaited<ReturnType<Sipp['history']>>;

/** Between two rows of SIPp. If it is held up it is more, and the calls of this time are counted later, together. */
const ROW_MS = 200;

/** Calls a second that SIPp counted in the second which begins one after `atMs`; its longest time without a row around it. */
function ofTheSecondAfter(rows: History, atMs: number): { readonly seen: number; readonly slowestMs: number } {
  const [from, to] = [1, 2].map((n) => rows.find((row) => row.atMs >= atMs + n * A_SECOND_MS));
  if (!from || !to) throw new Error('SIPp was not watched for so long');
  const count = ({ messages }: typeof from) => messages['0_INVITE_Recv'] ?? 0;
  const seen = (A_SECOND_MS * (count(to) - count(from))) / (to.atMs - from.atMs);
  const around = rows.slice(Math.max(0, rows.indexOf(from) - 3), rows.indexOf(to) + 1);
  return { seen, slowestMs: Math.max(...around.slice(1).map((row, i) => row.atMs - around[i]!.atMs)) };
}
