/** Passes an announcement to all interested receivers: a delivery for each webhook, and what features add. */

import { secondsAfter } from '../../domain/seconds-after.ts';
import { RETRY_SECONDS } from '../../domain/webhook.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { insertDeliveries } from '../../store/notify/announcements.ts';

export const spread = (ports: Ports, announcementId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const at = ports.now();
    const retryUntil = secondsAfter(at, RETRY_SECONDS);
    for (const delivery of await insertDeliveries(tx, announcementId, at, retryUntil)) {
      await enqueueDelivery(ports, tx, { ...delivery, attempt: 1 });
    }
    for (const hooks of ports.hooks) await hooks.spread?.(ports, tx, announcementId, retryUntil);
  });

type Next = {
  readonly id: string;
  readonly organizationId: string;
  /** The last attempt failed, or its result is unknown. */
  readonly isDoubtful: boolean;
  readonly attempt: number;
  readonly at?: Date;
};

/**
 * Deliveries of an organization are in two groups: receivers that hang delay each other first, then the other receivers
 * of their organization.
 */
export const enqueueDelivery = (
  ports: Ports,
  tx: Tx,
  { id, organizationId, isDoubtful, attempt, at }: Next,
): Promise<void> =>
  ports.jobs.enqueue(
    tx,
    'webhook.deliver',
    { deliveryId: id, attempt },
    { group: isDoubtful ? `${organizationId} doubtful` : organizationId, ...(at && { startAfter: at }) },
  );
