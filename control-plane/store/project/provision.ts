/** A project and its contents: existing rows by slug, upserts, and removals by pruning. Each upsert returns the row's id. */
import { sql } from 'kysely';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { Tx } from '../db.ts';
import { type NewWebhookRow, urlHash, webhookColumns } from '../notify/webhooks.ts';
import { nextTickAfter, type ProbeRow, patienceAfter, probeColumns } from '../probe/probe-config.ts';
import { sealedAgain } from '../secrets/sealing.ts';
import { bumped } from '../versions.ts';
import type { NewProjectRow } from './projects.ts';
import { type RegistrarRow, registrarColumns } from './registrars.ts';
import { type SipAccountRow, sipAccountColumns } from './sip-accounts.ts';
import { type TestRow, testColumns } from './tests.ts';

export const projectBySlug = async (tx: Tx, organizationId: string, slug: string): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('projects')
      .where('organization_id', '=', organizationId)
      .where('slug', '=', slug)
      .select('id')
      .executeTakeFirst()
  )?.id;

/** The ids of a project's registrars or probes by their slugs. */
export const idsBySlug = async (
  tx: Tx,
  table: 'registrars' | 'probes',
  projectId: string,
): Promise<Map<string, string>> => {
  const rows = await tx.selectFrom(table).where('project_id', '=', projectId).select(['slug', 'id']).execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
};

/** The ids of a registrar's accounts by their user names. */
export const accountIdsOf = async (tx: Tx, registrarId: string): Promise<Map<string, string>> => {
  const query = tx.selectFrom('sip_accounts').where('registrar_id', '=', registrarId).select(['username', 'id']);
  return new Map((await query.execute()).map(({ username, id }) => [username, id]));
};

