/** The audit log of every change by people and keys. */

import { CATALOGUE } from '../../catalogue.ts';
import { type Input, type OperationName, type Output, pathParameters } from '../../contract/catalogue.ts';
import { invalid } from '../../contract/errors.ts';
import type { AuditVia } from '../../contract/people/audit-log.ts';
import { kindOf, kindsIn, objectsIn } from '../../contract/people/audited-objects.ts';
import type { OperationRow } from '../../contract/row.ts';
import { csvOf } from '../../domain/csv.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { isUuid } from '../../store/new-id.ts';
import {
  type AuditQuery,
  countAuditEntries,
  insertAuditEntry,
  listAuditEntries as list,
} from '../../store/people/audit.ts';
import { userById } from '../../store/people/members.ts';
import { namesOf } from '../../store/people/object-names.ts';
import type { Actor } from '../request/actor.ts';
import { listed } from '../request/listed.ts';
import type { Handler } from '../request/perform.ts';

const ROWS = Object.entries(CATALOGUE) as [OperationName, OperationRow][];
const BY_NAME: ReadonlyMap<string, OperationRow> = new Map(ROWS);
const KINDS = kindsIn(ROWS.map(([, { path }]) => path));

/** The name of the object that a request is about to change or delete; undefined: it has none, or is a new one. */
export async function nameBefore(
  { database }: Ports,
  { organizationId }: Actor,
  { method, path }: OperationRow,
  input: object,
): Promise<string | undefined> {
  if (method === 'GET' || KINDS.has(path.split('/').at(-1) ?? '')) return undefined;
  const id = objectsIn(path, input as Record<string, unknown>, KINDS).at(-1)?.id;
  if (id === undefined || !isUuid(id)) return undefined;
  return (await namesOf(database.db, organizationId, [id])).get(id);
}

type Changed = {
  readonly name: OperationName;
  readonly row: OperationRow;
  readonly input: object;
  readonly answer: unknown;
  readonly nameBefore: string | undefined;
};

/** Changed objects are named by ids and name, without contents. */
export async function audit(ports: Ports, actor: Actor, address: string, changed: Changed): Promise<void> {
  const { name, row, input, answer } = changed;
  // The deletion of an organization deletes its log, and writes its own entry.
  if (row.method === 'GET' || name === 'deleteOrganization') return;
  const values = { name: changed.nameBefore, ...input, ...(answer as object) } as Record<string, unknown>;
  const names = [...pathParameters(row.path), 'id', 'name', 'email', 'role', 'plan'];
  const target = Object.fromEntries(
    names.flatMap((key) => (typeof values[key] === 'string' ? [[key, values[key] as string]] : [])),
  );
  const user = await userById(ports.database.db, actor.userId);
  await insertAuditEntry(ports.database.db, {
    organizationId: actor.organizationId,
    userId: actor.userId,
    actor: user?.name ?? '',
    via: actor.by,
    action: name,
    target,
    address,
    at: ports.now(),
  });
}

type Entry = Awaited<ReturnType<typeof list>>[number];
type Viewed = Output<'listAuditEntries'>;

/** Refusals of an operation are about what it is about. */
const rowOf = (action: string): OperationRow | undefined => BY_NAME.get(action.replace(/Refused$/, ''));

async function viewed(tx: Tx, organizationId: string, entries: readonly Omit<Entry, 'place'>[]): Promise<Viewed[]> {
  const objects = entries.map(({ action, target }) => {
    const row = rowOf(action);
    return row ? objectsIn(row.path, target, KINDS) : [];
  });
  const ids = objects.flat().flatMap(({ id }) => (isUuid(id) ? [id] : []));
  const names = await namesOf(tx, organizationId, ids);
  return entries.map((entry, n) => {
    const row = rowOf(entry.action);
    const own = objects[n] ?? [];
    const nameOf = (id: string, isLast: boolean) =>
      (isLast ? entry.target['name'] : undefined) ?? names.get(id) ?? null;
    return {
      ...entry,
      id: String(entry.id),
      via: entry.via as AuditVia,
      at: entry.at.toISOString(),
      kind: row ? kindOf(row.path, KINDS) : entry.via === 'AGENT' ? OF_AGENTS : null,
      objects: own.map((object, k) => ({ ...object, name: nameOf(object.id, k === own.length - 1) })),
    };
  });
}

