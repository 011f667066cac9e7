import t from 'tap';
import { abortRules } from '../../contract/test-settings/abort-on.ts';
import { abortReason, dueRules } from './abort.ts';

const rule = (text: string) => abortRules(text)[0] as ReturnType<typeof abortRules>[number];

t.test('which side of the limit ends a run', async (t) => {
  const rows: [text: string, value: number, count: number, ends: boolean][] = [
    ['successShare<90 for 30s', 89.99, 1000, true],
    ['successShare<90 for 30s', 90, 1000, false],
    ['successShare<90 for 30s', 0, 1, true],
    ['successShare<90 for 30s', 0, 0, false],
    ['callSetup>2000 for 10s', 2000, 5, false],
    ['callSetup>2000 for 10s', 2000.5, 5, true],
    ['callSetup>2000 for 10s', 0, 0, false],
    ['avgPacketLossFraction>0.05 for 10s', 0.051, 5, true],
  ];
  for (const [text, value, count, ends] of rows)
    t.equal(abortReason(rule(text), { value, count }) !== null, ends, `${text}: ${value} of ${count}`);
  t.equal(
    abortReason(rule('successShare<90 for 30s'), { value: 41.66667, count: 1200 }),
    'successShare<90 for 30s: Successful calls was 41.6667 % (1,200 values).',
  );
});

t.test('a rule waits until its seconds have passed since the start', async (t) => {
  const rules = abortRules('successShare<90 for 30s, callSetup>2000 for 10s');
  const due = (ms: number) => dueRules(rules, ms).map(({ key }) => key);
  t.same(
    [due(9999), due(10_000), due(29_999), due(30_000)],
    [[], ['callSetup'], ['callSetup'], ['successShare', 'callSetup']],
  );
});
