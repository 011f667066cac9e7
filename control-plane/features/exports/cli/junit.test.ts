/** JUnit XML and Markdown of runs; of real ones: scripts/e2e/cli/. */
import { parse } from 'junit2json';
import t from 'tap';
import { junitErrors } from '../../../../scripts/peers/referees/junit.ts';
import { judge } from '../../../cli/run/judgement.ts';
import { parseLimit, type RunOfTest } from '../../../cli/run/limits.ts';
import { judgedRun as run } from '../../../testing/judged-run.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';

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
  const text = junitOf({
    run: bad,
    judgement: judge(bad, [parseLimit('pdd<100'), parseLimit('asr>=100')]),
    url: 'https://x/?a=1&b=2',
  });
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
  t.match(await parse(junitOf({ run: failed, judgement: judge(failed, []), url: '' })), {
    tests: 1,
    failures: 0,
    errors: 1,
  });
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
    t.same(await junitErrors(junitOf({ run: one, judgement: judge(one, limits), url: 'https://x/?a&b' })), [], what);
  const report = junitOf({ run: run(), judgement: judge(run(), limits), url: '' });
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
  const text = markdownOf({ run: bad, judgement: judge(bad, []), url: 'https://x', tables: [] });
  t.notMatch(text, /<b>|@everyone|[^\\]\|x/);
  t.match(text, /A \\<test\\> \\& "more"/);
  const linked = { ...cluster, reason: 'See https://evil.example/x or WWW.evil.example' };
  const some = run({ failureClusters: [linked] });
  t.notMatch(
    markdownOf({ run: some, judgement: judge(some, []), url: 'https://x', tables: [] }),
    /:\/\/evil|www\.evil/i,
    'GitHub makes links of both',
  );
});
