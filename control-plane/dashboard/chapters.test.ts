/** Each page of the dashboard leads to a chapter that exists. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { slugOf } from '../../scripts/site/slug.ts';
import { ERRORS } from '../contract/errors.ts';
import { RUN_ERROR_CODES } from '../contract/run/words.ts';
import { CHAPTERS, type Chapters, chapterOf } from './chapters.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

t.test('every chapter is a page of the documentation, and a heading of it', (t) => {
  const ofFeatures = [...read('control-plane/feature-sums/pages.ts').matchAll(/'\.\.\/(features\/[^']+)'/g)].flatMap(
    ([, file]) => [...read(`control-plane/${file}`).matchAll(/'(\/[^']*)': '([^'/]+\/[^']+)'/g)],
  );
  const chapters: Chapters = { ...CHAPTERS, ...Object.fromEntries(ofFeatures.map((row) => [row[1], row[2]])) };
  for (const [page, chapter] of Object.entries(chapters)) {
    const [file, heading] = chapter.split('#');
    const headings = [...read(`docs/${file}.md`).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => slugOf(text));
    if (heading !== undefined) t.ok(headings.includes(heading), `${page}: ${chapter}`);
    t.equal(chapterOf(page.replaceAll('$', 'x'), chapters), `/docs/${chapter}`, page);
  }
  t.end();
});

t.test('every error code has a heading, to which messages link', (t) => {
  const headings = [...read('docs/reference/errors.md').matchAll(/^##+ (.*)$/gm)].map(([, text = '']) => slugOf(text));
  for (const code of [...Object.keys(ERRORS), ...RUN_ERROR_CODES]) t.ok(headings.includes(code.toLowerCase()), code);
  t.end();
});

t.test('a page below another has its chapter, if it has none of its own', (t) => {
  const rows: [pathname: string, chapter: string][] = [
    ['/projects/p/tests/new', 'guide/tests'],
    ['/projects/p/runs/r', 'guide/trust'],
    ['/projects/p/runs/r/endpoints/e/calls', 'guide/troubleshooting'],
    ['/projects/p/probes/q/incidents/i', 'guide/probes#incidents'],
    ['/projects/p', 'guide/concepts'],
    ['/nowhere', 'guide/get-started'],
  ];
  for (const [pathname, chapter] of rows) t.equal(chapterOf(pathname, CHAPTERS), `/docs/${chapter}`, pathname);
  t.end();
});
