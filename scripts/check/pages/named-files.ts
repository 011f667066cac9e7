/** The page of each folder: it names every file there and no others, and the page above leads to it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read, sources } from '../sources.ts';

/**
 * Each folder with sources has a page that names its files and no others; tests may be named together: `*.test.ts`. The page above
 * has a link to it, so that each folder can be reached from README.md.
 */
export function unnamedFiles(): string[] {
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
