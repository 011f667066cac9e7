/** What the palette finds for a text. */
import t from 'tap';
import { callIdIn, foundEntries, idIn, numberIn, type PaletteEntry } from './palette-model.ts';

t.test('the palette finds what has every word, the better ones first', async (t) => {
  const entry = (kind: PaletteEntry['kind'], label: string, detail = ''): PaletteEntry => ({
    kind,
    label,
    detail,
    to: label,
  });
  const all = [
    entry('Documentation', 'Findings'),
    entry('Tests', 'Night load'),
    entry('Tests', 'Load of the front door'),
    entry('Tests', 'Download'),
    entry('Runs', 'Front door', 'Completed · branch=load'),
    entry('Projects', 'Berlin'),
    entry('Pages', 'Runs'),
  ];
  const labels = (text: string) => foundEntries(all, text).map(({ label }) => label);
  t.same(labels('load'), ['Load of the front door', 'Night load', 'Download', 'Front door']);
  t.same(labels('  LOAD  front '), ['Load of the front door', 'Front door']);
  t.same(labels('door night'), []);
  t.same(labels(''), ['Runs', 'Berlin'], 'pages and projects at first');
  const many = Array.from({ length: 50 }, (_, n) => entry('Tests', `Test ${n}`));
  t.equal(foundEntries(many, 'test').length, 6);
  const found = { ...entry('Calls', '+4930, 503 Service Unavailable'), isFound: true as const };
  t.same(foundEntries([found], 'id-7@pbx'), [found], 'the server has compared it');
});

t.test('what a text asks for among calls', async (t) => {
  const cases: readonly (readonly [text: string, number: string | null, callId: string | null])[] = [
    ['+49 (30) 1234-5', '+493012345', null],
    ['110', '110', null],
    ['12', null, null],
    ['4930901820', '4930901820', '4930901820'],
    [' t53x8vCtZ4Id2@192.0.2.1 ', null, 't53x8vCtZ4Id2@192.0.2.1'],
    ['front door', null, null],
    ['Findings', null, null],
    ['', null, null],
  ];
  for (const [text, number, callId] of cases) t.same([numberIn(text), callIdIn(text)], [number, callId], text);
  t.equal(idIn(' 01A223BF-a435-7275-a9cb-9a908c584650'), '01a223bf-a435-7275-a9cb-9a908c584650');
  t.equal(idIn('01a223bf'), null);
});
