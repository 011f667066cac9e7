/** Names of objects by their ids, for the audit log. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Objects of projects: their table, and what people know them by. Of the address of a webhook the host: the rest may be a secret. */
const OF_PROJECTS = [
  ['tests', sql`t.name`],
  ['registrars', sql`t.name`],
  ['probes', sql`t.name`],
  ['media_files', sql`t.name`],
  ['webhooks', sql`split_part(t.url, '/', 3)`],
  ['test_runs', sql`t.test_name`],
] as const;

/** The names of the objects of this organization that exist, by id. */
export async function namesOf(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const among = sql`any (${sql.val([...new Set(ids)])}::uuid[])`;
  const ofProjects = OF_PROJECTS.map(
    ([table, name]) => sql`
      select t.id, ${name} as name from ${sql.table(table)} t join projects p on p.id = t.project_id
      where p.organization_id = ${organizationId}::uuid and t.id = ${among}`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from projects where organization_id = ${organizationId}::uuid and id = ${among}
    union all ${sql.join(ofProjects, sql` union all `)}
    union all select a.id, a.username from sip_accounts a join registrars r on r.id = a.registrar_id
      join projects p on p.id = r.project_id where p.organization_id = ${organizationId}::uuid and a.id = ${among}
    union all select id, name from workers where organization_id = ${organizationId}::uuid and id = ${among}
    union all select id, name from api_keys where organization_id = ${organizationId}::uuid and id = ${among}
    union all select id, email from invitations where organization_id = ${organizationId}::uuid and id = ${among}
    union all select u.id, u.name from users u join memberships m on m.user_id = u.id
      where m.organization_id = ${organizationId}::uuid and u.id = ${among}`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
