/** Announces an event by a row in the same transaction; it is delivered after the commit. */
import type { Announcement } from '../../contract/notify/announcement.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { insertAnnouncement } from '../../store/notify/announcements.ts';

export async function announce(ports: Ports, tx: Tx, announcement: Announcement): Promise<void> {
  const announcementId = newId();
  const isForWebhooks = await insertAnnouncement(tx, announcementId, announcement);
  const others = await Promise.all(ports.hooks.map(({ isWanted }) => isWanted?.(tx, announcement)));
  if (isForWebhooks || others.includes(true)) await ports.jobs.enqueue(tx, 'announcement.spread', { announcementId });
}
