/** The site as it is built: every page is reachable, and every link and anchor leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { buildSite, SITE } from './build.ts';
import { PAGES } from './nav.ts';
import { BASE, render } from './render.ts';
import { find, readIndex } from './search/find.ts';
import { QUESTIONS } from './search/questions.ts';

await buildSite();
const docs = path.resolve(SITE, '..');
const pages = globSync('**/*.html', { cwd: SITE });
const htmlOf = new Map(pages.map((page) => [page, readFileSync(path.join(SITE, page), 'utf8')]));

t.test('every page of the guide, the tutorials and the reference is in the navigation', async (t) => {
  const written = globSync('{guide,reference,tutorials}/*.md', { cwd: docs }).map((file) => file.replace(/\.md$/, ''));
  t.same(
    written.filter((page) => !PAGES.includes(page)),
    [],
  );
  t.equal(pages.length, PAGES.length + 1, 'and the first one');
});

t.test('every address leads to a page, a file or a heading of the site', async (t) => {
  let links = 0;
  for (const [page, html] of htmlOf)
    for (const [, to = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const [address = '', hash] = to.split('#');
      const isOurs = to.startsWith('#') || address.startsWith(`${BASE}/`);
      if (!isOurs) continue;
      links++;
      const name = address === '' ? page.replace(/\.html$/, '') : address.slice(BASE.length + 1) || 'index';
      const file = [name, `${name}.html`].find((one) => existsSync(path.join(SITE, one)));
      if (file === undefined) t.fail(`${page}: ${to}`);
      else if (hash !== undefined && !htmlOf.get(file)?.includes(`id="${hash}"`)) t.fail(`${page}: ${to}`);
    }
  t.ok(links > 1000, `${links} links`);
});

t.test('pages ask no other host for anything, and have no inline script or style', async (t) => {
  for (const [page, html] of htmlOf) {
    t.notMatch(html, /(?:src|rel="stylesheet" href)="https?:/, page);
    t.notMatch(html, /<style|style="|<script>|onclick/, page);
  }
  for (const picture of globSync('**/*.svg', { cwd: SITE }))
    t.notMatch(readFileSync(path.join(SITE, picture), 'utf8'), /@import|href="https?:/, picture);
});

t.test('every diagram is a picture, readable in the dark', async (t) => {
  const pictures = globSync('{architecture,machines}-*.svg', { cwd: SITE });
  t.ok(pictures.length > 30, `${pictures.length} pictures`);
  for (const picture of pictures) t.match(readFileSync(path.join(SITE, picture), 'utf8'), 'prefers-color-scheme:dark');
});

t.test('the search leads a reader to the right page', async (t) => {
  const index = readIndex(readFileSync(path.join(SITE, 'search.json'), 'utf8'));
  for (const [question, page] of QUESTIONS) {
    const found = find(index, question, 3);
    t.ok(found[0]?.id.startsWith(page), `${question}: ${found.map(({ id }) => id)}`);
    t.ok(
      found[0]?.snippet.some(({ text }) => text !== ''),
      `${question}: a snippet`,
    );
  }
  t.ok(index.search('attended transfer')[0]?.id.endsWith('#attended-transfer'));
});

t.test('the dashboard asks the same search', async (t) => {
  t.match(readFileSync(path.join(SITE, 'ask.js'), 'utf8'), /export\{\w+ as ask\}/);
});

t.test('links to what is not on the site become code', async (t) => {
  const { html } = render(
    '[a](../../agent/x.ts), [b](tests.md#groups), [c](https://example.com), ![d](run.svg)',
    'guide/x',
  );
  t.match(html, '<code>a</code>');
  t.match(html, `<a href="${BASE}/guide/tests#groups">b</a>`);
  t.match(html, '<a href="https://example.com">c</a>');
  t.match(html, `<img src="${BASE}/guide/run.svg" alt="d">`);
});
