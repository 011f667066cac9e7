/** Patterns of others: what they mean, what they may cost, and what is refused in words. */
import t from 'tap';
import fc from '../scripts/test-run/properties.ts';
import { numberPattern, parsePattern } from './number-pattern.ts';

t.test('what is refused, and why', async (t) => {
  const cases: [string, RegExp][] = [
    ['(', /not a regular expression$/],
    ['^(?=1)', /looks ahead/],
    ['^(?!1)', /looks ahead/],
    ['(?<=1)2', /looks ahead or back/],
    ['(?<!1)2', /looks ahead or back/],
    ['(1)\\1', /refers back/],
    ['(?<a>1)\\k<a>', /refers back/],
    ['(?<a>1)', /names a group/],
    ['(?i:a)', /flags within/],
    ['\\p{Nd}', /escape/],
    ['\\u0031', /escape/],
    ['\\cA', /escape/],
    ['\\Q1\\E', /escape/],
    ['\\A1\\z', /escape/],
    ['[]', /class without characters/],
    ['[^]', /class without characters/],
    ['[[:digit:]]', /named class/],
    ['\\d{0,1000}\\d{0,1000}', /too large: it has up to 2020 parts/],
    ['(((\\d{9}){9}){9}){9}', /too large/],
    [`${'1'.repeat(1001)}`, /too large/],
  ];
  for (const [text, words] of cases) {
    t.match(parsePattern(text), words, text);
    t.throws(() => numberPattern(text), words);
  }
});

/** Of what patterns of numbers are written with. */
const { tree } = fc.letrec<{ tree: string; leaf: string; many: string }>((tie) => ({
  leaf: fc.constantFrom(
    '0',
    '1',
    '9',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '[0-4]',
    '[^1-3]',
    '[*#+]',
    '\\*',
    '\\+',
    '\\x31',
    '\\\\',
    'a',
  ),
  many: fc
    .tuple(tie('tree'), fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '{1,3}?'))
    .map(([one, times]) => `(?:${one})${times}`),
  tree: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    tie('many'),
    fc.tuple(tie('tree'), tie('tree')).map((both) => both.join('')),
    fc.tuple(tie('tree'), tie('tree')).map((both) => `(${both.join('|')})`),
    tie('tree').map((one) => `^${one}$`),
  ),
}));

t.test('a pattern means what it means in ECMAScript', async () => {
  const numbers = fc.array(fc.stringMatching(/^[019a*+#\\]{0,8}$/), { maxLength: 20 });
  fc.assert(
    fc.property(tree, numbers, (text, all) => {
      const pattern = parsePattern(text);
      if (typeof pattern === 'string') return /too large/.test(pattern);
      const own = new RegExp(text);
      return all.every((number) => own.test(number) === pattern.test(number));
    }),
    { numRuns: 500 },
  );
});
