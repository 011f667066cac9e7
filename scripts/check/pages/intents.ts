/**
 * The tables "If you want to …" of CONTRIBUTING.md lead to every folder with sources: they name the folder, one above it or one of
 * its files, so that people who want to change something are led to all of the code.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { ROOT, read, sources } from '../sources.ts';

const PAGE = 'CONTRIBUTING.md';

/** Folders to which no intent leads, with reasons. */
const EXCEPTIONS: readonly (readonly [why: string, folders: readonly string[]])[] = [
  ['each file is what several folders beside it share, and changes with one of them', ['media', 'proto']],
  ['it is generated from the features', ['control-plane/feature-sums']],
];
/** Tests and their kits are found from what they test. */
const OF_TESTS = /(^|\/)(black-box|testing)(\/|$)/;

/** The paths from the root that the last columns of the tables name. */
const named = (): string[] =>
  [...read(PAGE).matchAll(/^\| [^|]+ \| (.*) \|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, to]) => path.posix.normalize(to as string)),
  );

/** The folder and all above it, as `agent/rtp`, `agent`. */
const withParents = (folder: string): string[] =>
  folder === '.' ? [] : [folder, ...withParents(path.posix.dirname(folder))];

const isFolder = (to: string): boolean =>
  statSync(path.join(ROOT, to), { throwIfNoEntry: false })?.isDirectory() === true;

/** The folders that no intent reaches, and exceptions that are not needed, one line each. */
export function unreachedFolders(): string[] {
  const wholes = new Set<string>();
  const parts = new Set<string>();
  for (const to of named())
    if (isFolder(to)) wholes.add(to.replace(/\/$/, ''));
    else parts.add(path.posix.dirname(to));
  const excepted = new Set(EXCEPTIONS.flatMap(([, folders]) => folders));
  const folders = new Set(sources().map((file) => path.posix.dirname(file)));
  const isReached = (folder: string): boolean =>
    parts.has(folder) || withParents(folder).some((one) => wholes.has(one));
  return [
    ...[...folders]
      .filter((folder) => !OF_TESTS.test(folder) && !excepted.has(folder) && !isReached(folder))
      .map((folder) => `${PAGE}: no row of "If you want to …" leads to ${folder}`),
    ...[...excepted]
      .filter((folder) => !folders.has(folder) || isReached(folder))
      .map((folder) => `${folder} is an exception of EXCEPTIONS (scripts/check/pages/intents.ts), and needs none`),
  ];
}
