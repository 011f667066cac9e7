/** The pages' texts about what callers heard, about thresholds, and about the reasons of failed calls, before they are drawn. */

import { FINDING_KINDS, FINDINGS } from '@carillon/proto/words/findings.ts';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { heardWords } from '../../../contract/run/heard-words.ts';
import { callQualityOf } from '../../../domain/figures/call-quality.ts';
import { seconds, share } from '../basics/figures.ts';
import { holesOf, mediaParts, mediaWords } from '../call/holes.ts';
import { clusterWords, failureTitle, numberWords, releaseWords } from './failure-words.ts';
import { FAULT_CHOICES, FINDING_CHOICES } from './finding-choices.ts';
import { lengthWords, SHORT } from './finding-marks.ts';
import { causeWords, weightOf } from './finding-words.ts';
import { figuresOf, findingShare, isHeardByNobody, partsOf, quietLine, unheardWords } from './heard.ts';
import { limitWords, passedOf, thresholdMark } from './passed.ts';

type Run = Output<'getTestRun'>;
type Finding = Run['findings'][number];

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

t.test('the parts add up to the calls, whatever their results', async (t) => {
  const whole = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(whole, whole, whole, whole, (successful, answeredFailed, unanswered, inProgress) => {
      const calls = successful + answeredFailed + unanswered + inProgress;
      const parts = partsOf(callQualityOf({ ...NOTHING, calls, successful, answeredFailed, inProgress }));
      t.equal(
        parts.reduce((sum, p) => sum + p.calls, 0),
        calls,
      );
      t.ok(parts.every((p) => p.calls > 0));
      t.same(
        parts.map((p) => p.calls),
        [successful, answeredFailed, unanswered, inProgress].filter((n) => n > 0),
      );
    }),
    { numRuns: 100 },
  );
});

t.test('what callers heard, and a dash where nothing was measured', async (t) => {
  const told = (q: Run['callQuality']) => figuresOf(q).map(({ name, value, note }) => [name, value, note]);
  t.same(told(BAD), [
    ['Good calls', '4 of 18', '22.2 %'],
    ['Heard both ways', '5 of 14', '35.7 %, for the whole call'],
    ['Talk time with media', '61.2 %', '1 min 4 s of 1 min 44 s'],
    ['Dropped', '2 of 14', '14.3 % of answered calls'],
  ]);
  t.same(
    told(callQualityOf(NOTHING)).map(([, value]) => value),
    ['–', '–', '–', '–'],
  );
  t.same(
    told(callQualityOf({ ...NOTHING, calls: 3, successful: 1, inProgress: 2, notPlaced: 0, answered: 3 })).map(
      ([, value]) => value,
    ),
    ['1 of 1', '–', '–', '0 of 3'],
    'calls that go on are in no share',
  );
  t.same(
    [share(99.97), share(100), share(0.04), share(0), seconds(4.44)],
    ['> 99.9 %', '100 %', '< 0.1 %', '0 %', '4.4 s'],
  );

  t.equal(unheardWords(BAD), 'heard both ways: 5 of 14', 'the first line never is good where callers heard nothing');
  t.same([BAD, { ...BAD, heard: 0 }, ALL_GOOD, callQualityOf(NOTHING)].map(isHeardByNobody), [
    false,
    true,
    false,
    false,
  ]);
  t.equal(unheardWords(ALL_GOOD), null);
  t.equal(unheardWords(callQualityOf(NOTHING)), null);
  t.same(quietLine(ALL_GOOD, false), ['good', 'No findings: both ends were heard in all 4 calls.']);
  t.same(quietLine(callQualityOf(NOTHING), false), ['none', 'No call was answered.']);
  t.same(quietLine(callQualityOf(NOTHING), true), ['none', 'No call has been answered so far.']);
  t.same(quietLine({ ...ALL_GOOD, soundAsked: 0 }, false), ['none', 'No findings. No audio was measured.']);
  t.same(quietLine({ ...ALL_GOOD, heard: 3 }, false), ['none', 'No findings.']);
  const untold = callQualityOf({ ...NOTHING, calls: 4, successful: 4, answered: 4, soundAsked: 4, unreported: 4 });
  t.same(untold.heardShare, 0, 'of none');
  t.same([unheardWords(untold), isHeardByNobody(untold)], [null, false], 'what is not known is no fault');
  t.same(quietLine(untold, false), ['none', 'No findings: we heard 4 of 4; the far end did not report.']);
  t.match(figuresOf(untold)[1], { name: 'Heard by us', value: '4 of 4', note: 'the far end did not report' });
  const some = callQualityOf({ ...NOTHING, calls: 9, answered: 9, soundAsked: 9, heard: 3, unreported: 5 });
  t.equal(some.heardShare, 75, 'three of four of which it is known');
  t.equal(unheardWords(some), 'heard both ways: 3 of 4');
  t.match(figuresOf(some)[1], { name: 'Heard by us', value: '8 of 9', note: 'the far end reported in 3 of these' });
});

