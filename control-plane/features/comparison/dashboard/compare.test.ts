/** Models of comparisons: figures, settings that differ, baselines, trends. */
import { FINDINGS } from '@carillon/proto/words/findings.ts';
import t from 'tap';
import type { Output } from '../../../contract/catalogue.ts';
import { callQualityOf } from '../../../domain/figures/call-quality.ts';
import { baselineOf, differences, FIGURES, findingFigures } from './compare.ts';
import { trendOf } from './trend.ts';

type Run = Output<'getTestRun'>;
type Finding = Run['findings'][number];

const figure = (value: number | null) => ({ value, count: value === null ? 0 : 5 });
const trendRun = (
  n: number,
  verdict: 'VALID' | 'SUSPECT' | 'VOID',
  scale: 'NB' | 'WB' | null,
): Parameters<typeof trendOf>[0][number] => ({
  testRunId: `r${n}`,
  submittedAt: `2026-11-26T12:00:0${n}.000Z`,
  status: 'COMPLETED',
  labels: {},
  isBaseline: false,
  verdict,
  passed: null,
  figures: {
    successShare: figure(100 - n),
    asr: figure(100),
    setupP50Ms: figure(null),
    setupP95Ms: figure(n),
    avgMos: { ...figure(scale === null ? null : 4), scale: scale as never },
    packetLossPercent: figure(0),
  },
});

t.test('a trend begins with the oldest; VOID runs and other scales of MOS are gaps', async (t) => {
  const [scale, other] = ['nb', 'wb'] as never[];
  const rows = [
    trendRun(3, 'VALID', other as never),
    trendRun(2, 'VOID', scale as never),
    { ...trendRun(1, 'SUSPECT', scale as never), isBaseline: true },
    trendRun(0, 'VALID', scale as never),
  ];
  const { at, places, columns, voids, scale: shown, runIds, baselineAt } = trendOf(rows);
  t.same([runIds, baselineAt], [['r0', 'r1', 'r2', 'r3'], 1]);
  t.equal(trendOf(rows.slice(0, 2)).baselineAt, null);
  t.same(at, [0, 1, 2, 3]);
  t.equal(places[0], '2026-11-26 12:00:00');
  t.same(columns.successShare, [100, 99, null, 97]);
  t.same(columns.avgMos, [4, 4, null, null]);
  t.same(columns.setupP50Ms, [null, null, null, null]);
  t.equal(voids, 1);
  t.equal(shown, 'nb');
});

t.test('a baseline is never VOID, nor a run that did not complete; what was chosen comes first', async (t) => {
  const run = (id: string, verdict: string | null, status = 'COMPLETED') =>
    ({ id, status, validity: verdict && { verdict } }) as never as Parameters<typeof baselineOf>[0][number];
  const runs = [
    run('a', 'VOID'),
    run('b', 'SUSPECT'),
    run('c', 'VALID'),
    run('d', 'VALID', 'CANCELLED'),
    run('e', null),
  ];
  t.equal(baselineOf(runs)?.id, 'c');
  t.equal(baselineOf(runs, 'b')?.id, 'b');
  t.equal(baselineOf(runs, 'a')?.id, 'c');
  t.equal(baselineOf(runs, 'd')?.id, 'c');
  t.equal(baselineOf([run('a', 'VOID'), run('e', null)]), null);
});

t.test('settings that differ are those that were set', async (t) => {
  const group = (name: string, more: object) => ({ id: name, name, audioCodecs: ['PCMU'], dtmf: null, ...more });
  const one = {
    testId: 'a',
    endpoints: 40,
    config: {
      breaker: null,
      groups: [group('callers', { callee: { mode: 'GROUP', groupId: 'callees' } }), group('callees', {})],
    },
  };
  const other = {
    testId: 'b',
    endpoints: 40,
    config: {
      breaker: { failurePercent: 50, minCalls: 20 },
      groups: [
        group('callers', { id: 'x', audioCodecs: ['PCMU', 'OPUS'], callee: { mode: 'EXTERNAL_URI', uri: 'sip:9' } }),
      ],
    },
  };
  t.same(differences([one, other]), [
    { path: 'config.breaker', values: ['null', 'failurePercent 50, minCalls 20'] },
    { path: 'config.groups[1].audioCodecs', values: ['PCMU', 'PCMU, OPUS'] },
    { path: 'config.groups[1].callee.mode', values: ['GROUP', 'EXTERNAL_URI'] },
    { path: 'config.groups[1].callee.uri', values: ['–', 'sip:9'] },
    { path: 'config.groups[2]', values: ['callees', '–'] },
  ]);
  t.same(differences([one, structuredClone(one)]), []);
});

const NOTHING = {
  calls: 0,
  successful: 0,
  inProgress: 0,
  notPlaced: 0,
  answered: 0,
  answeredFailed: 0,
  soundAsked: 0,
  heard: 0,
  unreported: 0,
  dropped: 0,
  awaitedMs: 0,
  absentMs: 0,
  pausedMs: 0,
};
/** 18 calls: 14 answered, 4 of them good. */
const BAD = callQualityOf({
  ...NOTHING,
  calls: 18,
  successful: 4,
  answered: 14,
  answeredFailed: 10,
  soundAsked: 14,
  heard: 5,
  dropped: 2,
  awaitedMs: 104_000,
  absentMs: 40_400,
});
const ALL_GOOD = callQualityOf({
  ...NOTHING,
  calls: 4,
  successful: 4,
  answered: 4,
  soundAsked: 4,
  heard: 4,
  awaitedMs: 40_000,
});

const finding = (more: Partial<Finding> = {}): Finding => ({
  finding: 'NO_MEDIA',
  endpointType: 'CALLER',
  severity: 'FAULT',
  party: 'network',
  title: FINDINGS.NO_MEDIA.title,
  count: 7,
  tolerated: 0,
  answered: 14,
  sharePercent: 50,
  exampleEndpointIds: [],
  ...more,
});

t.test('runs are compared by what their callers heard', async (t) => {
  const run = (callQuality: Run['callQuality'], findings: Finding[]) => ({ callQuality, findings }) as unknown as Run;
  const [one, other] = [run(BAD, [finding()]), run(ALL_GOOD, [])];
  const row = (name: string) => FIGURES.find((f) => f.name === name);
  t.same(
    ['Good calls', 'Heard both ways', 'Talk time with media', 'Call drop rate'].map((name) => [
      row(name)?.value(one),
      row(name)?.count(one),
      row(name)?.value(other),
    ]),
    [
      [BAD.successShare, 18, 100],
      [BAD.heardShare, 14, 100],
      [BAD.mediaShare, 14, 100],
      [BAD.callDropRate, 14, 0],
    ],
  );
  t.equal(row('Heard both ways')?.value(run(callQualityOf(NOTHING), [])), null);
  t.same(
    findingFigures([one, other]).map((f) => [f.name, f.value(one), f.value(other), f.count(other)]),
    [['No audio came (callers)', 50, 0, 4]],
  );
  const callees = run(BAD, [finding({ endpointType: 'CALLEE' })]);
  t.same(
    findingFigures([callees, other]).map((f) => [f.name, f.value(other)]),
    [['No audio came (callees)', null]],
    'of callees that answered in the other run, nothing is told',
  );
});
