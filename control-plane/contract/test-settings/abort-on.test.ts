import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { METRIC_KEYS } from '../metric-keys.ts';
import { ABORT_KEYS, AbortOn, abortFault, abortRules, MAX_ABORT_SECONDS, MIN_ABORT_SECONDS } from './abort-on.ts';

t.test('rules as users write them', async (t) => {
  const rows: [text: string, rules: object[]][] = [
    ['successShare<90 for 30s', [{ key: 'successShare', limit: 90, seconds: 30 }]],
    [' successShare < 99.5 for 5 s ', [{ key: 'successShare', limit: 99.5, seconds: 5 }]],
    [
      'callSetup>2000 for 10s,avgPacketLossFraction>0.05 for 600s',
      [
        { key: 'callSetup', limit: 2000, seconds: 10 },
        { key: 'avgPacketLossFraction', limit: 0.05, seconds: 600 },
      ],
    ],
  ];
  for (const [text, rules] of rows) {
    t.equal(abortFault(text), null, text);
    t.match(abortRules(text), rules, text);
  }
  t.same(abortRules(null), []);
});

t.test('faults say what to write instead', async (t) => {
  const rows: [text: string, fault: RegExp][] = [
    ['', /write METRIC<NUMBER for SECONDSs, for example/],
    ['successShare<90', /is not a rule/],
    ['successShare<90 for 30', /is not a rule/],
    ['successShare<-1 for 30s', /is not a rule/],
    ['successShare>90 for 30s', /^the bad side of successShare is <$/],
    ['callSetup<90 for 30s', /^the bad side of callSetup is >$/],
    ['minMos<3 for 30s', /^part 1 names no metric that can end a run: use successShare, callSetup/],
    ['toString<3 for 30s', /can end a run/],
    ['successShare<90 for 1s', /must be taken over 2 to 600 s/],
    ['successShare<90 for 601s', /must be taken over 2 to 600 s/],
    ['successShare<90 for 30s,', /^part 2 is not a rule/],
    [Array.from({ length: 6 }, () => 'successShare<90 for 30s').join(), /^has at most 5 rules$/],
  ];
  for (const [text, fault] of rows) {
    t.match(abortFault(text), fault, text);
    t.equal(AbortOn.safeParse(text).success, false, text);
  }
});

t.test('a rule that is written is read as it was meant', async () => {
  const rule = fc.record({
    key: fc.constantFrom(...ABORT_KEYS),
    limit: fc.integer({ min: 0, max: 100_000 }),
    seconds: fc.integer({ min: MIN_ABORT_SECONDS, max: MAX_ABORT_SECONDS }),
  });
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), (rules) => {
      const text = rules
        .map((r) => `${r.key}${METRIC_KEYS[r.key].higherIsBetter ? '<' : '>'}${r.limit} for ${r.seconds}s`)
        .join(', ');
      const read = abortRules(text).map(({ key, limit, seconds }) => ({ key, limit, seconds }));
      return abortFault(text) === null && JSON.stringify(read) === JSON.stringify(rules);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => abortFault(text) === null || abortFault(text) !== ''));
});