t.test('that both ends were heard is said only of calls in which the far end reported', async (t) => {
  const whole = fc.nat({ max: 2000 });
  fc.assert(
    fc.property(whole, whole, whole, (heard, unreported, unheard) => {
      const soundAsked = heard + unreported + unheard;
      const words = heardWords({ heard, unreported, soundAsked });
      if (soundAsked === 0) return void t.equal(words, null);
      t.equal(/both/.test(words ?? ''), unreported === 0, words ?? '');
      t.equal(/the far end did not report$/.test(words ?? ''), unreported > 0 && heard === 0, words ?? '');
      t.equal(/^we heard /.test(words ?? ''), unreported > 0, words ?? '');
    }),
    { numRuns: 200 },
  );
  t.equal(heardWords({ heard: 0, unreported: 60, soundAsked: 60 }), 'we heard 60 of 60; the far end did not report');
  t.equal(
    heardWords({ heard: 40, unreported: 20, soundAsked: 60 }),
    'we heard 60 of 60; the far end reported in 40 of these',
  );
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

t.test('findings by their titles, never by the words of a program', async (t) => {
  t.equal(new Set(Object.values(SHORT)).size, FINDING_KINDS.length, 'no two are called alike');
  for (const kind of FINDING_KINDS) {
    t.ok(SHORT[kind].length <= 16, SHORT[kind]);
    t.equal(causeWords(kind), FINDINGS[kind].title);
  }
  t.equal(causeWords('SERVER_ERROR'), 'Server error');
  t.equal(FINDING_CHOICES.flatMap((g) => g.items).length, FINDING_KINDS.length);
  t.ok(FAULT_CHOICES.every((c) => FINDINGS[c.value].severity === 'FAULT'));
  t.same(
    [
      weightOf({ severity: 'FAULT', tolerated: false }),
      weightOf({ severity: 'FAULT', tolerated: true }),
      weightOf({ severity: 'NOTE', tolerated: false }),
    ],
    [
      ['bad', 'Fault'],
      ['none', 'Tolerated'],
      ['warn', 'Note'],
    ],
  );
  t.same(
    (['NO_MEDIA', 'ENDED_EARLY', 'BYE_UNANSWERED'] as const).map((kind, i) =>
      lengthWords({ finding: kind, seconds: i === 2 ? null : 1.25 }),
    ),
    ['for 1.3 s', 'after 1.3 s', null],
  );
  t.equal(findingShare(finding()), '7 of 14 answered calls (50 %)');
  t.equal(findingShare(finding({ tolerated: 2 })), '7 of 14 answered calls (50 %), 2 tolerated');
  t.equal(findingShare(finding({ tolerated: 7 })), '7 of 14 answered calls (50 %)', 'its mark says so');
  t.equal(findingShare(finding({ count: 1, answered: 0 })), '1 endpoint');
});

t.test('why calls failed, in the words of the end that refused or ended them', async (t) => {
  const cluster: Run['failureClusters'][number] = {
    phase: 'CALLING',
    endpointType: 'CALLER',
    outcome: 'CALL_FAILED',
    cause: 'SERVER_ERROR',
    party: 'network',
    sipStatus: 503,
    reason: 'Service Unavailable',
    q850: 34,
    explanation: 'trunk group 7 full',
    target: 'pbx.example:5060',
    number: '4930#',
    count: 3,
    firstSeenAt: null,
    lastSeenAt: null,
    exampleEndpointIds: [],
  };
  t.same(clusterWords(cluster), {
    title: '503 Service Unavailable',
    said: ['Q.850 cause 34: No circuit available', '“trunk group 7 full”'],
    kind: 'Server error',
  });
  t.same(clusterWords({ ...cluster, explanation: 'no circuit available' }).said, [
    'Q.850 cause 34: No circuit available',
  ]);
  t.same(
    clusterWords({
      ...cluster,
      cause: 'NO_MEDIA',
      sipStatus: null,
      reason: 'No audio came',
      q850: null,
      explanation: null,
    }),
    { title: 'No audio came', said: [], kind: '' },
  );
  t.equal(clusterWords({ ...cluster, outcome: 'NEGOTIATION_FAILED' }).kind, 'Server error · Negotiation failed');
  t.same(
    ['4930#', '…', null].map((number) => numberWords({ number })),
    ['number 4930#', 'different numbers', null],
  );
  t.equal(failureTitle({ cause: 'CALL_TIMEOUT', sipStatus: null, reason: 'no answer' }), 'Call timeout');

  const release = { q850: 16, q850Name: 'Normal call clearing', reasonText: 'bye', warning: '399 full' };
  t.same(releaseWords({ endedBy: 'REMOTE', release }), [
    'Ended by the far end',
    'Q.850 cause 16: Normal call clearing',
    'Reason: bye',
    'Warning: 399 full',
  ]);
  t.same(
    releaseWords({ endedBy: null, release: { ...release, reasonText: 'normal call clearing', warning: null } }),
    ['Q.850 cause 16: Normal call clearing'],
    'nothing twice',
  );
  t.same(releaseWords({ endedBy: null, release: null }), []);
});

t.test('where media did not come on a stream', async (t) => {
  const absence = {
    awaitedMs: 10_000,
    absentMs: 4500,
    headMs: 1200,
    gaps: 1,
    longestGapMs: 1500,
    longestGapAt: '2026-11-22T10:00:00.000Z',
    tailMs: 1800,
    ...{ pausedMs: 0, sparseMs: 0, pauses: 0, longestPauseMs: null },
  };
  t.same(
    mediaParts(absence).map(({ tone, ms }) => [tone, ms]),
    [
      ['bad', 1200],
      ['good', 2750],
      ['bad', 1500],
      ['good', 2750],
      ['bad', 1800],
    ],
  );
  t.same(mediaParts({ ...absence, absentMs: 0, headMs: 0, gaps: 0, tailMs: 0 }), [{ tone: 'good', ms: 10_000 }]);
  t.equal(mediaWords(absence), '5.5 s of 10 s (55 %)');
  t.same(holesOf(absence, 100), [
    { words: 'nothing in the first 1.2 s', at: null },
    { words: '1 gap, of 1.5 s', at: '2026-11-22T10:00:00.000Z' },
    { words: 'nothing in the last 1.8 s', at: null },
  ]);
  t.same(holesOf({ ...absence, headMs: 10_000, absentMs: 10_000, gaps: 0, tailMs: 0 }, 0), [
    { words: 'no packet came', at: null },
  ]);
  t.same(holesOf({ ...absence, absentMs: 0, headMs: 0, gaps: 0, tailMs: 0 }, 500), []);
  t.equal(mediaWords({ ...absence, awaitedMs: 0 }), '–');
  const paused = {
    ...absence,
    absentMs: 0,
    headMs: 0,
    gaps: 0,
    tailMs: 0,
    pausedMs: 4000,
    pauses: 2,
    longestPauseMs: 2500,
  };
  t.same(mediaParts(paused), [
    { tone: 'good', ms: 3000 },
    { tone: 'warn', ms: 4000 },
    { tone: 'good', ms: 3000 },
  ]);
  t.equal(mediaWords(paused), '6 s of 10 s (60 %)');
  t.same(holesOf(paused, 100), [{ words: 'the far end sent nothing for 4 s in 2 pauses', at: null }]);
});

t.test('a run passed, did not, or was not judged, and why', async (t) => {
  const threshold = (status: 'HEALTHY' | 'DEGRADED' | 'UNHEALTHY' | 'UNKNOWN', displayName: string) => ({
    metricKey: 'heardShare' as const,
    displayName,
    unit: '%',
    value: 50,
    count: 14,
    status,
    higherIsBetter: true,
    greenValue: 99,
    orangeValue: 95,
  });
  const of = (more: object) =>
    passedOf({
      status: 'COMPLETED',
      passed: null,
      thresholds: [threshold('UNKNOWN', 'A')],
      validity: null,
      ...more,
    } as never);
  t.equal(of({ thresholds: [] }), null, 'no threshold, nothing to pass');
  t.same(of({ passed: true, thresholds: [threshold('HEALTHY', 'A'), threshold('DEGRADED', 'B')] }), {
    tone: 'good',
    word: 'Passed',
    why: null,
  });
  t.same(of({ passed: false, thresholds: [threshold('UNHEALTHY', 'A'), threshold('UNKNOWN', 'B')] }), {
    tone: 'bad',
    word: 'Not passed',
    why: 'beyond the limit: A; not measured: B',
  });
  t.match(of({ validity: { verdict: 'VOID' } }), { word: 'Not judged', why: /void/ });
  t.match(of({ status: 'CANCELLED', validity: { verdict: 'VALID' } }), { word: 'Not judged', why: /did not complete/ });
  t.same([thresholdMark('UNKNOWN', true)[1], thresholdMark('UNKNOWN', false)[1]], ['Not measured', 'Not judged']);
  t.same(
    [limitWords(99, '%', true), limitWords(1000, 'ms', false), limitWords(4, 'MOS', true)],
    ['≥ 99 %', '≤ 1,000 ms', '≥ 4'],
  );
});
