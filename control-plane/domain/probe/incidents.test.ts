/** Grades, strikes and incidents as tables; on rows: control-plane/operations/probe/executions.test.ts. */
import t from 'tap';
import { METRIC_KEY_NAMES, METRIC_KEYS } from '../../contract/metric-keys.ts';
import { HEALTH_STATES, type HealthState } from '../../contract/run/measured-words.ts';
import { figureOf } from '../../contract/run/metric-figures.ts';
import type { CallTiming, Summary, Validity } from '../../contract/run/run.ts';
import { callQualityOf, type QualityCounts } from '../figures/call-quality.ts';
import { type Evidence, grade, health, isRefusedByPlan, isWorkerTrouble, judgeTest } from './grade.ts';
import { type IncidentStanding, type IncidentState, standingAfter } from './incident-machine.ts';

const H = 'HEALTHY';
const D = 'DEGRADED';
const U = 'UNHEALTHY';
const X = 'UNKNOWN';

t.test('sequence of graded executions -> incidents', async (t) => {
  // Each row: alertStrikeRuns, the grades, and the state of the incident after each.
  const rows: [strikes: number, grades: HealthState[], states: (IncidentState | '-')[]][] = [
    [1, [U], ['DOWN']],
    [1, [D, H], ['DEGRADED', 'NONE']],
    [2, [U, U, H], ['NONE', 'DOWN', 'NONE']],
    [2, [U, D, U], ['NONE', 'DEGRADED', 'DOWN']],
    [2, [D, U, D, D], ['NONE', 'DOWN', 'DOWN', 'DOWN']],
    [2, [U, H, U, H], ['NONE', 'NONE', 'NONE', 'NONE']],
    [2, [U, X, U], ['NONE', 'NONE', 'DOWN']],
    [2, [U, X, H, U], ['NONE', 'NONE', 'NONE', 'NONE']],
    [2, [U, U, X, X, H], ['NONE', 'DOWN', 'DOWN', 'DOWN', 'NONE']],
    [3, [D, D, D, U, X, H, D], ['NONE', 'NONE', 'DEGRADED', 'DOWN', 'DOWN', 'NONE', 'NONE']],
    [3, [X, X, X, X], ['NONE', 'NONE', 'NONE', 'NONE']],
    [2, [U, U, H, U, U], ['NONE', 'DOWN', 'NONE', 'NONE', 'DOWN']],
  ];
  for (const [strikes, grades, states] of rows) {
    let at: IncidentStanding = { strikes: 0, incident: 'NONE' };
    const seen = grades.map((g) => {
      at = standingAfter(at, g, strikes);
      return at.incident;
    });
    t.same(seen, states, `${strikes}: ${grades.join(' ')}`);
  }
  t.same(
    standingAfter({ strikes: 0, incident: 'DEGRADED' }, U, 5),
    { strikes: 1, incident: 'DOWN' },
    'an open one worsens at once, whatever the strikes',
  );
});

const summary = (more: Partial<Summary> = {}): Summary =>
  ({
    ...Object.fromEntries(['avgMos', 'minMos', 'avgRFactor', 'minRFactor'].map((key) => [key, 0])),
    avgJitter: 0,
    maxJitter: 0,
    avgPacketLossFraction: 0,
    avgRtt: 0,
    maxRtt: 0,
    measured: { mos: 0, jitter: 0, loss: 0, rtt: 0, rFactor: 0 },
    ...more,
  }) as Summary;
const distribution = (p95: number, count = 1) => ({ p50: 0, p95, p99: 0, avg: 0, min: 0, max: 0, count });
const calls = (more: Partial<CallTiming> = {}): CallTiming =>
  ({
    totalCalls: 0,
    asr: 0,
    ner: 0,
    ...Object.fromEntries(
      ['pdd', 'callSetup', 'timeToTrying', 'timeToRinging', 'timeToFirstMedia', 'registerRtt', 'optionsRtt'].map(
        (key) => [key, distribution(0, 0)],
      ),
    ),
    ...more,
  }) as CallTiming;
