/**
 * Pages match the code: they name every file of a folder, have valid links and paths and name tests that exist, and comments
 * cite existing documents.
 */
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { headingsOf, slugOf } from '../site/slug.ts';
import { documents, ROOT, read, sources } from './sources.ts';

/**
 * Each folder with sources has a page that names its files and no others; tests may be named together: `*.test.ts`. The page above
 * has a link to it, so that each folder can be reached from README.md.
 */
export function pages(): string[] {
  const folders = new Map<string, string[]>();
  for (const file of sources()) {
    const folder = folderOf(file);
    folders.set(folder, [...(folders.get(folder) ?? []), path.posix.relative(folder, file)]);
  }
  return [...folders].flatMap(([folder, files]) => {
    const page = `${folder}/README.md`;
    if (!existsSync(path.join(ROOT, page))) return [`${folder} has no README.md`];
    const text = read(page);
    const above = path.posix.join(path.dirname(folder), 'README.md');
    const isReached = read(above).includes(`](${path.basename(folder)}/README.md)`);
    const unnamed = files.filter(
      (file) => !isNamedIn(text, file) && !(file.endsWith('.test.ts') && text.includes('*.test.ts')),
    );
    return [
      ...(isReached ? [] : [`${above} has no link to ${folder}/README.md`]),
      ...unnamed.map((file) => `${page} does not name ${file}`),
      ...namedIn(text)
        .filter((file) => !existsSync(path.join(ROOT, folder, file)))
        .map((file) => `${page} names ${file}, which is not there`),
    ];
  });
}

/** A feature has one page for all of its folders. */
const folderOf = (file: string): string => /^control-plane\/features\/[^/]+/.exec(file)?.[0] ?? path.dirname(file);

/** The name of a file, with or without `.ts`, as code or within a link. */
const isNamedIn = (text: string, file: string): boolean =>
  new RegExp(`[\`/{,]${file.replace(/\.ts$/, '').replaceAll(/[.*+?^$|()[\]\\]/g, '\\$&')}[.\`},]`).test(text);

/** The files that the first column of a page's tables names. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w./-]+\.(?:tsx?|md|json|sql|proto))`/g)].map(([, file]) => file as string),
  );

/** The folders with conformance tables, and the pattern of their rows. */
const TABLES = [
  { folder: 'agent/sip', row: /^\| \d/ },
  { folder: 'agent/rtp', row: /^\| (\d|G\.|ours)/ },
] as const;

/** Each row of such a table names one of our files, a test file, and words of it. */
export const conformance = (): string[] =>
  TABLES.flatMap(({ folder, row }) => {
    const page = `${folder}/CONFORMANCE.md`;
    const rows = read(page)
      .split('\n')
      .filter((line) => row.test(line));
    return rows.length === 0 ? [`${page} has no rows`] : rows.flatMap((line) => wrongRow(page, folder, line));
  });

const bare = (cell: string | undefined): string => (cell ?? '').trim().replace(/^`|`$/g, '');

function wrongRow(page: string, folder: string, line: string): string[] {
  const [, of, section, , where, test, shows, ...rest] = line.split('|').map(bare);
  const name = `${page}: ${of}, ${section}`;
  if (!where || !test || !shows || rest.length !== 1) return [`${name} has not six cells`];
  // The path is relative to the page's folder or to the root.
  const found = (name: string) =>
    [folder, ''].map((from) => path.join(ROOT, from, name)).find((one) => existsSync(one));
  const file = found(test);
  if (!file) return [`${name}: there is no ${test}`];
  return [
    ...(found(where) ? [] : [`${name}: there is no ${where}`]),
    ...(read(path.relative(ROOT, file)).includes(shows) ? [] : [`${name}: ${test} does not say "${shows}"`]),
  ];
}

const PATH_IN_TICKS = /`((?:\.\.?\/)*[a-z][\w.-]*(?:\/[\w.-]+)*\/(?:[\w.-]+)?)`/g;
const first = (to: string): string => to.split('/')[0] as string;
const TOP = new Set(['agent', 'control-plane', 'docs', 'media', 'proto', 'scripts']);
/** A path to one of our files; other paths in code format may be addresses or names of the far side's. */
const isOurFile = (to: string): boolean => /\.(?:[a-z]+)$/.test(to);
/** The folder of a page, and those above it. */
const foldersFrom = (folder: string): string[] =>
  folder === '.' ? [ROOT] : [path.join(ROOT, folder), ...foldersFrom(path.dirname(folder))];

/** Links to missing headings, on the page itself or on another one. */
function deadAnchors(page: string, text: string): string[] {
  const folder = path.dirname(page);
  return [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
    .map(([, to, hash]) => ({ to: to as string, hash: hash as string }))
    .filter(({ to }) => !/^[a-z]+:|^\//i.test(to) && (to === '' || to.endsWith('.md')))
    .filter(({ to }) => to === '' || existsSync(path.join(ROOT, folder, to)))
    .filter(({ to, hash }) => {
      const target = to === '' ? text : read(path.join(folder, to));
      return !headingsOf(target).some((heading) => slugOf(heading) === hash);
    })
    .map(({ to, hash }) => `${to}#${hash}`);
}

/** The links of a page, and paths in code format, relative to the page's folder or one above it. */
export const deadLinks = (): string[] =>
  documents().flatMap((page) => {
    const text = read(page);
    const folder = path.dirname(page);
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, to]) => to as string)
      .filter((to) => !/^[a-z]+:|^\//i.test(to))
      .filter((to) => !existsSync(path.join(ROOT, folder, to)));
    const paths = [...text.matchAll(PATH_IN_TICKS)]
      .map(([, to]) => to as string)
      // Build output does not exist in a new clone.
      .filter((to) => !/^(\.\/data|node_modules\/)/.test(to) && !to.endsWith('/dist/'))
      .filter((to) => isOurFile(to) || TOP.has(first(to)) || existsSync(path.join(ROOT, folder, first(to))))
      .filter((to) => !foldersFrom(folder).some((from) => existsSync(path.join(from, to))));
    return [...links, ...paths, ...deadAnchors(page, text)].map((to) => `${page} leads to ${to}, which is not there`);
  });

const TESTS_NAMED = /[\w./*-]+\.test\.ts\b/g;

/**
 * The test files that a page names and that are not there, in its folder, one above it or the root. A pattern names some if it
 * finds any, as a shell reads it: `**` is one folder.
 */
export const deadTests = (page: string, text: string): string[] =>
  [...text.matchAll(TESTS_NAMED)]
    .map(([named]) => named)
    .filter((named) => !foldersFrom(path.dirname(page)).some((from) => isAnyFile(named.replaceAll('**', '*'), from)))
    .map((named) => `${page} names the tests ${named}, and there are none`);

const isAnyFile = (pattern: string, cwd: string): boolean =>
  pattern.includes('*') ? globSync(pattern, { cwd }).length > 0 : existsSync(path.join(cwd, pattern));

/** The citation `docs/decisions.md, Verdict` requires that the document has a section of that name. */
export const deadCitations = (): string[] =>
  sources().flatMap((file) =>
    [...read(file).matchAll(/(docs\/\w+\.md), ([A-Z][a-zA-Z ,]*)/g)].flatMap(([, page, rest]) => {
      if (!existsSync(path.join(ROOT, page as string))) return [`${file} cites ${page}, which is not there`];
      const headings = [...read(page as string).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading as string);
      return headings.some((heading) => (rest as string).startsWith(heading))
        ? []
        : [`${file} cites "${page}, ${rest}", a section that is not there`];
    }),
  );
