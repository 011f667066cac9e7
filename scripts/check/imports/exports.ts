/**
 * Every export must be imported elsewhere. What the product exports must be used by more than tests: by another file, or in its
 * own. Types may be used in a signature only. `import *` and `import(…)` count for all exports. A file has few of them.
 */

import { isTest, ownSources, read, sources } from '../sources.ts';
import { targetOf } from './arrows.ts';

const DECLARED = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm;
const LISTED = /^export \{([^}]*)\}/gm;
const TAKEN = /^(?:import|export)\s+([^'";]*?)\s*from\s*'([^']+)'/gm;
const TAKEN_WHOLE = /\bimport\(\s*'([^']+)'\s*\)/g;

/** `a, type b as c` -> a and b, or under their new names. */
const named = (list: string, end: 0 | -1): string[] =>
  list
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => one.split(/\s+as\s+/).at(end) ?? '');

/** Tests of the dashboard, and proofs, find these (scripts/e2e/dashboard/of-features.ts, scripts/measure/sections.ts). */
const FOUND = /^control-plane\/features\/[^/]+\/e2e\/(dashboard|prove|prove-[a-z-]+)\.ts$/;

const MAX_VALUES = 12;
/** Why a file may have more exported values: what they have in common. Types, re-exports, tests and scripts do not count. */
const CROWDED: readonly (readonly [string, readonly string[]])[] = [
  [
    'the schemas of one body, which only make sense together',
    [
      'control-plane/contract/fields.ts',
      'control-plane/contract/people/account.ts',
      'control-plane/contract/run/run.ts',
      'control-plane/contract/test-settings/scenario.ts',
      'control-plane/contract/test-settings/stream-fields.ts',
    ],
  ],
  [
    'the statements about one thing that is stored',
    [
      'control-plane/store/agents/workers.ts',
      'control-plane/store/notify/webhooks.ts',
      'control-plane/store/people/members.ts',
      'control-plane/store/people/sessions.ts',
      'control-plane/store/probe/probe-config.ts',
      'control-plane/store/project/registrars.ts',
    ],
  ],
  [
    'one structure in shared memory or on the wire, and functions in place of methods, as nothing is allocated per packet',
    [
      'agent/rtp/figures/stream-memory.ts',
      'media/quality/histogram.ts',
      'media/rtp/absence.ts',
      'media/rtp/receive-columns.ts',
      'proto/wire/frame.ts',
      'proto/load/load-step.ts',
    ],
  ],
  ['one function for each token of the grammar', ['agent/sip/message/scan.ts']],
  [
    'one function for each unit, and one value for each icon',
    ['control-plane/dashboard/show/basics/figures.ts', 'control-plane/dashboard/show/basics/icons.tsx'],
  ],
];

/** The files with too many exported values, and exceptions that none needs any more, one line each. */
export function crowdedFiles(): string[] {
  const excepted = new Set(CROWDED.flatMap(([, files]) => files));
  return ownSources()
    .filter((file) => !file.startsWith('scripts/'))
    .flatMap((file) => {
      const values = [...read(file).matchAll(DECLARED)].length;
      if (values > MAX_VALUES === excepted.has(file)) return [];
      if (values <= MAX_VALUES)
        return [`${file} is an exception of CROWDED (scripts/check/imports/exports.ts), and needs none`];
      return [`${file} exports ${values} values, over ${MAX_VALUES}: split it by what they are for`];
    });
}

/** The unused exported values, one line each. */
export function deadExports(): string[] {
  const texts = sources().map((file) => {
    return { file, text: read(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm, '') };
  });
  const taken = new Set(texts.flatMap(({ file, text }) => takenBy(file, text)));
  const own = new Set(texts.filter(({ file }) => !isTest(file)).flatMap(({ file, text }) => takenBy(file, text)));
  return texts
    .filter(({ file }) => !taken.has(file) && !FOUND.test(file))
    .flatMap(({ file, text }) =>
      exportsOf(text).flatMap((name) => {
        if (!taken.has(`${file} ${name}`)) return [`${file} exports ${name}, which nothing imports`];
        const isUsed =
          /^scripts\//.test(file) ||
          isTest(file) ||
          own.has(file) ||
          own.has(`${file} ${name}`) ||
          mentions(text, name) > 1;
        return isUsed ? [] : [`${file} exports ${name}, which only tests use`];
      }),
    );
}

const mentions = (text: string, name: string): number => text.split(/[^\w$]+/).filter((word) => word === name).length;

/** `proto/codes.ts nameOf`; only the file if everything is imported. */
function takenBy(file: string, text: string): string[] {
  const whole = [...text.matchAll(TAKEN_WHOLE)].map(([, from = '']) => fileOf(file, from));
  const parts = [...text.matchAll(TAKEN)].flatMap(([, what = '', from = '']) => {
    const target = fileOf(file, from);
    if (what.includes('*')) return [target];
    return named(/\{([^}]*)\}/.exec(what)?.[1] ?? '', 0).map((name) => `${target} ${name}`);
  });
  return [...whole, ...parts];
}

function exportsOf(text: string): string[] {
  const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => name);
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = '']) => named(list, -1));
  return [...declared, ...listed].filter((name) => name !== 'default');
}

function fileOf(file: string, specifier: string): string {
  const target = targetOf(file, specifier) ?? specifier;
  return target === 'proto' ? 'proto/index.ts' : target;
}

if (import.meta.main) {
  const dead = deadExports();
  for (const line of dead) console.error(line);
  process.exitCode = dead.length > 0 ? 1 : 0;
}
