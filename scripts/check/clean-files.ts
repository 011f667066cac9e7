/**
 * Files in which a check found nothing are not read by it again, until their content or the check itself changes. This is only
 * for checks whose findings in a file depend on that file only, or that get all files if one has changed.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Stored = { readonly basis: string; readonly files: Readonly<Record<string, string>> };

export type CleanOptions = {
  /** The folder of the stored hashes. */
  readonly folder: string;
  /** The contents that determine what the check finds: its own code, its configuration, the lock file. */
  readonly basis: readonly string[];
  readonly files: readonly string[];
  readonly read: (file: string) => string;
};

const hashOf = (text: string): string => hash('sha256', text, 'base64url');

/** @param find what the check finds in files that have changed since it found nothing; it is not called without any */
export async function findInChanged(
  name: string,
  { folder, basis, files, read }: CleanOptions,
  find: (changed: readonly string[]) => string[] | Promise<string[]>,
): Promise<string[]> {
  const stored = storedIn(path.join(folder, `clean-${name}.json`));
  const now: Stored = {
    basis: hashOf(basis.map(hashOf).join()),
    files: Object.fromEntries(files.map((file) => [file, hashOf(read(file))])),
  };
  const clean = stored?.basis === now.basis ? stored.files : {};
  const changed = files.filter((file) => clean[file] !== now.files[file]);
  const isLess = Object.keys(clean).some((file) => !(file in now.files));
  if (changed.length === 0 && !isLess) return [];
  const found = await find(changed);
  if (found.length === 0) store(folder, name, now);
  return found;
}

function storedIn(file: string): Stored | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The hashes are missing or incomplete, so everything is checked.
    return null;
  }
}

/** Replaces the file by renaming: a check that runs at the same time reads a complete old or new version. */
function store(folder: string, name: string, now: Stored): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `clean-${name}.json`);
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(now));
  renameSync(unfinished, file);
}
