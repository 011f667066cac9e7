/** The pages' texts about probes, executions, incidents and maintenance windows before they are drawn; and that messages link to pages. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { Output } from '../../../contract/catalogue.ts';
import type { Telling } from '../../../contract/notify/announcement.ts';
import { linkOf } from '../../../domain/messages/link.ts';
import { instantOf, minuteOf, minuteWords } from '../basics/instants.ts';
import { executionQueryOf, isFiltered } from './execution-search.ts';
import {
  crossedThresholds,
  executionAside,
  executionState,
  type ListedExecution,
  stepFigure,
  stepsOf,
} from './execution-words.ts';
import { endWords, executionsSearch, incidentState, lastedSeconds } from './incident-words.ts';
import { changeOf, creationOf, draftOfWindow, type MaintenanceWindow, newWindow } from './maintenance-words.ts';
import { newProbe, type ProbeDraft, probeBody } from './probe-draft.ts';
import {
  alertSummary,
  hoursSummary,
  probeCallerSummary,
  probeLimitsSummary,
  probeMediaSummary,
  probeSignallingSummary,
} from './probe-summaries.ts';
import { headlineOf, notRunning, scheduleOf } from './probe-words.ts';

const NOW = '2026-11-22T21:05:42.123Z';
const NOW_MS = Date.parse(NOW);
const MINUTE_MS = 60_000;

const RUNS = { enabled: true, autoPausedAt: null, lastSkipReason: null };

t.test('how a probe is, and for how long', async (t) => {
  const failingSince = new Date(NOW_MS - 12 * MINUTE_MS).toISOString();
  const rows: [Parameters<typeof headlineOf>[0], string][] = [
    [{ ...RUNS, status: 'HEALTHY', failingSince: null }, 'Healthy'],
    [{ ...RUNS, status: 'UNHEALTHY', failingSince }, 'Unhealthy for 12 min'],
    [{ ...RUNS, status: 'DEGRADED', failingSince }, 'Degraded for 12 min'],
    [{ ...RUNS, status: 'UNHEALTHY', failingSince: null }, 'Unhealthy'],
    [{ ...RUNS, status: 'UNKNOWN', failingSince }, 'The last execution was not graded; failing for 12 min'],
    [{ ...RUNS, status: 'UNKNOWN', failingSince: null }, 'The last execution was not graded'],
    [{ ...RUNS, enabled: false, status: 'UNHEALTHY', failingSince }, 'Unhealthy when it last ran'],
    [{ ...RUNS, lastSkipReason: 'No worker.', status: 'HEALTHY', failingSince: null }, 'Healthy when it last ran'],
    // The reader's clock is slow.
    [{ ...RUNS, status: 'UNHEALTHY', failingSince: '2026-11-22T21:06:00.000Z' }, 'Unhealthy for 0 s'],
  ];
  for (const [probe, says] of rows) t.equal(headlineOf(probe, NOW_MS), says);
  t.equal(notRunning(RUNS), null);
  t.same(notRunning({ ...RUNS, enabled: false, autoPausedAt: NOW }), ['warn', 'Paused automatically']);
  t.same(notRunning({ ...RUNS, enabled: false }), ['none', 'Switched off']);
  t.same(notRunning({ ...RUNS, lastSkipReason: 'No worker.' }), ['warn', 'Skipped']);
});

t.test('when a probe runs', async (t) => {
  const always = { timeOfDayStartUtc: null, timeOfDayEndUtc: null, timezone: 'Europe/Paris' };
  const fixed = { scheduleType: 'FIXED_INTERVAL', fixedIntervalSec: 300, cronExpression: null } as const;
  t.equal(scheduleOf({ ...always, ...fixed }), 'every 5 min');
  t.equal(
    scheduleOf({ ...always, ...fixed, timeOfDayStartUtc: '08:00', timeOfDayEndUtc: '18:00' }),
    'every 5 min, 08:00 to 18:00',
  );
  t.equal(
    scheduleOf({ ...always, scheduleType: 'CRON', fixedIntervalSec: null, cronExpression: '0 8 * * 1' }),
    '0 8 * * 1 (Europe/Paris)',
  );
});

const EXECUTION = {
  id: 'e1',
  status: 'UNHEALTHY',
  testRunId: 'r1',
  scheduledAt: NOW,
  startedAt: NOW,
  completedAt: NOW,
  thresholdResults: [],
  repeatedTestRunId: null,
  steps: {
    dnsMs: null,
    registerMs: null,
    tryingMs: 0,
    ringingMs: 12.34,
    answerMs: 1234.5,
    firstMediaMs: null,
    byeMs: 3,
  },
  message: 'No audio packet came in 10.0 s of the call.',
  cause: 'NO_MEDIA',
  party: 'network',
  workerName: 'berlin-1',
  inMaintenance: false,
} as Partial<ListedExecution> as ListedExecution;

t.test('an execution in a row', async (t) => {
  t.same(executionState(EXECUTION), { tone: 'bad', word: 'Unhealthy', isOpen: false });
  const open = { status: 'UNKNOWN', completedAt: null } as const;
  t.match(executionState({ ...open, startedAt: null }), { word: 'Waiting', isOpen: true });
  t.match(executionState({ ...open, startedAt: NOW }), { word: 'Running', isOpen: true }, 'unknown is not its verdict');
  t.match(executionState({ ...EXECUTION, status: 'UNKNOWN' }), { tone: 'none', word: 'Unknown', isOpen: false });

  t.equal(executionAside(EXECUTION), 'No audio came · caused by the network · worker berlin-1');
  const told = { ...EXECUTION, message: `${EXECUTION.message} During the call, from worker berlin-1.` };
  t.equal(executionAside(told), 'No audio came · caused by the network', 'a worker is named once');
  t.equal(
    executionAside({ message: null, cause: 'SERVER_ERROR', party: 'callee', workerName: null }),
    'Server error · caused by the callee',
  );
  t.equal(executionAside({ message: null, cause: null, party: null, workerName: null }), '');

  const figures = (mode: 'CALL' | 'REGISTER' | 'OPTIONS', e: ListedExecution) =>
    stepsOf(mode).map((s) => `${s.name} ${stepFigure(e, s)}`);
  t.same(figures('CALL', EXECUTION), [
    'DNS –',
    'REGISTER –',
    '100 0',
    '180 12.3',
    'Answer 1,235',
    'First media –',
    'BYE 3',
  ]);
  t.same(figures('REGISTER', { ...EXECUTION, steps: null }), ['DNS –', 'REGISTER –']);
  t.same(figures('OPTIONS', { ...EXECUTION, steps: { dnsMs: 0.26, optionsMs: 4 } }), ['DNS 0.3', 'OPTIONS 4']);

  const result = (metricKey: string, status: ListedExecution['status'], value: number, unit: string) =>
    ({ metricKey, displayName: metricKey, unit, value, status, count: 1, higherIsBetter: false }) as never;
  t.same(
    crossedThresholds({
      thresholdResults: [
        result('good', 'HEALTHY', 1, 'ms'),
        result('late', 'DEGRADED', 45, 'ms'),
        result('none', 'UNKNOWN', 0, 'ms'),
        result('mos', 'UNHEALTHY', 2.1, 'MOS'),
      ],
    }).map((c) => `${c.tone}: ${c.words}`),
    ['bad: mos 2.1: unhealthy', 'warn: late 45 ms: degraded'],
    'the worst first; what was not measured crosses nothing',
  );
});

t.test('instants as fields have them', async (t) => {
  t.equal(minuteOf(NOW), '2026-11-22T21:05');
  t.equal(minuteOf(NOW_MS), '2026-11-22T21:05');
  t.equal(minuteWords(NOW), '2026-11-22 21:05 UTC');
  for (const wrong of ['', 'yesterday', '2026-02-30T10:00', '2026-11-22T25:00', '2026-11-22', NOW, '2026-13-01T00:00'])
    t.equal(instantOf(wrong), null, wrong);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (minutes) => {
      const iso = new Date((minutes % 60_000_000) * MINUTE_MS).toISOString();
      t.equal(instantOf(minuteOf(iso)), iso);
    }),
    { numRuns: 50 },
  );
});

t.test('what an address asks of the executions', async (t) => {
  const rows: [Parameters<typeof executionQueryOf>[0], ReturnType<typeof executionQueryOf>][] = [
    [{}, { page: 1 }],
    [{ page: '3' }, { page: 3 }],
    [{ page: '0' }, { page: 1 }],
    [{ page: 'x' }, { page: 1 }],
    [{ status: 'UNHEALTHY' }, { status: 'UNHEALTHY', page: 1 }],
    [{ status: 'unwell' }, { page: 1 }],
    [{ period: 'hour' }, { from: '2026-11-22T20:05:00.000Z', page: 1 }],
    [
      { period: 'day', from: '2020-01-01T00:00', to: '2020-01-02T00:00' },
      { from: '2026-11-21T21:05:00.000Z', page: 1 },
    ],
    [{ period: 'between' }, { page: 1 }],
    [{ from: '2020-01-01T00:00' }, { from: '2020-01-01T00:00:00.000Z', page: 1 }],
    [
      { period: 'between', to: '2020-01-02T00:00' },
      { to: '2020-01-02T00:00:00.000Z', page: 1 },
    ],
    [{ from: 'then', to: '2020-02-30T00:00' }, { page: 1 }],
  ];
  for (const [search, asked] of rows) t.same(executionQueryOf(search, NOW_MS), asked, JSON.stringify(search));
  t.same(
    executionQueryOf({ period: 'week' }, NOW_MS),
    executionQueryOf({ period: 'week' }, NOW_MS + 17_000),
    'the same list in a minute',
  );
  t.notOk(isFiltered({ page: '2', status: 'unwell' }, NOW_MS));
  t.ok(isFiltered({ period: 'month' }, NOW_MS));
});

t.test('an incident', async (t) => {
  const open = { startedAt: NOW, firstFailedAt: null, endedAt: null, durationMs: null, acknowledgedAt: null };
  const over = { ...open, endedAt: '2026-11-22T21:17:42.123Z', durationMs: 12 * MINUTE_MS };
  t.same(incidentState(open), ['bad', 'Open']);
  t.same(incidentState({ ...open, acknowledgedAt: NOW }), ['accent', 'Acknowledged']);
  t.same(incidentState({ ...over, acknowledgedAt: NOW }), ['good', 'Resolved']);
  t.equal(endWords(open), 'still open');
  t.equal(endWords(over), 'resolved after 12 min');
  t.equal(lastedSeconds(over, NOW_MS + 1e9), 720);
  t.equal(lastedSeconds(open, NOW_MS + 5000), 5);
  t.equal(lastedSeconds(open, NOW_MS - 5000), 0);
  const since = new Date(NOW_MS - 60_000).toISOString();
  t.equal(lastedSeconds({ ...open, firstFailedAt: since }, NOW_MS), 60, 'from the first failure on');

  const at = (scheduledAt: string) => ({ ...EXECUTION, scheduledAt });
  const detail = (more: object) => ({ ...open, executions: [], ...more }) as unknown as Output<'getProbeIncident'>;
  t.same(executionsSearch(detail({})), { from: '2026-11-22T21:05' });
  t.same(
    executionsSearch(detail({ ...over, executions: [at('2026-11-22T21:15:00.000Z'), at('2026-11-22T20:59:10.000Z')] })),
    { from: '2026-11-22T20:59', to: '2026-11-22T21:18' },
    'from the first that is known, and the one that resolved it is among them',
  );
});

t.test('a maintenance window as a form', async (t) => {
  const fresh = newWindow('', NOW_MS);
  t.same(creationOf(fresh), {
    probeId: null,
    startsAt: '2026-11-22T21:05:00.000Z',
    endsAt: '2026-11-22T22:05:00.000Z',
    note: '',
  });
  t.equal(creationOf(newWindow('p1', NOW_MS)).probeId, 'p1');
  t.equal(creationOf({ ...fresh, endsAt: '' }).endsAt, '', 'the server says what is wrong');

  const window = {
    probeId: 'p1',
    startsAt: NOW,
    endsAt: '2026-11-23T21:05:42.123Z',
    note: 'Cables',
  } as MaintenanceWindow;
  const draft = draftOfWindow(window);
  t.same(changeOf(draft, window), {}, 'what nobody touched keeps its seconds');
  t.same(changeOf({ ...draft, note: '' }, window), { note: '' });
  t.same(changeOf({ ...draft, endsAt: '2026-11-23T22:00' }, window), { endsAt: '2026-11-23T22:00:00.000Z' });
});

t.test('messages link to pages that there are', async (t) => {
  const source = readFileSync(new URL('../../routes.tsx', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/\bpage\(\s*'([^']+)'/g)].map((m) => m[1] as string);
  const patterns = routes.map((route) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[\\w-]+')}$`));
  const told = (kind: Telling['kind'], data: object) => ({ kind, projectId: 'project-1', data }) as unknown as Telling;
  const incident = { probeId: 'probe-1', incidentId: 'incident-1' };
  const rows: [Telling, string][] = [
    [told('incident.opened', incident), '/projects/$projectId/probes/$probeId/incidents/$incidentId'],
    [told('incident.escalated', incident), '/projects/$projectId/probes/$probeId/incidents/$incidentId'],
    [told('incident.resolved', incident), '/projects/$projectId/probes/$probeId/incidents/$incidentId'],
    [told('probe.status_changed', { probeId: 'probe-1', testRunId: null }), '/projects/$projectId/probes/$probeId'],
    [told('probe.status_changed', { probeId: 'probe-1', testRunId: 'run-1' }), '/projects/$projectId/runs/$runId'],
    [told('test_run.status_changed', { testRunId: 'run-1' }), '/projects/$projectId/runs/$runId'],
    [told('worker.status_changed', {}), '/workers'],
  ];
  for (const [telling, route] of rows) {
    const { pathname } = new URL(linkOf(telling, 'https://carillon.example/') ?? '');
    const matching = routes.filter((_, i) => patterns[i]?.test(pathname));
    t.same(matching, [route], `${telling.kind}: ${pathname}`);
  }
});

const PROBE = newProbe('r1');
const withCall = (test: Partial<ProbeDraft['test']>, more: Partial<ProbeDraft> = {}): ProbeDraft => ({
  ...PROBE,
  ...more,
  test: { ...PROBE.test, ...test },
});

t.test('what the folded parts of its form say', async (t) => {
  const sessionTimer = { expiresSeconds: 600, minSeconds: 90, refresher: null };
  const header = { methods: ['REGISTER' as const], name: 'X-Desk', value: '12' };
  const named = { callerNumber: '100', assertedIdentity: 'tel:+4930', headers: [header] };
  const rows: [string, string][] = [
    [hoursSummary(PROBE), 'All day'],
    [
      hoursSummary({ ...PROBE, timeOfDayStartUtc: '08:00', timeOfDayEndUtc: '18:00', timezone: 'Europe/Paris' }),
      'From 08:00, until 18:00, Europe/Paris',
    ],
    [alertSummary(PROBE), 'An incident after 2 failed executions, escalated after 1 h, never paused'],
    [
      alertSummary({ ...PROBE, alertStrikeRuns: 1, escalateAfterMinutes: 30, autoPauseAfterHours: 4 }),
      'An incident after 1 failed execution, escalated after 30 min, paused after 4 h',
    ],
    [probeMediaSummary(PROBE), 'No ICE'],
    [probeMediaSummary(withCall({ ice: 'HOST' })), 'ICE'],
    [probeMediaSummary(withCall({ rtcpMux: true })), 'No ICE, RTP and RTCP on one port'],
    [probeCallerSummary(PROBE), 'Number and name of the account, no header fields'],
    [probeCallerSummary(withCall(named)), 'Number 100, asserted as tel:+4930, header field X-Desk'],
    [probeCallerSummary(withCall(named, { mode: 'REGISTER' })), 'Header field X-Desk'],
    [probeCallerSummary(withCall(named, { mode: 'OPTIONS' })), 'Number 100'],
    [probeSignallingSummary(PROBE, false), 'No session timer'],
    [
      probeSignallingSummary(withCall({ signalling: { ...PROBE.test.signalling, sessionTimer } }), true),
      'Registered for 1 h at a time, not tried again, session timer 10 min',
    ],
    [probeSignallingSummary({ ...PROBE, mode: 'OPTIONS' }, false), ''],
    [probeLimitsSummary(withCall({ answerTimeoutSeconds: 7 })), 'Unanswered after 7 s'],
  ];
  for (const [text, says] of rows) t.equal(text, says);
});

t.test('what cannot matter to a probe is not sent', async (t) => {
  const header = { methods: ['INVITE' as const], name: 'X-Desk', value: '12' };
  const set = {
    ice: 'HOST',
    callerNumber: '100',
    privacy: ['ID' as const],
    headers: [header],
    answerTimeoutSeconds: 7,
  };
  const plain = { ice: 'NONE', callerNumber: null, privacy: [], headers: [], answerTimeoutSeconds: 60 };
  const rows: [ProbeDraft['mode'], object][] = [
    ['CALL', set],
    ['REGISTER', { ...plain, headers: [header], callee: { mode: 'NONE' } }],
    ['OPTIONS', { ...plain, callerNumber: '100' }],
  ];
  for (const [mode, sent] of rows) t.match(probeBody(withCall(set, { mode, uri: 'sip:9@b' }), null).test, sent, mode);
});
