/**
 * What modules do when they are imported. A module declares, so that an import changes nothing; only a program acts: the main file
 * of a process or of a thread. Scripts are not checked, as most of them are programs.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ownSources, ROOT, read } from '../sources.ts';

/** The files that act, and why. */
const MAY_ACT: readonly (readonly [why: string, files: readonly string[]])[] = [
  [
    'the main file of a process',
    [
      'agent/main.ts',
      'control-plane/cli/main.ts',
      'control-plane/commands/account.ts',
      'control-plane/commands/doctor.ts',
      'control-plane/commands/sealing-keys.ts',
      'control-plane/dashboard/build.ts',
      'control-plane/dashboard/main.tsx',
      'control-plane/features/backup/commands/backup.ts',
      'control-plane/features/backup/commands/restore.ts',
      'control-plane/features/citus/commands/citus.ts',
      'control-plane/main.ts',
    ],
  ],
  [
    'the main file of a thread',
    [
      'agent/playback/encoding-thread.ts',
      'agent/rtp/threads/media-thread.ts',
      'agent/run/threads/signalling-thread.ts',
    ],
  ],
  [
    'a library fixes its defaults when it is loaded, so they are set where it is imported',
    ['proto/wire/plain-numbers.ts'],
  ],
];

const NOT_CODE = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*|`(?:[^`\\]|\\[\s\S])*`/gm;
/** At the beginning of a line: what is neither a declaration nor the rest of one. */
const STATEMENT =
  /^(?!(?:import|export|const|let|type|interface|abstract|class|enum|declare|function|async)\b)[\w$(['"].*|^(?:export )?(?:const|let) [^=\n]*= await .*/gm;

/** The statements at the top level of a module that are no declarations, and declarations that wait. */
export const effectsIn = (text: string): string[] =>
  [...text.replace(NOT_CODE, (found) => found.replace(/[^\n]/g, ' ')).matchAll(STATEMENT)].map(([line]) => line.trim());

/** A feature may be deleted with its folder. */
const isThere = (file: string): boolean =>
  !file.startsWith('control-plane/features/') || existsSync(path.join(ROOT, file));

/** The files that act when they are imported, and permitted ones that do not, one line each. */
export function effectsOfImports(): string[] {
  const permitted = MAY_ACT.flatMap(([, files]) => files);
  const acting = ownSources()
    .filter((file) => !file.startsWith('scripts/'))
    .flatMap((file) => effectsIn(read(file)).map((line) => ({ file, line })));
  return [
    ...acting
      .filter(({ file }) => !permitted.includes(file))
      .map(({ file, line }) => `${file} acts when it is imported: ${line}`),
    ...permitted
      .filter((file) => isThere(file) && !acting.some((one) => one.file === file))
      .map((file) => `${file} may act when it is imported by scripts/check/imports/effects.ts, and does not`),
  ];
}
