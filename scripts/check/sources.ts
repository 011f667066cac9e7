/** The repository's sources. Each is listed and read once per check. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export { ROOT };

const texts = new Map<string, string>();

/** @param file from the top of the repository */
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

/** Tests and their kits: no product. */
export const isTest = (file: string): boolean => /\.test\.ts$|(^|\/)testing\//.test(file);

const all = once((): readonly string[] =>
  globSync('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen)$/.test(name),
  }).filter((file) => !/(^|\/)(node_modules|dist|gen)\//.test(file)),
);

/** All but generated ones. */
export const sources = once((): readonly string[] => all().filter((file) => !file.endsWith('.gen.ts')));

/** Without tests and their kits; generated ones of the product are included. */
export const ownSources = once((): readonly string[] => all().filter((file) => !isTest(file)));

/** Pages: `README.md` of folders, and `docs/`. */
export const documents = once((): readonly string[] =>
  globSync('{*.md,{docs,proto,media,agent,control-plane,scripts}/**/*.md}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|data)$/.test(name),
  }).filter((file) => !/(^|\/)(node_modules|dist|data)\//.test(file)),
);
