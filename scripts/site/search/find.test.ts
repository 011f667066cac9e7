/** The search: what is found, in which order, and what its snippets show. */
import t from 'tap';
import fc from '../../test-run/properties.ts';
import { find, indexOf, readIndex, snippetOf } from './find.ts';

const text = (pieces: readonly { text: string }[]): string => pieces.map((piece) => piece.text).join('');

t.test('a page that helps with a task comes before a decision with the same words', async (t) => {
  const entry = (id: string) => ({ id, title: 'Retention', heading: 'Retention', text: 'how long runs are kept' });
  const index = readIndex(indexOf([entry('/docs/decisions#retention'), entry('/docs/guide/operating#retention')]));
  t.same(
    find(index, 'How long are the runs kept?', 8).map(({ id }) => id),
    ['/docs/guide/operating#retention', '/docs/decisions#retention'],
  );
  t.equal(find(index, 'retention', 1).length, 1, 'no more than asked for');
  t.same(find(index, 'how do I', 8), [], 'words that every question has find nothing');
  t.same(find(index, '', 8), []);
});

t.test('a heading with the whole question comes before a page that has its words in many places', (t) => {
  const often = 'teams direct routing, teams and its demands. '.repeat(20);
  const sections = [
    { id: '/docs/tutorials/a', title: 'A trunk to Microsoft Teams', heading: 'Microsoft Teams', text: often },
    { id: '/docs/guide/b#alerts', title: 'Answers', heading: 'Alerts in Microsoft Teams', text: 'A webhook.' },
    { id: '/docs/guide/c', title: 'Alerts', heading: 'Alerts', text: 'alerts by mail, alerts by chat' },
  ];
  const index = readIndex(indexOf(sections));
  const first = (words: string) => find(index, words, 8)[0]?.id;
  for (const words of ['Microsoft Teams alert', 'alert Teams', 'How do I get alerts in Microsoft Teams?'])
    t.equal(first(words), '/docs/guide/b#alerts', words);
  t.equal(first('Microsoft Teams trunk'), '/docs/tutorials/a', 'a word is in no heading');
  t.end();
});

t.test('a snippet is a part of the text, with what was found in it', async (t) => {
  const long = `${'before '.repeat(40)}the trunk answers 401${' after'.repeat(40)}`;
  const pieces = snippetOf(long, ['trunk', '401']);
  t.same(
    pieces.filter(({ isFound }) => isFound).map((piece) => piece.text),
    ['trunk', '401'],
  );
  t.equal(pieces.at(0)?.text, '… ');
  t.equal(pieces.at(-1)?.text, ' …');
  t.same(text(snippetOf('Short.', ['nothing'])), 'Short.');
  t.same(
    snippetOf('One-way audio, ongoing', ['on']).filter(({ isFound }) => isFound).length,
    2,
    'words that begin so, and no part within one',
  );
  t.same(snippetOf('', ['a']), []);
});

t.test('whatever the text and the words are', async () => {
  const word = fc.stringMatching(/^[a-zäß0-9_.]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.array(word, { maxLength: 5 }), (words, terms) => {
      const plain = words.join(' ');
      const shown = snippetOf(plain, terms).filter(({ text }) => text !== '… ' && text !== ' …');
      return (
        plain.includes(text(shown)) &&
        shown.every(({ text, isFound }) => text !== '' && (!isFound || terms.includes(text.toLowerCase())))
      );
    }),
  );
});
