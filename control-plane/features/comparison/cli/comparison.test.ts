/** A comparison as limits of a judgement, and as a table. */
import t from 'tap';
import { EXIT } from '../../../cli/exit-codes.ts';
import { judge } from '../../../cli/run/judgement.ts';
import type { RunOfTest } from '../../../cli/run/limits.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { baselineChecks, comparisonLines } from './comparison.ts';

type Comparison = Output<'compareTestRuns'>;
const figure = (over: object): Comparison['figures'][number] => ({
  key: 'asr',
  displayName: 'ASR',
  unit: '%',
  higherIsBetter: true,
  baseline: { value: 99.5, count: 400, interval: { from: 98, to: 100 } },
  run: { value: 95, count: 400, interval: { from: 92, to: 97 } },
  by: -4.5,
  interval: { from: -7, to: -2 },
  leastEffect: 0.5,
  p: 0.0002,
  verdict: 'WORSE',
  ...over,
});
const timing = figure({
  key: 'pdd.p95',
  displayName: 'Post-dial delay, p95',
  unit: 'ms',
  higherIsBetter: false,
  by: null,
  interval: null,
  p: null,
  verdict: 'TOO_LITTLE_DATA',
});
const side = (testRunId: string) => ({ testRunId, testName: 'calls', verdict: 'VALID' as const });
const comparison = (over: object = {}): Comparison => ({
  run: side('run-2'),
  baseline: side('run-1'),
  verdict: 'WORSE',
  sentence: 'ASR is worse by 4.5 points.',
  warnings: ['Run run-1 is SUSPECT: late.'],
  figures: [figure({}), timing],
  ...over,
});
const run = {
  status: 'COMPLETED',
  error: null,
  validity: { verdict: 'VALID' },
  thresholds: [],
  progress: { failures: 5 },
  callTiming: { totalCalls: 10, registerRtt: { count: 0 }, optionsRtt: { count: 0 } },
} as unknown as RunOfTest;

t.test('worse is a limit that is not kept; what could not be tested is a warning', async (t) => {
  const judged = judge(run, [], [baselineChecks(comparison())]);
  t.equal(judged.code, EXIT.THRESHOLD_CROSSED);
  t.match(judged.checks, [{ by: 'BASELINE', name: 'ASR against run-1', limit: '>= about 99.5', passed: false }]);
  t.equal(judged.checks.length, 1);
  t.match(judged.warnings, ['Run run-1 is SUSPECT: late.', /Too little data .*: Post-dial delay, p95/]);
});

t.test('no difference passes; what is not comparable is said, and the default limit holds', async (t) => {
  const same = comparison({ verdict: 'NO_DIFFERENCE', figures: [figure({ verdict: 'NO_DIFFERENCE' })] });
  t.equal(judge(run, [], [baselineChecks(same)]).code, EXIT.GOOD);
  const none = comparison({ verdict: 'NOT_COMPARABLE', sentence: 'Run run-1 is VOID.', figures: [], warnings: [] });
  const judged = judge(run, [], [baselineChecks(none)]);
  t.match(judged, { code: EXIT.THRESHOLD_CROSSED, checks: [{ by: 'DEFAULT' }], warnings: [/VOID/] });
});

t.test('as a table', async (t) => {
  const text = comparisonLines(comparison(), 120, (_, one) => one).join('\n');
  t.match(text, /ASR +99\.5 % +95 % +-4\.5 points +-7\.0 to -2\.0 +<0\.001 +WORSE/);
  t.match(text, /Post-dial delay, p95 .* - +- +- +TOO_LITTLE_DATA/);
  t.match(text, /WORSE: ASR is worse by 4\.5 points\.\nRun run-1 is SUSPECT/);
});
