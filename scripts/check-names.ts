/** Unique names: no exported type of the product is declared in two files. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownSources } from './check-arrows.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DECLARED = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) ([A-Z]\w*)/gm;

/** Permitted duplicates, with reasons. */
const ALLOWED: Readonly<Record<string, string>> = {
  Config: 'each program has one, and reads it in its root only',
  Log: 'what each program logs with: an agent knows no ports',
};

/** Type names with two declarations, one line each; and unnecessary exceptions. */
export function doubleNames(): string[] {
  const homes = new Map<string, string[]>();
  for (const file of ownSources().filter((file) => !file.startsWith('scripts/') && !file.endsWith('.gen.ts')))
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(DECLARED))
      homes.set(name, [...(homes.get(name) ?? []), file]);
  const double = [...homes].filter(([, files]) => files.length > 1);
  const needless = Object.keys(ALLOWED).filter((name) => !double.some(([found]) => found === name));
  return [
    ...double
      .filter(([name]) => !(name in ALLOWED))
      .map(([name, files]) => `${name} is declared in ${files.join(' and ')}`),
    ...needless.map((name) => `${name} may stand twice by check-names.ts, and does not`),
  ];
}

if (import.meta.main) {
  const found = doubleNames();
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