const NOTHING = {
  calls: 0,
  successful: 0,
  inProgress: 0,
  notPlaced: 0,
  answered: 0,
  answeredFailed: 0,
  soundAsked: 0,
  heard: 0,
};
const quality = (more: Partial<QualityCounts> = {}) =>
  callQualityOf({ ...NOTHING, unreported: 0, dropped: 0, awaitedMs: 0, absentMs: 0, pausedMs: 0, ...more });
type Verdict = Validity['verdict'];
const judged = (verdict: Verdict, stallMs: number | null = null, because: readonly string[] = []): Validity => ({
  verdict,
  sentence: verdict,
  reasons: because.map((check) => ({
    ...{ check, level: 'VOID', value: 3, limit: 2, unit: '%', worker: 'w1', touches: '', message: '' },
  })) as Validity['reasons'],
  explanations: [],
  checks: [{ check: 'stall', kind: 'EFFECT', value: stallMs, suspectAbove: 0, voidAbove: 0, unit: 'ms', count: 1 }],
});
type More = Partial<Omit<Evidence, 'figures' | 'validity'>> & {
  readonly summary?: Summary;
  readonly verdict?: Verdict;
  readonly stallMs?: number;
  /** Checks beyond their second limit. */
  readonly because?: readonly string[];
  /** Calls in which sound was expected. */
  readonly soundAsked?: number;
};
const evidence = ({
  summary: s,
  verdict = 'VALID',
  stallMs,
  because,
  soundAsked = 0,
  ...more
}: More = {}): Evidence => ({
  status: 'COMPLETED',
  figures: { summary: s ?? summary(), callTiming: calls(), quality: quality({ soundAsked, heard: soundAsked }) },
  validity: judged(verdict, stallMs, because),
  endpoint: { succeeded: true, party: 'unknown', finalStatus: 200, isFaulty: false, isOfReceived: false },
  ...more,
});

t.test('green and orange belong to the better side', async (t) => {
  const rows: [value: number, green: number, orange: number, higher: boolean, state: HealthState][] = [
    [4.0, 4.0, 3.6, true, H],
    [3.99, 4.0, 3.6, true, D],
    [3.6, 4.0, 3.6, true, D],
    [3.59, 4.0, 3.6, true, U],
    [20, 20, 30, false, H],
    [20.1, 20, 30, false, D],
    [30, 20, 30, false, D],
    [30.1, 20, 30, false, U],
  ];
  for (const [value, green, orange, higher, state] of rows)
    t.equal(health(value, green, orange, higher), state, `${value}`);
});

t.test('what was not measured is not known, and never passes', async (t) => {
  for (const metricKey of METRIC_KEY_NAMES) {
    t.equal(figureOf(metricKey, { summary: summary(), callTiming: calls(), quality: quality() }).count, 0, metricKey);
    const { suggestedGreen, suggestedOrange, higherIsBetter } = METRIC_KEYS[metricKey];
    t.ok(higherIsBetter ? suggestedGreen > suggestedOrange : suggestedGreen < suggestedOrange, metricKey);
  }
  const measured = { mos: 1, jitter: 1, loss: 1, rtt: 1, rFactor: 1 };
  const heard = {
    calls: 4,
    successful: 2,
    answered: 4,
    soundAsked: 4,
    heard: 3,
    dropped: 1,
    awaitedMs: 8000,
    absentMs: 2000,
  };
  const all = {
    summary: summary({ measured }),
    callTiming: calls({ totalCalls: 1, pdd: distribution(7) }),
    quality: quality(heard),
  };
  t.same(figureOf('avgMos', all), { value: 0, count: 1 });
  t.same(figureOf('pdd', all), { value: 7, count: 1 }, 'the 95th percentile');
  t.same(figureOf('successShare', all), { value: 50, count: 4 });
  t.same(figureOf('heardShare', all), { value: 75, count: 4 });
  t.same(figureOf('mediaShare', all), { value: 75, count: 4 });
  t.same(figureOf('callDropRate', all), { value: 25, count: 4 });
});

