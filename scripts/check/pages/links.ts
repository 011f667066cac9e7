/** Links, paths, test files and sections that pages or comments name, and that are not there. */
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { headingsOf, slugOf } from '../../site/slug.ts';
import { documents, ROOT, read, sources } from '../sources.ts';

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
