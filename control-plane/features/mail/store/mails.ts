/** Recipients of mail about a project's incidents, and sent mails. */
import { sql } from 'kysely';
import type { Announcement, AnnouncementKind } from '../../../contract/notify/announcement.ts';
import { type DeliveryStatus, INCIDENT_EVENTS } from '../../../contract/notify/words.ts';
import type { Tx } from '../../../store/db.ts';

const MAILED: readonly AnnouncementKind[] = INCIDENT_EVENTS;

/** True: the project of the announcement has recipients of mail about it. */
export const isMailed = async (tx: Tx, { kind, projectId }: Announcement): Promise<boolean> =>
  MAILED.includes(kind) && projectId !== null && ((await mailSettings(tx, projectId))?.recipients ?? []).length > 0;

export const mailSettings = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('mail_settings')
    .where('project_id', '=', projectId)
    .select(['recipients', 'version'])
    .executeTakeFirst();

export const putMailSettings = (tx: Tx, projectId: string, recipients: readonly string[]): Promise<unknown> =>
  tx
    .insertInto('mail_settings')
    .values({ project_id: projectId, recipients: [...recipients] })
    .onConflict((c) =>
      c.column('project_id').doUpdateSet({
        recipients: [...recipients],
        version: sql`mail_settings.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute();

export const lastMails = (tx: Tx, projectId: string, most: number) =>
  tx
    .selectFrom('mails as m')
    .innerJoin('announcements as a', 'a.id', 'm.announcement_id')
    .where('m.project_id', '=', projectId)
    .select(['m.recipient', 'a.kind as event', 'm.status', 'm.attempts', 'm.error', 'm.created_at as createdAt'])
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(most)
    .execute();

/** Everything that an attempt needs. */
export const mailToSend = (tx: Tx, id: string) =>
  tx
    .selectFrom('mails as m')
    .innerJoin('announcements as a', 'a.id', 'm.announcement_id')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .where('m.id', '=', id)
    .select([
      'm.id',
      'm.status',
      'm.attempts',
      'm.recipient',
      'm.retry_until as retryUntil',
      'p.id as projectId',
      'p.name as projectName',
      'p.organization_id as organizationId',
      'a.kind',
      'a.body as data',
      'a.at',
    ])
    .executeTakeFirst();

/** Fails mails whose last attempt was due before that instant, and was never made or never recorded. */
export const failLostMails = (tx: Tx, before: Date): Promise<unknown> =>
  tx
    .updateTable('mails')
    .set({ status: 'FAILED', error: 'Its time is over, and its last try is not known.' })
    .where('status', '=', 'PENDING')
    .where('retry_until', '<', before)
    .execute();

/** False: another process has made this attempt. */
export const setMail = async (
  tx: Tx,
  id: string,
  attempts: number,
  s: { readonly status: DeliveryStatus; readonly error: string | null },
): Promise<boolean> =>
  (await tx
    .updateTable('mails')
    .set({ status: s.status, attempts, error: s.error })
    .where('id', '=', id)
    .where('attempts', '=', attempts - 1)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Inserts mails to the mail recipients of its project; returns the new mails. */
export const insertMails = async (
  tx: Tx,
  announcementId: string,
  at: Date,
  retryUntil: Date,
): Promise<{ id: string }[]> =>
  (
    await sql<{ id: string }>`
      insert into mails (id, announcement_id, project_id, recipient, created_at, retry_until)
      select gen_random_uuid(), a.id, a.project_id, r, ${at}::timestamptz, ${retryUntil}::timestamptz
      from announcements a join mail_settings m on m.project_id = a.project_id, unnest(m.recipients) r
      where a.id = ${announcementId}::uuid and a.kind = any (${[...MAILED]}::text[])
      on conflict (announcement_id, recipient) do nothing
      returning id`.execute(tx)
  ).rows;
