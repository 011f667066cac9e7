/**
 * Rules for names: no exported type is declared in two files, no local type name has many meanings, and every type, constant,
 * function, class or file has a name that says what it is.
 */
import path from 'node:path';
import { isTest, read, sources } from '../sources.ts';

const DECLARED = /^(export )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) ([A-Z]\w*)/gm;
const TOP_LEVEL =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:type|interface|class|enum|const|let|function\*?) ([\w$]+)/gm;

/** The permitted duplicates, with reasons. */
const ALLOWED: Readonly<Record<string, string>> = {
  Config: 'each program has one, and reads it in its root only',
  Log: 'what each program logs with: an agent knows no ports',
  Outcome: "a call's, and a test file's",
};

/** More files of the core than this may not declare a type of the same name. Each feature has names of its own. */
const MAX_FILES = 3;

/** Local names that are allowed in many files: idioms, and objects of the API as one file needs them. */
const IDIOMS: ReadonlySet<string> = new Set([
  ...['Props', 'Row', 'Parts', 'Entry', 'Step', 'Path', 'Ids', 'Search', 'Batch', 'V1', 'AgentFrame'],
  ...['Check', 'Columns', 'Facts', 'Fault'],
  ...['Address', 'Arrival', 'Endpoint', 'Group', 'Incident', 'Probe', 'Registrar', 'Run', 'Test', 'Track'],
  ...['Decoded', 'Worker'],
]);

/** Participles and other words that fit any type. A type is named after what it is. */
const VAGUE: ReadonlySet<string> = new Set([
  ...['Asked', 'Told', 'Said', 'Found', 'Given', 'Named', 'Written', 'Kept', 'Waiting'],
  ...['Place', 'Way', 'Whose', 'In', 'Out', 'House', 'Farewell', 'Goodbye'],
]);

/** Words that no name at the top level of a file, and no file name, may contain, because they only describe what was done. */
const VAGUE_WORDS: ReadonlySet<string> = new Set([
  ...['told', 'untold', 'said', 'unsaid', 'say', 'says', 'asked', 'unasked', 'became', 'came', 'took'],
  ...['who', 'whose', 'whom', 'house', 'liar', 'liars', 'heed', 'heeds'],
]);
/** A limit is called `MAX_…` or `MIN_…`: one word each. */
const OTHER_LIMIT = /^(?:MOST|LEAST|LONGEST|SHORTEST|LARGEST|GREATEST|SMALLEST)(?:_|$)/;
/** `readTold`, `READ_TOLD` and `read-told.ts` -> read, told. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
const isVague = (name: string): boolean => wordsOf(name).some((word) => VAGUE_WORDS.has(word));

/** The names at the top level of files, and names of files, with a word that does not say what they are; limits of another name. */
const vagueNames = (): string[] =>
  sources().flatMap((file) => {
    const names = [...read(file).matchAll(TOP_LEVEL)].map(([, name = '']) => name);
    return [
      ...[path.basename(file), ...names].filter(isVague).map((name) => `${name} in ${file} does not say what it is`),
      ...names.filter((name) => OTHER_LIMIT.test(name)).map((name) => `${name} in ${file}: a limit is MAX_… or MIN_…`),
    ];
  });

/** Private members have one form, `#name`, which holds at run time, too. */
const privateMembers = (): string[] =>
  sources().flatMap((file) =>
    [...read(file).matchAll(/^ +private (?!constructor).*/gm)].map(
      ([line]) => `${file}: \`${line.trim()}\` is not private at run time`,
    ),
  );

/** The names that have to change, one line each; and unnecessary exceptions. */
export function doubleNames(): string[] {
  const exported = new Map<string, string[]>();
  const all = new Map<string, string[]>();
  for (const file of sources())
    for (const [, isExported, name = ''] of read(file).matchAll(DECLARED)) {
      if (!isTest(file) && !/^(scripts|control-plane\/features)\//.test(file))
        all.set(name, [...(all.get(name) ?? []), file]);
      if (isExported) exported.set(name, [...(exported.get(name) ?? []), file]);
    }
  const double = [...exported].filter(([, files]) => files.length > 1);
  const frequent = [...all].filter(([, files]) => files.length > MAX_FILES);
  return [
    ...vagueNames(),
    ...privateMembers(),
    ...double
      .filter(([name]) => !(name in ALLOWED))
      .map(([name, files]) => `${name} is declared in ${files.join(' and ')}`),
    ...frequent
      .filter(([name]) => !IDIOMS.has(name))
      .map(([name, files]) => `${name} is a type of ${files.length} files: ${files.join(', ')}`),
    ...[...all]
      .filter(([name]) => VAGUE.has(name))
      .map(([name, files]) => `${name} says nothing of what the type is: ${files.join(', ')}`),
    ...Object.keys(ALLOWED)
      .filter((name) => !double.some(([found]) => found === name))
      .map((name) => `${name} may be declared twice by scripts/check/code/names.ts, and is not`),
    ...[...IDIOMS]
      .filter((name) => !frequent.some(([found]) => found === name))
      .map((name) => `${name} may be declared in many files by scripts/check/code/names.ts, and is not`),
  ];
}

if (import.meta.main) {
  const found = doubleNames();
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
