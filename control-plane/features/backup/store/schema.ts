/**
 * The contents of a database, from its catalogue: the tables of schema public, their partitions, sequences and foreign
 * keys.
 */
import pg from 'pg';

/** Partitions are listed with their table. The migrator's own tables are not part of a backup: restoring migrates. */
export type Table = { readonly name: string; readonly columns: readonly string[] };
export type Partition = { readonly name: string; readonly parent: string; readonly bounds: string };
export type Sequence = { readonly name: string; readonly value: string };
export type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string };

const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not like 'kysely\\_migration%'
  group by c.relname order by c.relname`;

const PARTITIONS = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r' order by c.relname`;

const SEQUENCES = `
  select sequencename as name, last_value::text as value from pg_sequences
  where schemaname = 'public' and last_value is not null order by 1`;

const FOREIGN_KEYS = `
  select t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0 order by 1, 2`;

const rowsOf = async <T>(client: pg.Client, sql: string): Promise<T[]> => (await client.query(sql)).rows as T[];

export const tablesOf = (client: pg.Client): Promise<Table[]> => rowsOf(client, TABLES);
export const partitionsOf = (client: pg.Client): Promise<Partition[]> => rowsOf(client, PARTITIONS);
export const sequencesOf = (client: pg.Client): Promise<Sequence[]> => rowsOf(client, SEQUENCES);
export const foreignKeysOf = (client: pg.Client): Promise<ForeignKey[]> => rowsOf(client, FOREIGN_KEYS);

export const quoted = (name: string): string => pg.escapeIdentifier(name);
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ');
