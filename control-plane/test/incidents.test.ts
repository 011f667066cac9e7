/** Grades, strikes and incidents as tables; on rows: probe-executions.test.ts. */
import t from 'tap';
import { METRIC_KEY_NAMES, METRIC_KEYS } from '../contract/metric-keys.ts';
import type { CallTiming, Summary } from '../contract/run.ts';
import { HEALTH_STATES, type HealthState } from '../contract/words.ts';
import { type Evidence, figureOf, grade, health, isRefusedByPlan, isWorkerTrouble } from '../domain/grade.ts';
import { type IncidentState, type Standing, stand } from '../domain/incident-machine.ts';

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
    let at: Standing = { strikes: 0, incident: 'NONE' };
    const seen = grades.map((g) => {
      at = stand(at, g, strikes);
      return at.incident;
    });
    t.same(seen, states, `${strikes}: ${grades.join(' ')}`);
  }
  t.same(
    stand({ strikes: 0, incident: 'DEGRADED' }, U, 5),
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
const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  status: 'COMPLETED',
  summary: summary(),
  callTiming: calls(),
  verdict: 'VALID',
  endpoint: { succeeded: true, party: 'unknown', finalStatus: 200 },
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
    t.equal(figureOf(metricKey, summary(), calls()), null, metricKey);
    const { suggestedGreen, suggestedOrange, higherIsBetter } = METRIC_KEYS[metricKey];
    t.ok(higherIsBetter ? suggestedGreen > suggestedOrange : suggestedGreen < suggestedOrange, metricKey);
  }
  const measured = { mos: 1, jitter: 1, loss: 1, rtt: 1, rFactor: 1 };
  const all = [summary({ measured }), calls({ totalCalls: 1, pdd: distribution(7) })] as const;
  t.equal(figureOf('avgMos', ...all), 0);
  t.equal(figureOf('pdd', ...all), 7, 'the 95th percentile');
});

t.test('an execution is as bad as its worst', async (t) => {
  const limit = { metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 } as const;
  const jitter = { metricKey: 'avgJitter', greenValue: 20, orangeValue: 30 } as const;
  const heard = (avgMos: number, avgJitter = 1) =>
    summary({ avgMos, avgJitter, measured: { mos: 1, jitter: 1, loss: 0, rtt: 0, rFactor: 0 } });
  const failed = (party: NonNullable<Evidence['endpoint']>['party'], finalStatus: number | null = 503) => ({
    endpoint: { succeeded: false, party, finalStatus },
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

t.test('who refused it, and who could not', async (t) => {
  t.ok(
    isRefusedByPlan('CREDITS_EXHAUSTED') && isRefusedByPlan('PLAN_RUN_LIMIT') && !isRefusedByPlan('NO_ONLINE_WORKER'),
  );
  t.ok(
    isWorkerTrouble('NO_ONLINE_WORKER') && isWorkerTrouble('ALL_WORKERS_LOST') && !isWorkerTrouble('REGISTRAR_MISSING'),
  );
  t.equal(HEALTH_STATES.length, 4);
});
