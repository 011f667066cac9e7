/** Addresses by which anyone reads one run, for a time. */
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../../store/list-order.ts';

export const insertShareLink = (
  tx: Tx,
  link: {
    readonly id: string;
    readonly runId: string;
    readonly hash: Buffer;
    readonly createdBy: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<unknown> =>
  tx
    .insertInto('share_links')
    .values({
      id: link.id,
      run_id: link.runId,
      hash: link.hash,
      created_by: link.createdBy,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute();

const present = (tx: Tx, runId: string, now: Date) =>
  tx
    .selectFrom('share_links as l')
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .where('l.run_id', '=', runId)
    .where('l.expires_at', '>', now);

const columns = [
  'l.id',
  'u.name as createdBy',
  'l.created_at as createdAt',
  'l.expires_at as expiresAt',
  'l.views',
  'l.last_viewed_at as lastViewedAt',
] as const;

const SORTED_BY = { createdAt: ['l.created_at', 'instant'], expiresAt: ['l.expires_at', 'instant'] } as const;

export const listShareLinks = (tx: Tx, runId: string, now: Date, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(present(tx, runId, now).select([...columns]), orderOf(SORTED_BY, sort, ['l.id', 'id']), w).execute();

export const countShareLinks = async (tx: Tx, runId: string, now: Date): Promise<number> =>
  Number((await present(tx, runId, now).select(tx.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);

const ofProject = (tx: Tx, projectId: string, now: Date) =>
  tx
    .selectFrom('share_links as l')
    .innerJoin('test_runs as r', 'r.id', 'l.run_id')
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .where('r.project_id', '=', projectId)
    .where('l.expires_at', '>', now);

export const listProjectShareLinks = (tx: Tx, projectId: string, now: Date, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    ofProject(tx, projectId, now).select([
      ...columns,
      'r.id as runId',
      'r.test_name as testName',
      'r.submitted_at as submittedAt',
    ]),
    orderOf(SORTED_BY, sort, ['l.id', 'id']),
    w,
  ).execute();

export const countProjectShareLinks = async (tx: Tx, projectId: string, now: Date): Promise<number> =>
  Number((await ofProject(tx, projectId, now).select(tx.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);

export const countShareLinksOf = async (tx: Tx, organizationId: string, now: Date): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('share_links as l')
        .innerJoin('test_runs as r', 'r.id', 'l.run_id')
        .where('r.organization_id', '=', organizationId)
        .where('l.expires_at', '>', now)
        .select(tx.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** If two links are created at the same time, one is counted after the other. */
export const lockShareLinks = (tx: Tx, organizationId: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`share links ${organizationId}`}, 0))`.execute(tx);

export const shareLinkById = (tx: Tx, runId: string, id: string, now: Date) =>
  present(tx, runId, now)
    .where('l.id', '=', id)
    .select([...columns])
    .executeTakeFirst();

/** False: the run has no such link. */
export const deleteShareLink = async (tx: Tx, runId: string, id: string): Promise<boolean> =>
  (await tx.deleteFrom('share_links').where('run_id', '=', runId).where('id', '=', id).executeTakeFirst())
    .numDeletedRows > 0n;

/** Counts a view and returns the run of the link; undefined: the link is unknown or expired, or its project is deleted. */
export async function viewShared(tx: Tx, hash: Buffer, now: Date) {
  const { rows } = await sql<{ runId: string; projectId: string; organizationId: string; organizationName: string }>`
    update share_links l set views = views + 1, last_viewed_at = ${now}
    from test_runs r join projects p on p.id = r.project_id join organizations o on o.id = r.organization_id
    where l.hash = ${hash} and l.expires_at > ${now} and r.id = l.run_id and p.deleted_at is null
    returning r.id as "runId", r.project_id as "projectId", o.id as "organizationId", o.name as "organizationName"`.execute(
    tx,
  );
  return rows[0];
}

export const dropShareLinks = (tx: Tx, now: Date): Promise<unknown> =>
  tx.deleteFrom('share_links').where('expires_at', '<=', now).execute();
