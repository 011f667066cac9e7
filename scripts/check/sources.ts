/** The repository's sources. Each is listed and read once per check. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export { ROOT };

const texts = new Map<string, string>();

/** @param file the path from the root of the repository */
export function read(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** True: tests and their kits, which are not part of the product. */
export const isTest = (file: string): boolean =>
  /\.test\.ts$|(^|\/)testing\/|[/.]testing\.ts$|^control-plane\/features\/[^/]+\/e2e\//.test(file);

const all = once((): readonly string[] =>
  globSync('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen)$/.test(name),
  }).filter((file) => !/(^|\/)(node_modules|dist|gen)\//.test(file)),
);

/** All sources except generated ones. */
export const sources = once((): readonly string[] => all().filter((file) => !file.endsWith('.gen.ts')));

/** The sources without tests and their kits. Generated sources of the product are included. */
export const ownSources = once((): readonly string[] => all().filter((file) => !isTest(file)));

/** The pages: `README.md` of folders, and `docs/`. */
export const documents = once((): readonly string[] =>
  globSync('{*.md,{docs,proto,media,agent,control-plane,scripts}/**/*.md}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|data)$/.test(name),
  }).filter((file) => !/(^|\/)(node_modules|dist|data)\//.test(file)),
);
