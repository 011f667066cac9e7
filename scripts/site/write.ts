/** `node scripts/site/write.ts FOLDER`: writes the pages of docs/ as a site. */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { layout } from './layout.ts';
import { PAGES } from './nav.ts';
import { BASE, type Rendered, render } from './render.ts';

const DOCS = path.resolve(import.meta.dirname, '..', '..', 'docs');
/** The folder of a build, finished or not. */
const BUILT = /^dist[/-]/;
const INDEX = 'README';
/** This page is not searched, because its headings are terms for which readers of the guide search. */
const UNSEARCHED = 'machines';

const rendered = (): Map<string, Rendered> =>
  new Map([INDEX, ...PAGES].map((page) => [page, render(readFileSync(path.join(DOCS, `${page}.md`), 'utf8'), page)]));

function searchIndex(pages: ReadonlyMap<string, Rendered>): string {
  const index = new MiniSearch({ fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading'] });
  for (const [page, { title, sections }] of pages)
    if (page !== INDEX && page !== UNSEARCHED)
      index.addAll(
        sections.map(({ id, ...section }, i) => ({
          id: `${BASE}/${page}${i === 0 ? '' : `#${id}`}`,
          title,
          ...section,
        })),
      );
  return JSON.stringify(index);
}

function writeSite(folder: string): void {
  const pages = rendered();
  const titles = new Map([...pages].map(([page, { title }]) => [page, title]));
  for (const [page, { title, html, pictures }] of pages) {
    const name = page === INDEX ? '' : page;
    const file = path.join(folder, name === '' ? 'index.html' : `${name}.html`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, layout(name, title, html, titles));
    for (const { name: picture, svg } of pictures) writeFileSync(path.join(folder, picture), svg);
  }
  for (const picture of globSync('**/*.svg', { cwd: DOCS }).filter((file) => !BUILT.test(file)))
    cpSync(path.join(DOCS, picture), path.join(folder, picture));
  for (const file of ['style.css', 'search.js']) cpSync(path.join(import.meta.dirname, file), path.join(folder, file));
  const { resolve } = createRequire(import.meta.url);
  const library = path.join(path.dirname(resolve('minisearch')), '..', 'umd', 'index.js');
  cpSync(library, path.join(folder, 'minisearch.js'));
  writeFileSync(path.join(folder, 'search.json'), searchIndex(pages));
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Which folder?');
writeSite(path.resolve(folder));
