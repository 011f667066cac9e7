/** The packages in package-lock.json: the package of a file, its version, and its license. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export type Package = {
  /** `ws@8.23.0` */
  readonly ref: string;
  readonly name: string;
  readonly version: string;
  /** The license as an SPDX expression. */
  readonly license: string;
  /** The subresource integrity, as npm checks it. */
  readonly integrity: string;
  /** The path from the root of the repository. */
  readonly folder: string;
};

type Entry = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
};

const { packages: entries } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};

function packageIn(folder: string): Package | null {
  const entry = entries[folder];
  if (!entry?.version || entry.link) return null;
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const license = entry.license ?? FOUND_IN_README[name] ?? 'NOASSERTION';
  return {
    ref: `${name}@${entry.version}`,
    name,
    version: entry.version,
    license,
    integrity: entry.integrity ?? '',
    folder,
  };
}

/** The licenses of packages whose manifest names none. They are from the packages' files. */
const FOUND_IN_README: Readonly<Record<string, string>> = { only: 'MIT' };

/** The package of a file in node_modules, both relative to the root; null for our own files. */
export function packageOf(file: string): Package | null {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
  return folder === undefined ? null : packageIn(folder);
}

/** @throws Error if the lock file has no such package */
export function packageNamed(name: string): Package {
  const found = packageIn(`node_modules/${name}`);
  if (!found) throw new Error(`package-lock.json has no ${name}`);
  return found;
}

/** Every package, by its `name@version`. */
export const allPackages = (): ReadonlyMap<string, Package> =>
  new Map(
    Object.keys(entries)
      .flatMap((folder) => packageIn(folder) ?? [])
      .map((one) => [one.ref, one]),
  );

/**
 * The license text of a package: its license files, or the section of its README; '': the package is not installed here, or has
 * none.
 */
export function licenseText({ folder }: Package): string {
  // If a package exists for each architecture, only this host's is installed, and the text is the same.
  const other = folder.replace(/(?<=-)(x64|arm64)$/, (one) => (one === 'x64' ? 'arm64' : 'x64'));
  const at = path.join(ROOT, existsSync(path.join(ROOT, folder)) ? folder : other);
  const read = (name: string): string => readFileSync(path.join(at, name), 'utf8').trim();
  const names = existsSync(at) ? readdirSync(at).sort() : [];
  const files = names.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  if (files.length > 0) return files.map(read).join('\n\n');
  const readme = names.find((name) => /^readme/i.test(name));
  return (readme && /^#+ *licen[cs]e[^\n]*\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(read(readme))?.[1]?.trim()) || '';
}
