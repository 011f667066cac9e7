/** The site as it is built: every page is reachable, and every link and anchor leads somewhere. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { buildSite, SITE } from './build.ts';
import { ROOT } from './files.ts';
import { OF_SOURCE, PAGES } from './nav.ts';
import { BASE, render } from './render.ts';
import { find, readIndex } from './search/find.ts';
import { QUESTIONS } from './search/questions.ts';

await buildSite();
const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
const docs = path.resolve(SITE, '..');
const pages = globSync('**/*.html', { cwd: SITE });
const htmlOf = new Map(pages.map((page) => [page, readFileSync(path.join(SITE, page), 'utf8')]));

t.test('every page of the guide, the tutorials and the reference is in the navigation', async (t) => {
  const written = globSync('{guide,reference,tutorials}/*.md', { cwd: docs }).map((file) => file.replace(/\.md$/, ''));
  t.same(
    written.filter((page) => !PAGES.includes(page)),
    [],
  );
  const ofDocs = pages.filter((page) => !page.startsWith('files/'));
  t.equal(ofDocs.length, PAGES.length + 1, 'and the first one');
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
      const file = [name, `${name}.html`, `${name}index.html`].find((one) => isFile(path.join(SITE, one)));
      if (file === undefined) t.fail(`${page}: ${to}`);
      else if (hash !== undefined && !htmlOf.get(file)?.includes(`id="${hash}"`)) t.fail(`${page}: ${to}`);
    }
  t.ok(links > 1000, `${links} links`);
});

t.test('a page names a file of the repository as a link to it, or says where it is', async (t) => {
  const found: string[] = [];
  for (const [page, html] of htmlOf) {
    const isSaid = html.includes('The files that this page names are in a checkout');
    t.equal(isSaid, OF_SOURCE.includes(page.replace(/\.html$/, '')), page);
    // Blocks of code are commands and files of the reader's own.
    const unlinked = html.replace(/<pre[\s\S]*?<\/pre>/g, '').replace(/<a [\s\S]*?<\/a>/g, '');
    // A word is a folder of anything, such as `media/`: a name has two parts, or the ending of a file.
    for (const [, name = ''] of unlinked.matchAll(/<code>([\w-]+[./][\w./-]*\w\/?)<\/code>/g)) {
      const inFolder = page.startsWith('files/') ? path.join(path.dirname(page.slice('files/'.length)), name) : name;
      if ([name, inFolder].some((one) => existsSync(path.join(ROOT, one)))) found.push(`${page}: ${name}`);
    }
  }
  const isReached = (one: string) => !OF_SOURCE.some((page) => one.startsWith(`${page}.html:`));
  t.same(found.filter(isReached), []);
  t.ok(found.length > 50, 'pages about the source name it');
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
    '[a](../../agent/x.ts), [b](tests.md#groups), [c](https://example.com), ![d](run.svg), [e](../../agent/install/README.md), `docker-compose.yml`',
    'guide/x',
  );
  t.match(html, '<code>a</code>');
  t.match(html, `<a href="${BASE}/files/agent/install/">e</a>`);
  t.match(html, `<a href="${BASE}/files/docker-compose.yml"><code>docker-compose.yml</code></a>`);
  t.match(html, `<a href="${BASE}/guide/tests#groups">b</a>`);
  t.match(html, '<a href="https://example.com">c</a>');
  t.match(html, `<img src="${BASE}/guide/run.svg" alt="d">`);
});
