/** The audit log of every change by people and keys. */

import { type OperationName, pathParameters } from '../../contract/catalogue.ts';
import type { AuditVia } from '../../contract/people/account.ts';
import type { OperationRow } from '../../contract/row.ts';
import type { Ports } from '../../ports.ts';
import { countAuditEntries, insertAuditEntry, listAuditEntries as list } from '../../store/people/audit.ts';
import { userById } from '../../store/people/members.ts';
import type { Actor } from '../request/actor.ts';
import { listed } from '../request/listed.ts';
import type { Handler } from '../request/perform.ts';

/** Changed objects are named by ids and name, without contents. */
export async function audit(
  ports: Ports,
  actor: Actor,
  address: string,
  { name, row, input, answer }: { name: OperationName; row: OperationRow; input: object; answer: unknown },
): Promise<void> {
  // The deletion of an organization deletes its log, and writes its own entry.
  if (row.method === 'GET' || name === 'deleteOrganization') return;
  const values = { ...input, ...(answer as object) } as Record<string, unknown>;
  const names = [...pathParameters(row.path), 'id', 'name', 'email', 'role'];
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

export const listAuditEntries: Handler<'listAuditEntries'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const total = await countAuditEntries(db, organizationId);
  const found = await listed(input, total, (w) => list(db, organizationId, input.sort, w));
  const view = (e: (typeof found.rows)[number]) => ({
    ...e,
    id: String(e.id),
    via: e.via as AuditVia,
    at: e.at.toISOString(),
  });
  return { ...found, rows: found.rows.map(view) };
};