export const upsertProject = async (tx: Tx, p: NewProjectRow): Promise<string> => {
  const columns = { name: p.name, description: p.description };
  return (
    await tx
      .insertInto('projects')
      .values({ id: p.id, organization_id: p.organizationId, slug: p.slug, ...columns })
      .onConflict((c) =>
        c.columns(['organization_id', 'slug']).doUpdateSet({ ...columns, ...bumped('projects', columns) }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

export const upsertRegistrar = async (tx: Tx, r: RegistrarRow): Promise<string> => {
  const present = await tx
    .selectFrom('registrars')
    .where('project_id', '=', r.projectId)
    .where('slug', '=', r.slug)
    .select(['id', 'tls_key as key'])
    .executeTakeFirst();
  const { id } = present ?? r;
  const row = { table: 'registrars', id } as const;
  const key = r.tls?.key;
  const columns = { ...registrarColumns(r), tls_key: key ? sealedAgain(tx, row, key, present?.key ?? null) : null };
  return (
    await tx
      .insertInto('registrars')
      .values({ id, project_id: r.projectId, slug: r.slug, is_cloud: r.isCloud, ...columns })
      .onConflict((c) =>
        c.columns(['project_id', 'slug']).doUpdateSet({ ...columns, ...bumped('registrars', columns) }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

export const upsertSipAccount = async (
  tx: Tx,
  a: SipAccountRow & { readonly registrarId: string },
): Promise<string> => {
  const present = await tx
    .selectFrom('sip_accounts')
    .where('registrar_id', '=', a.registrarId)
    .where('username', '=', a.username)
    .select(['id', 'password', 'ha1'])
    .executeTakeFirst();
  const { id } = present ?? a;
  const columns = { ...sipAccountColumns(tx, id, a, present), username: a.username };
  return (
    await tx
      .insertInto('sip_accounts')
      .values({ id, registrar_id: a.registrarId, ...columns })
      .onConflict((c) => c.columns(['registrar_id', 'username']).doUpdateSet(columns))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

export const testConfigOf = async (tx: Tx, projectId: string, slug: string): Promise<TestConfig | null> =>
  (
    await tx
      .selectFrom('tests')
      .where('project_id', '=', projectId)
      .where('slug', '=', slug)
      .select('config')
      .executeTakeFirst()
  )?.config ?? null;

export const upsertTest = async (tx: Tx, t: TestRow): Promise<unknown> => {
  const columns = testColumns(t);
  return tx
    .insertInto('tests')
    .values({ id: t.id, project_id: t.projectId, slug: t.slug, ...columns })
    .onConflict((c) => c.columns(['project_id', 'slug']).doUpdateSet({ ...columns, ...bumped('tests', columns) }))
    .execute();
};

export const probeConfigOf = async (tx: Tx, projectId: string, slug: string): Promise<TestConfig | null> =>
  (
    await tx
      .selectFrom('probes')
      .where('project_id', '=', projectId)
      .where('slug', '=', slug)
      .select('config')
      .executeTakeFirst()
  )?.config ?? null;

export const upsertProbe = async (tx: Tx, p: ProbeRow, at: Date): Promise<string> => {
  const columns = probeColumns(p);
  return (
    await tx
      .insertInto('probes')
      .values({ id: p.id, project_id: p.projectId, slug: p.slug, ...columns })
      .onConflict((c) =>
        c.columns(['project_id', 'slug']).doUpdateSet({
          ...columns,
          ...bumped('probes', columns),
          next_tick_at: nextTickAfter(p),
          patience_at: patienceAfter(p, at),
          // A restart does not resume a probe that was paused by an incident.
          enabled: sql`excluded.enabled and probes.auto_paused_at is null`,
        }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
};

/** After a change, the previous secret continues to sign for a day, together with the new one. */
export const upsertWebhook = async (tx: Tx, w: NewWebhookRow, previousSecretUntil: Date): Promise<unknown> => {
  const present = await tx
    .selectFrom('webhooks')
    .where('project_id', '=', w.projectId)
    .where('url_hash', '=', urlHash(w.url))
    .select(['id', 'secret', 'whole_url as wholeUrl'])
    .executeTakeFirst();
  const { id } = present ?? w;
  const columns = webhookColumns(tx, { ...w, id }, present);
  const replaced = sql<boolean>`webhooks.secret <> excluded.secret`;
  return tx
    .insertInto('webhooks')
    .values({ id, project_id: w.projectId, url_hash: urlHash(w.url), ...columns })
    .onConflict((c) =>
      c.columns(['project_id', 'url_hash']).doUpdateSet({
        ...columns,
        previous_secret: sql`case when ${replaced} then webhooks.secret else webhooks.previous_secret end`,
        previous_secret_until: sql`case when ${replaced} then ${previousSecretUntil}::timestamptz else webhooks.previous_secret_until end`,
        ...bumped('webhooks', columns),
      }),
    )
    .execute();
};

/** Pruning deletes what belongs to `owner` and is not among `keep`. */
type Prunable = {
  api_keys: ['organization_id', 'name'];
  projects: ['organization_id', 'slug'];
  registrars: ['project_id', 'slug'];
  sip_accounts: ['registrar_id', 'username'];
  tests: ['project_id', 'slug'];
  probes: ['project_id', 'slug'];
  webhooks: ['project_id', 'url_hash'];
};
const OWNER_AND_KEY: { readonly [T in keyof Prunable]: Prunable[T] } = {
  api_keys: ['organization_id', 'name'],
  projects: ['organization_id', 'slug'],
  registrars: ['project_id', 'slug'],
  sip_accounts: ['registrar_id', 'username'],
  tests: ['project_id', 'slug'],
  probes: ['project_id', 'slug'],
  webhooks: ['project_id', 'url_hash'],
};

export async function prune(tx: Tx, table: keyof Prunable, ownerId: string, keep: readonly string[]): Promise<number> {
  const [owner, key] = OWNER_AND_KEY[table];
  const result = await sql`
    delete from ${sql.table(table)} where ${sql.ref(owner)} = ${ownerId}::uuid and ${sql.ref(key)} <> all (${keep as string[]}::text[])
  `.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
