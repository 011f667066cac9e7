/** `node scripts/site/write.ts FOLDER`: writes the pages of docs/ as a site. */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { FILES, folderPages, ROOT } from './files.ts';
import { layout, type Titles } from './layout.ts';
import { OF_SOURCE, PAGES } from './nav.ts';
import { BASE, type Rendered, render } from './render.ts';
import { indexOf, type PageSection } from './search/find.ts';

const DOCS = path.join(ROOT, 'docs');
/** The folder of a build, finished or not. */
const BUILT = /^dist[/-]/;
const INDEX = 'README';
/** This page is not searched, because its headings are terms for which readers of the guide search. */
const UNSEARCHED = 'machines';

const rendered = (): Map<string, Rendered> =>
  new Map([INDEX, ...PAGES].map((page) => [page, render(readFileSync(path.join(DOCS, `${page}.md`), 'utf8'), page)]));

const searched = (pages: ReadonlyMap<string, Rendered>): PageSection[] =>
  [...pages]
    .filter(([page]) => page !== INDEX && page !== UNSEARCHED)
    .flatMap(([page, { title, sections }]) =>
      sections.map(({ id, heading, text }, i) => ({
        id: `${BASE}/${page}${i === 0 ? '' : `#${id}`}`,
        title,
        heading,
        text,
      })),
    )
    // The title of a page that begins with its first heading has nothing to show.
    .filter(({ text }) => text.trim() !== '');

/** The programs of the search, with their library: the field of the pages, and what the dashboard imports. */
async function writeSearch(folder: string): Promise<void> {
  const programs = [
    ['box.js', 'search.js', 'iife'],
    ['ask.js', 'ask.js', 'es'],
  ] as const;
  for (const [source, file, format] of programs) {
    const bundle = await rolldown({ input: path.join(import.meta.dirname, 'search', source), platform: 'browser' });
    await bundle.write({ file: path.join(folder, file), format, minify: true });
    await bundle.close();
  }
}

/** Under the title of a page that names files of the source. */
const IN_A_CHECKOUT = '</h1>\n<p><em>The files that this page names are in a checkout of the repository.</em></p>';

/** What people take: the files as they are, and a page for each folder. */
function writeFiles(folder: string, titles: Titles): void {
  for (const file of FILES) cpSync(path.join(ROOT, file), path.join(folder, 'files', file));
  for (const page of folderPages()) {
    const { html } = render(page.text, `../${page.folder}/README`);
    const file = path.join(folder, 'files', page.folder, 'index.html');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, layout(`files/${page.folder}`, page.folder, html, titles));
  }
}

async function writeSite(folder: string): Promise<void> {
  const pages = rendered();
  const titles = new Map([...pages].map(([page, { title }]) => [page, title]));
  for (const [page, { title, html, pictures }] of pages) {
    const name = page === INDEX ? '' : page;
    const file = path.join(folder, name === '' ? 'index.html' : `${name}.html`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      file,
      layout(name, title, OF_SOURCE.includes(page) ? html.replace('</h1>', IN_A_CHECKOUT) : html, titles),
    );
    for (const { name: picture, svg } of pictures) writeFileSync(path.join(folder, picture), svg);
  }
  for (const picture of globSync('**/*.{svg,png}', { cwd: DOCS }).filter((file) => !BUILT.test(file)))
    cpSync(path.join(DOCS, picture), path.join(folder, picture));
  writeFiles(folder, titles);
  cpSync(path.join(import.meta.dirname, 'style.css'), path.join(folder, 'style.css'));
  writeFileSync(path.join(folder, 'search.json'), indexOf(searched(pages)));
  await writeSearch(folder);
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Which folder?');
await writeSite(path.resolve(folder));
