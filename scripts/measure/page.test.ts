/** The page of benchmarks: a section that is measured replaces itself only. */
import t from 'tap';
import { pageWith } from './page.ts';

const section = (title: string, by: 'bench' | 'chaos' = 'bench') => ({ by, title, about: `About ${title}.` });
const SECTIONS = { one: section('One'), two: section('Two'), three: section('Three', 'chaos') };
const made = (name: string, commit: string) => ({
  name,
  line: `on commit ${commit}`,
  table: `| a |\n| --- |\n| ${name} |`,
});

/** The body of a section. */
const bodyOf = (page: string, title: string): string => page.split(/^## /m).find((one) => one.startsWith(title)) ?? '';

t.test('a section of an older commit stays word by word, beside the newer one', async (t) => {
  const first = pageWith('', made('one', 'aaaaaaaa'), SECTIONS);
  t.match(bodyOf(first, 'Two'), /^Two\n\nAbout Two\.\n\n`npm run bench -- two`\. Not measured\.\n$/m);
  const second = pageWith(first, made('three', 'bbbbbbbb'), SECTIONS);
  t.equal(bodyOf(second, 'One'), bodyOf(first, 'One'));
  t.equal(bodyOf(second, 'Two'), bodyOf(first, 'Two'));
  t.match(bodyOf(second, 'Three'), 'About Three.\n\n`npm run chaos`, on commit bbbbbbbb\n\n| a |');
  const third = pageWith(second, made('one', 'cccccccc'), SECTIONS);
  t.match(bodyOf(third, 'One'), 'on commit cccccccc');
  t.notMatch(third, 'aaaaaaaa');
  t.equal(bodyOf(third, 'Three'), bodyOf(second, 'Three'));
  t.notMatch(third.split('## ')[0], /[0-9a-f]{8}/, 'the head names no commit');
});