t.test('an execution is as bad as its worst', async (t) => {
  const limit = { metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 } as const;
  const jitter = { metricKey: 'avgJitter', greenValue: 20, orangeValue: 30 } as const;
  const heard = (avgMos: number, avgJitter = 1) =>
    summary({ avgMos, avgJitter, measured: { mos: 1, jitter: 1, loss: 0, rtt: 0, rFactor: 0 } });
  const failed = (party: NonNullable<Evidence['endpoint']>['party'], finalStatus: number | null = 503) => ({
    endpoint: { succeeded: false, party, finalStatus, isFaulty: false, isOfReceived: false },
  });
  const unheard = (party: 'callee' | 'agent' = 'callee', isOfReceived = true) => ({
    endpoint: { succeeded: false, party, finalStatus: 200, isFaulty: true, isOfReceived },
  });
  const rows: [
    what: string,
    e: Evidence,
    limits: (typeof limit | typeof jitter)[],
    expected: number[] | null,
    HealthState,
  ][] = [
    ['answered, nothing asked', evidence(), [], null, H],
    ['good', evidence({ summary: heard(4.2) }), [limit], null, H],
    ['between', evidence({ summary: heard(3.7) }), [limit], null, D],
    ['bad', evidence({ summary: heard(2) }), [limit], null, U],
    ['not measured', evidence(), [limit], null, X],
    [
      'not measured beside bad',
      evidence({ summary: summary({ avgJitter: 99, measured: { mos: 0, jitter: 1, loss: 0, rtt: 0, rFactor: 0 } }) }),
      [limit, jitter],
      null,
      U,
    ],
    ['the worst of two', evidence({ summary: heard(4.2, 25) }), [limit, jitter], null, D],
    ['no answer', evidence(failed('network', null)), [], null, U],
    ['refused', evidence(failed('callee', 486)), [], null, U],
    ['the agent could not', evidence(failed('agent', null)), [], null, X],
    ['refused as expected', evidence(failed('callee', 486)), [], [486, 603], H],
    ['refused in another way', evidence(failed('callee', 404)), [], [486], U],
    ['answered where a refusal is expected', evidence(), [], [403], U],
    ['the agent was too noisy to measure', evidence({ summary: heard(2), verdict: 'VOID' }), [limit], null, X],
    ['but it did hear the refusal', evidence({ ...failed('callee'), verdict: 'VOID' }), [limit], null, U],
    ['it may not have heard the answer', evidence({ ...failed('network', null), verdict: 'VOID' }), [], null, X],
    ['nor the refusal expected', evidence({ ...failed('network', null), verdict: 'VOID' }), [], [486], X],
    ['suspect figures count', evidence({ summary: heard(2), verdict: 'SUSPECT' }), [limit], null, U],
    ['answered, and nobody could hear it', evidence(unheard()), [], null, U],
    ['whatever the thresholds', evidence({ ...unheard(), summary: heard(4.2) }), [limit], null, U],
    ['also where the answer was asked for', evidence(unheard()), [], [200], U],
    ['the agent may have been deaf', evidence({ ...unheard(), verdict: 'VOID' }), [], null, X],
    [
      'it sent too little, and heard all',
      evidence({ ...unheard(), verdict: 'VOID', because: ['skippedSlots'] }),
      [],
      null,
      U,
    ],
    [
      'it heard too little as well',
      evidence({ ...unheard(), verdict: 'VOID', because: ['skippedSlots', 'receiveDrops'] }),
      [],
      null,
      X,
    ],
    [
      'nobody heard the little it sent',
      evidence({ ...unheard('callee', false), verdict: 'VOID', because: ['skippedSlots'] }),
      [],
      null,
      X,
    ],
    ['or have stalled', evidence({ ...unheard(), verdict: 'SUSPECT', stallMs: 1000 }), [], null, X],
    ['for a moment that makes no hole', evidence({ ...unheard(), verdict: 'SUSPECT', stallMs: 400 }), [], null, U],
    ['a stalled agent reports no hole', evidence({ soundAsked: 1, stallMs: 1000 }), [], null, X],
    ['a moment hides none', evidence({ soundAsked: 1, stallMs: 400 }), [], null, H],
    ['a noisy agent has heard what it heard', evidence({ soundAsked: 1, verdict: 'VOID' }), [], null, H],
    ['without sound the answer is enough', evidence({ stallMs: 1000 }), [], null, H],
    ['its limits are not crossed by others', evidence({ summary: heard(2), stallMs: 1000 }), [limit], null, X],
    ['nor is it seen that nobody answered', evidence({ ...failed('network', null), stallMs: 1000 }), [], null, X],
    ['a refusal stands', evidence({ ...failed('callee'), stallMs: 1000 }), [], null, U],
    ['and so does an answer', evidence({ soundAsked: 1, stallMs: 1000 }), [], [403], U],
    ['the run failed', evidence({ status: 'FAILED' }), [], null, X],
    ['the run could not be', evidence({ status: 'CANNOT_RUN_FOR_NOW', endpoint: null }), [], null, X],
    ['no endpoint', evidence({ endpoint: null }), [], null, X],
  ];
  for (const [what, e, limits, expected, status] of rows) t.equal(grade(e, limits, expected).status, status, what);
  t.match(grade(evidence({ summary: heard(3.7) }), [limit, { ...jitter, metricKey: 'avgRtt' }], null).results, [
    {
      metricKey: 'avgMos',
      displayName: 'Mean MOS',
      unit: 'MOS',
      value: 3.7,
      status: D,
      higherIsBetter: true,
    },
    { metricKey: 'avgRtt', value: 0, status: X },
  ]);
  t.same(grade(evidence({ status: 'FAILED' }), [limit], null).results, [], 'never graded: no results');
});

