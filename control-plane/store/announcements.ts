/** What is to be told. */
import type { Announcement } from '../contract/announcement.ts';
import type { Tx } from './db.ts';

export const insertAnnouncement = (tx: Tx, id: string, a: Announcement): Promise<unknown> =>
  tx
    .insertInto('announcements')
    .values({
      id,
      organization_id: a.organizationId,
      project_id: a.projectId,
      kind: a.kind,
      body: JSON.stringify(a.data),
      at: a.at,
    })
    .execute();
