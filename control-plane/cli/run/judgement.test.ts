/** Limits, and the meaning of a run for a pipeline, as tables; with real runs: scripts/e2e/cli/. */
import { parse } from 'junit2json';
import t from 'tap';
import { junitErrors } from '../../../scripts/peers/referees/junit.ts';
import { CallTiming } from '../../contract/run/run.ts';
import { EXIT } from '../exit-codes.ts';
import { judge } from './judgement.ts';
import { junitOf } from './junit.ts';
import { check, parseLimit, type RunOfTest } from './limits.ts';
import { markdownOf } from './markdown.ts';

const spread = (p95: number, count: number) => ({ p50: p95, p95, p99: p95, avg: p95, min: p95, max: p95, count });
const spreads = Object.keys(CallTiming.shape).filter((key) => !/Count$|^totalCalls$|^asr$|^ner$/.test(key));

/** Only the judged parts of a run. */
function run(over: object = {}, timing: object = {}): RunOfTest {
  return {
    id: 'run-1',
    testName: 'A <test> & "more"',
    status: 'COMPLETED',
    error: null,
    labels: { commit: '4f2a9c1' },
    overrides: null,
    submittedAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:01.000Z',
    endedAt: '2026-01-01T00:00:03.500Z',
    validity: { verdict: 'VALID', sentence: 'VALID: nothing.', reasons: [] },
    thresholds: [],
    failureClusters: [],
    progress: { failures: 0 },
    callTiming: {
      totalCalls: 10,
      asr: 100,
      ner: 100,
      ...Object.fromEntries(spreads.map((key) => [key, spread(0, 0)])),
      pdd: { p50: 100, p95: 2000, p99: 3000, avg: 400, min: 1, max: 3100, count: 10 },
      ...timing,
    },
    summary: { avgMos: 0, avgPacketLossFraction: 0.02, measured: { mos: 0, loss: 4 } },
    callQuality: { successShare: 90, calls: 10, soundAsked: 0, heardShare: 0 },
    ...over,
  } as unknown as RunOfTest;
}

t.test('a threshold is read and judged', async (t) => {
  const rows: [text: string, passed: boolean][] = [
    ['pdd.p95<2000', false],
    ['pdd.p95<=2000', true],
    ['pdd<=2000', true],
    ['pdd<=2s', true],
    [' pdd.p99 > 2.9s ', true],
    ['pdd.p50==100ms', true],
    ['pdd.max<3000', false],
    ['asr>=100%', true],
    ['successShare>90', false],
    ['avgPacketLossFraction<=2%', true],
    ['avgPacketLossFraction<0.02', false],
    ['failures<=0', true],
    ['calls>10', false],
  ];
  for (const [text, passed] of rows) t.equal(check(parseLimit(text), run(), 'COMMAND').passed, passed, text);
  const notMeasured = [
    'avgMos>0',
    'avgMos<=0',
    'callSetup<1e9'.replace('1e9', '1000000000'),
    'heardShare>=0',
    'callSetup.min>=0',
  ];
  for (const text of notMeasured)
    t.match(check(parseLimit(text), run(), 'COMMAND'), { passed: false, measured: null }, `${text}: not measured`);
});

t.test('what is no limit', async (t) => {
  const wrong = [
    '',
    'pdd',
    'pdd<',
    'pdd.p90<1',
    'asr.p95>1',
    'pddd<1',
    'pdd<1e3',
    'pdd=1',
    'asr>1s',
    'pdd<1%',
    'pdd<1;asr>1',
    'constructor<1',
    'toString>1',
  ];
  for (const text of wrong) t.throws(() => parseLimit(text), { code: EXIT.USAGE }, JSON.stringify(text));
});

t.test('exit codes', async (t) => {
  const limits = [parseLimit('pdd.p95<2000')];
  const rows: [what: string, run: RunOfTest, code: number][] = [
    ['nothing is set, nothing failed', run(), 0],
    ['nothing is set, something failed', run({ progress: { failures: 1 } }), 99],
    ['of the test, crossed', run({ thresholds: [{ displayName: 'x', status: 'UNHEALTHY', count: 1, value: 1 }] }), 99],
    [
      'of the test, not measured',
      run({ thresholds: [{ displayName: 'x', status: 'UNKNOWN', count: 0, value: 0 }] }),
      99,
    ],
    [
      'of the test, kept',
      run({ thresholds: [{ displayName: 'x', status: 'DEGRADED', count: 1, value: 1 }], progress: { failures: 1 } }),
      0,
    ],
    ['SUSPECT is judged', run({ validity: { verdict: 'SUSPECT', sentence: 'S', reasons: [] } }), 0],
    ['VOID', run({ validity: { verdict: 'VOID', sentence: 'V', reasons: [] }, progress: { failures: 1 } }), 98],
    ['no call', run({}, { totalCalls: 0 }), 98],
    ['no call, but registrations', run({}, { totalCalls: 0, registerRtt: spread(5, 5) }), 0],
    ['no call, for registrations failed', run({ progress: { failures: 3 } }, { totalCalls: 0 }), 99],
    ['CANCELLED', run({ status: 'CANCELLED' }), 105],
    ['FAILED', run({ status: 'FAILED', error: { code: 'ALL_WORKERS_LOST', message: 'm' } }), 5],
    ['CANNOT_RUN_FOR_NOW', run({ status: 'CANNOT_RUN_FOR_NOW' }), 3],
  ];
  for (const [what, one, code] of rows) t.equal(judge(one, []).code, code, what);
  t.equal(judge(run(), limits).code, 99, 'of the command');
  t.match(judge(run({ validity: { verdict: 'SUSPECT', sentence: 'S', reasons: [] } }), []).warnings, [/SUSPECT/]);
});

