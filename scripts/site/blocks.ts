/**
 * The code blocks of the documentation. The info string after the language defines how a block is checked: `yaml group`,
 * `json body createTest`, `sh run`.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PAGES } from './nav.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PAGE_FILES: readonly string[] = [
  ...new Set([
    ...globSync('{*.md,docs/**/*.md}', { cwd: ROOT }).filter((file) => !file.startsWith('docs/dist/')),
    ...PAGES.map((page) => `docs/${page}.md`),
  ]),
].sort();

export type PageBlock = {
  /** `docs/guide/tests.md:20` */
  readonly at: string;
  readonly file: string;
  readonly language: string;
  /** The info string after the language; '': the block has none. */
  readonly kind: string;
  readonly text: string;
};

const blocksOf = (file: string): PageBlock[] => {
  const page = readFileSync(path.join(ROOT, file), 'utf8');
  return [...page.matchAll(/^ *```(\w*) *([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: language, 2: kind, 3: text, index }) => ({
      at: `${file}:${page.slice(0, index).split('\n').length}`,
      file,
      language: language as string,
      kind: (kind as string).trim(),
      text: text as string,
    }),
  );
};

export const allBlocks = (): PageBlock[] => PAGE_FILES.flatMap(blocksOf);

/**
 * The block of a page that contains a text, which may begin with a line break. @throws Error if the page has no such block, or
 * several
 */
export function blockOf(file: string, text: string): PageBlock {
  const found = blocksOf(file).filter((block) => `\n${block.text}`.includes(text));
  if (found.length !== 1 || !found[0]) throw new Error(`${file} has ${found.length} blocks with "${text}"`);
  return found[0];
}
