/** Totals and failures from TAP output: a file that did not end well has failed, whatever it printed. */
import t from 'tap';
import { countsOf, failures, sum } from './tap.ts';

const result = (text: string): string => `TAP version 14\n1..1\n# { ${text} }\n`;

t.test('counts of a file', async (t) => {
  const rows: [string, string, number | null, [number, number, number]][] = [
    ['passed', result('total: 3, pass: 3'), 0, [3, 0, 0]],
    ['failed', result('total: 3, pass: 1, fail: 2'), 1, [1, 2, 0]],
    ['only skipped', result('total: 2, skip: 2'), 0, [0, 0, 2]],
    ['skipped and to do', result('total: 4, pass: 1, skip: 1, todo: 2'), 0, [1, 0, 3]],
    ['nothing', result('total: 0'), 0, [0, 1, 0]],
    ['no output', '', 0, [0, 1, 0]],
    ['a crash after all passed', result('total: 3, pass: 3'), 1, [3, 1, 0]],
    ['a crash before the totals', 'TAP version 14\nok 1 - one\n', 1, [0, 1, 0]],
    ['a signal', result('total: 3, pass: 3'), null, [3, 1, 0]],
    ['totals of a subtest before its own', `${result('pass: 9')}${result('pass: 2, fail: 1')}`, 1, [2, 1, 0]],
  ];
  for (const [title, tap, code, [passed, failed, skipped]] of rows)
    t.same(countsOf(tap, code), { passed, failed, skipped }, title);
  t.same(sum(rows.map(([, tap, code]) => countsOf(tap, code))), { passed: 13, failed: 8, skipped: 5 });
});

t.test('failures with their diagnostics, and nothing else', async (t) => {
  const tap = [
    'ok 1 - fine',
    '    not ok 2 - wrong',
    '      ---',
    '      diff: one',
    '      ...',
    '    ok 3 - fine again',
    'not ok 4 - later # TODO',
    'not ok 5 - elsewhere # SKIP',
  ].join('\n');
  t.equal(failures(tap), ['    not ok 2 - wrong', '      ---', '      diff: one', '      ...'].join('\n'));
  t.equal(failures('Error: it did not start'), 'Error: it did not start', 'the last output of a file that died');
});