const cluster = {
  sipStatus: 486,
  cause: 'BUSY',
  reason: 'Busy ]]> <b>\u0000\u001b[31m @everyone |x|',
  target: 'sip:a@b',
  explanation: null,
  count: 3,
};

t.test('JUnit: read by a parser', async (t) => {
  const bad = run({ failureClusters: [cluster], progress: { failures: 3 } });
  const text = junitOf(bad, judge(bad, [parseLimit('pdd<100'), parseLimit('asr>=100')]), 'https://x/?a=1&b=2');
  const read = await parse(text);
  t.match(read, { tests: 3, failures: 1, errors: 0, testsuite: [{ name: 'A <test> & "more"', time: 2.5 }] });
  t.notOk(text.includes('\u0000') || text.includes('\u001b'), 'only what XML has a place for');
  const suite = (read as { testsuite: { testcase: { name: string; failure?: object[] }[] }[] }).testsuite[0];
  t.same(
    suite?.testcase.map(({ name, failure }) => [name, failure !== undefined]),
    [
      ['run', false],
      ['pdd<100', true],
      ['asr>=100', false],
    ],
  );
  const failed = run({ status: 'FAILED', error: { code: 'ALL_WORKERS_LOST', message: 'gone' } });
  t.match(await parse(junitOf(failed, judge(failed, []), '')), { tests: 1, failures: 0, errors: 1 });
});

t.test('JUnit: valid by xmllint', async (t) => {
  const limits = [parseLimit('pdd<100'), parseLimit('asr>=100')];
  const runs: [what: string, run: RunOfTest][] = [
    ['good', run()],
    ['crossed', run({ failureClusters: [cluster], progress: { failures: 3 } })],
    ['long', run({ endedAt: '2026-01-13T00:00:00.000Z' })],
    ['never started', run({ status: 'CANNOT_RUN_FOR_NOW', startedAt: null, endedAt: null })],
    ['FAILED', run({ status: 'FAILED', error: { code: 'ALL_WORKERS_LOST', message: 'gone <&>' } })],
    ['VOID', run({ validity: { verdict: 'VOID', sentence: 'V "x"', reasons: [] } })],
    ['labels', run({ labels: { 'a/b': ']]>', c: '\u{1f4de}\n\u0007' } })],
  ];
  for (const [what, one] of runs)
    t.same(await junitErrors(junitOf(one, judge(one, limits), 'https://x/?a&b')), [], what);
  const report = junitOf(run(), judge(run(), limits), '');
  const broken: [what: string, from: RegExp, to: string][] = [
    ['a count that is no number', /tests="3"/, 'tests="three"'],
    ['a suite without failures', /failures="\d+" (?=errors="\d+" time="[\d.]+"><properties)/, ''],
    ['a case without a name', /<testcase name="run"/, '<testcase'],
    ['an unknown element', /<properties>/, '<notes/><properties>'],
    ['no end', /<\/testsuites>/, ''],
  ];
  for (const [what, from, to] of broken) {
    t.match(report, from);
    t.not((await junitErrors(report.replace(from, to))).length, 0, what);
  }
});

t.test('Markdown: texts of strangers are no markup', async (t) => {
  const bad = run({ failureClusters: [cluster] });
  const text = markdownOf(bad, judge(bad, []), 'https://x');
  t.notMatch(text, /<b>|@everyone|[^\\]\|x/);
  t.match(text, /A \\<test\\> \\& "more"/);
  const linked = { ...cluster, reason: 'See https://evil.example/x or WWW.evil.example' };
  const some = run({ failureClusters: [linked] });
  t.notMatch(markdownOf(some, judge(some, []), 'https://x'), /:\/\/evil|www\.evil/i, 'GitHub makes links of both');
});
