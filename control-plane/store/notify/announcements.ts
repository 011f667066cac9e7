/** Announcements, and their receivers. */
import { sql } from 'kysely';
import type { Announcement } from '../../contract/notify/announcement.ts';
import type { Tx } from '../db.ts';

/**
 * True: a webhook receives the announcement. A run's steps, which are frequent and kept in its own history, are inserted
 * only then. A test event is for one webhook, and its maker delivers it.
 */
export const insertAnnouncement = async (tx: Tx, id: string, a: Announcement): Promise<boolean> =>
  (
    await sql<{ wanted: boolean }>`
      with w as (select exists (
          select from webhooks h join projects p on p.id = h.project_id
          where p.organization_id = ${a.organizationId}::uuid and p.deleted_at is null and h.enabled and ${a.kind}::text = any (h.events)
            and (${a.projectId}::uuid is null or p.id = ${a.projectId}::uuid)) as wanted)
      insert into announcements (id, organization_id, project_id, kind, body, at)
      select ${id}::uuid, ${a.organizationId}::uuid, ${a.projectId}::uuid, ${a.kind}::text, ${JSON.stringify(a.data)}::jsonb, ${a.at}::timestamptz
      from w where wanted or ${a.kind !== 'test_run.status_changed'}::boolean
      returning (select wanted from w)`.execute(tx)
  ).rows[0]?.wanted ?? false;

/**
 * Inserts deliveries to the matching webhooks of its project, or of all projects of its organization; returns the new
 * deliveries. isDoubtful: the webhook's last attempt failed.
 */
export const insertDeliveries = async (
  tx: Tx,
  announcementId: string,
  at: Date,
  retryUntil: Date,
): Promise<{ id: string; organizationId: string; isDoubtful: boolean }[]> =>
  (
    await sql<{ id: string; organizationId: string; isDoubtful: boolean }>`
      insert into webhook_deliveries (id, webhook_id, announcement_id, created_at, next_attempt_at, retry_until)
      select gen_random_uuid(), h.id, a.id, ${at}::timestamptz, ${at}::timestamptz, ${retryUntil}::timestamptz
      from announcements a
      join projects p on p.organization_id = a.organization_id and p.deleted_at is null and (a.project_id is null or p.id = a.project_id)
      join webhooks h on h.project_id = p.id and h.enabled and a.kind = any (h.events)
      where a.id = ${announcementId}::uuid
      on conflict (webhook_id, announcement_id) do nothing
      returning id, (select organization_id from announcements where id = announcement_id) as "organizationId",
        (select failing_since is not null from webhooks where id = webhook_id) as "isDoubtful"`.execute(tx)
  ).rows;

/** Deletes up to `rows` announcements from before that instant, with all their deliveries; false: none remained. */
export const deleteOldAnnouncements = async (tx: Tx, before: Date, rows: number): Promise<boolean> => {
  const old = tx.selectFrom('announcements').where('at', '<', before).select('id').orderBy('at').limit(rows);
  const { numDeletedRows } = await tx.deleteFrom('announcements').where('id', 'in', old).executeTakeFirst();
  return numDeletedRows > 0n;
};
