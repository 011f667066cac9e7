/** The numbered .sql files of this version, of the core and of all features. */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folders of the core and of each feature. Their numbers are one sequence. */
const FOLDERS = 'control-plane/{store/migrations,features/*/store}';
const ROOT = path.resolve(import.meta.dirname, '../..');

/** The first migration of databases and backups from before the present baseline. */
export const BEFORE_BASELINE = '0001-first-run';
/** The reason why such a database or backup is refused, and what to do. */
export const TOO_OLD =
  'was made by a Carillon older than the first release, whose migrations this one no longer has. Begin with an empty database: ' +
  'write the old tests and probes to a file (`carillon export`) with the Carillon that made it, and apply it to the new installation ' +
  '(`carillon apply`).';

export type MigrationFile = { readonly name: string; readonly sha256: string; readonly text: string };

/** The migrations of this version, in order. */
export async function migrationFiles(): Promise<MigrationFile[]> {
  const read = globSync(`${FOLDERS}/*.sql`, { cwd: ROOT }).map(async (file): Promise<MigrationFile> => {
    const text = await readFile(path.join(ROOT, file), 'utf8');
    return { name: path.parse(file).name, sha256: createHash('sha256').update(text).digest('hex'), text };
  });
  return (await Promise.all(read)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
