/** The description that a backup contains, checked before any of it becomes part of a statement. */
import pg from 'pg';
import * as z from 'zod';
import type { About } from './backup.ts';
import type { Partition, Sequence, Table } from './schema.ts';

/** The names of tables, columns and partitions, as the migrations write them. */
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const AboutFile = z.strictObject({
  format: z.number(),
  createdAt: z.iso.datetime(),
  carillon: z.string().max(100),
  postgres: z.string().max(100),
  migrations: z.array(z.strictObject({ name: z.string().regex(/^[\w-]{1,200}$/), sha256: z.string() })),
  tables: z.array(z.strictObject({ name: Name, columns: z.array(Name).min(1) })),
  partitions: z.array(z.strictObject({ name: Name, parent: Name, bounds: z.string().max(200) })),
  openRuns: z.number(),
  workers: z.number(),
});

const SequencesFile = z.array(z.strictObject({ name: Name, value: z.string().regex(/^-?\d{1,19}$/) }));

const wrong = (file: string, error: z.ZodError): Error => {
  const [issue] = error.issues;
  return new Error(
    `${file} is not a backup of Carillon: ${issue?.path.join('.')}: ${issue?.message}. Nothing was restored.`,
  );
};

/** @throws Error */
export function readAbout(value: unknown, file: string): About {
  const format = (value as { format?: unknown } | undefined)?.format;
  if (typeof format === 'number' && format !== 1)
    throw new Error(`${file} has a format that this Carillon does not know. Restore it with a newer one.`);
  const { success, data, error } = AboutFile.safeParse(value);
  if (!success) throw wrong(file, error);
  return data as About;
}

/** @throws Error */
export function readSequences(value: unknown, file: string): Sequence[] {
  const { success, data, error } = SequencesFile.safeParse(value);
  if (!success) throw wrong(file, error);
  return data;
}

const RANGE = /^for values from \('([^']*)'\) to \('([^']*)'\)$/i;
const INSTANT = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The bounds of a partition: two instants, quoted. @throws Error that names the partition */
export function boundsOf({ name, bounds }: Partition, file: string): string {
  const [, from = '', to = ''] = RANGE.exec(bounds) ?? [];
  if (!INSTANT.test(from) || !INSTANT.test(to))
    throw new Error(`${file} has a partition ${name} whose bounds are not two instants. Nothing was restored.`);
  return `for values from (${pg.escapeLiteral(from)}) to (${pg.escapeLiteral(to)})`;
}

/** Requires that the migrations made every table and column. @throws Error that names the first other one */
export function expectTables(about: About, present: readonly Table[], file: string): void {
  const known = new Map(present.map((table) => [table.name, new Set(table.columns)]));
  const foreign = [
    ...about.tables.flatMap(({ name, columns }) =>
      columns.filter((one) => !known.get(name)?.has(one)).map((one) => `${name}.${one}`),
    ),
    ...about.partitions.map(({ parent }) => parent).filter((parent) => !known.has(parent)),
  ];
  if (foreign.length > 0)
    throw new Error(`${file} has rows of what its migrations do not make: ${foreign[0]}. Nothing was restored.`);
}