t.test('whether a test has passed', async (t) => {
  const limit = { metricKey: 'successShare', greenValue: 99, orangeValue: 90 } as const;
  const rtt = { metricKey: 'avgRtt', greenValue: 200, orangeValue: 300 } as const;
  const figures = (successful: number) => ({
    summary: summary(),
    callTiming: calls(),
    quality: quality({ calls: 100, successful }),
  });
  const rows: [string, number, Verdict, boolean, (typeof limit | typeof rtt)[], boolean | null][] = [
    ['good', 99, 'VALID', true, [limit], true],
    ['between green and orange', 90, 'VALID', true, [limit], true],
    ['past orange', 89, 'VALID', true, [limit], false],
    ['not measured never passes', 100, 'VALID', true, [limit, rtt], false],
    ['suspect figures are judged', 89, 'SUSPECT', true, [limit], false],
    ['void ones are not', 89, 'VOID', true, [limit], null],
    ['nor are those of a run that did not complete', 100, 'VALID', false, [limit], null],
    ['nothing was set', 0, 'VALID', true, [], null],
  ];
  for (const [what, successful, verdict, complete, limits, passed] of rows)
    t.equal(judgeTest(figures(successful), verdict, complete, limits).passed, passed, what);
  t.match(judgeTest(figures(89), 'VALID', true, [limit, rtt]).thresholds, [
    { metricKey: 'successShare', value: 89, count: 100, status: U, greenValue: 99, orangeValue: 90 },
    { metricKey: 'avgRtt', value: 0, count: 0, status: X },
  ]);
});

t.test('which errors are refusals by the plan, and which are failures of workers', async (t) => {
  t.ok(
    isRefusedByPlan('CREDITS_EXHAUSTED') && isRefusedByPlan('PLAN_RUN_LIMIT') && !isRefusedByPlan('NO_ONLINE_WORKER'),
  );
  t.ok(
    isWorkerTrouble('NO_ONLINE_WORKER') && isWorkerTrouble('ALL_WORKERS_LOST') && !isWorkerTrouble('REGISTRAR_MISSING'),
  );
  t.equal(HEALTH_STATES.length, 4);
});
