/** Limits, and the meaning of a run for a pipeline, as tables; with real runs: scripts/e2e/cli/. */
import t from 'tap';
import { judgedRun as run, spread } from '../../testing/judged-run.ts';
import { EXIT } from '../exit-codes.ts';
import { judge } from './judgement.ts';
import { check, parseLimit, type RunOfTest } from './limits.ts';

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
    ['a rule of the test ended it', run({ status: 'FAILED', error: { code: 'ABORTED', message: 'x', at: '' } }), 99],
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