/** What agents do is about workers. */
const OF_AGENTS = 'workers';

/** @throws ApiError VALIDATION_ERROR: no operation is about such a kind; neither an operation nor an entry is such an action */
async function queryOf(
  tx: Tx,
  organizationId: string,
  { actor, kind, action, from, to }: Input<'exportAuditEntries'>,
): Promise<AuditQuery> {
  const ofKind = ROWS.filter(([, row]) => kind === undefined || kindOf(row.path, KINDS) === kind).map(([name]) => name);
  if (ofKind.length === 0) throw invalid([{ path: ['kind'], message: `must be one of ${allKinds().join(', ')}` }]);
  if (
    action !== undefined &&
    !rowOf(action) &&
    (await countAuditEntries(tx, organizationId, { actions: [action] })) === 0
  )
    throw invalid([{ path: ['action'], message: 'is no operation, and no entry has it' }]);
  const among = kind === undefined ? undefined : ofKind.flatMap((name) => [name, `${name}Refused`]);
  return {
    actor,
    from,
    to,
    actions: action === undefined ? among : (among ?? [action]).filter((name) => name === action),
    orOfAgents: kind === OF_AGENTS && action === undefined,
  };
}

const allKinds = (): string[] => [...new Set(ROWS.map(([, { path }]) => kindOf(path, KINDS)))].sort();

export const listAuditEntries: Handler<'listAuditEntries'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const query = { ...(await queryOf(db, organizationId, input)), sort: input.sort };
  const total = await countAuditEntries(db, organizationId, query);
  const found = await listed(input, total, (w) => list(db, organizationId, query, w));
  return { ...found, rows: await viewed(db, organizationId, found.rows) };
};

/** New columns are appended, so that readers by position continue to work. */
const COLUMNS: readonly (readonly [name: string, of: (entry: Viewed) => string | null | undefined])[] = [
  ['at', (e) => e.at],
  ['actor', (e) => e.actor],
  ['via', (e) => e.via],
  ['action', (e) => e.action],
  ['kind', (e) => e.kind],
  ['objectId', (e) => e.objects.at(-1)?.id],
  ['objectName', (e) => e.objects.at(-1)?.name ?? e.target['name']],
  ['projectId', (e) => e.target['projectId']],
  ['projectName', (e) => e.objects.find(({ kind }) => kind === 'projects')?.name],
  ['email', (e) => e.target['email']],
  ['role', (e) => e.target['role']],
  ['reason', (e) => e.target['reason']],
  ['count', (e) => e.target['count']],
  ['address', (e) => e.address],
  ['plan', (e) => e.target['plan']],
];
/** The rows of a page. */
const EXPORTED = 500;

async function* lines(tx: Tx, organizationId: string, query: AuditQuery): AsyncGenerator<Buffer> {
  yield Buffer.from(csvOf(COLUMNS.map(([name]) => name)));
  for (let after: readonly string[] | null = null; ; ) {
    const slice = { offset: 0, limit: EXPORTED, backwards: false, after };
    const found: Entry[] = await list(tx, organizationId, { ...query, sort: '-at' }, slice);
    const rows = await viewed(
      tx,
      organizationId,
      found.map(({ place: _, ...entry }) => entry),
    );
    if (rows.length > 0) yield Buffer.from(rows.map((e) => csvOf(COLUMNS.map(([, of]) => of(e)))).join(''));
    if (rows.length < EXPORTED) return;
    after = found.at(-1)?.place ?? null;
  }
}

export const exportAuditEntries: Handler<'exportAuditEntries'> = async (
  { ports, actor: { organizationId } },
  input,
) => {
  const { db } = ports.database;
  const query = await queryOf(db, organizationId, input);
  return {
    fileName: `audit-log-${ports.now().toISOString().slice(0, 10)}.csv`,
    bytes: lines(db, organizationId, query),
  };
};
