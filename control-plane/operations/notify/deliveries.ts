/** A webhook's deliveries, and their repetition. */
import type { Output } from '../../contract/catalogue.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { RETRY_SECONDS } from '../../domain/webhook.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { insertAnnouncement } from '../../store/notify/announcements.ts';
import {
  attemptsOf,
  countDeliveries,
  findDelivery,
  hasPendingTest,
  insertDelivery,
  listDeliveries,
  lockDelivery,
  reopenDelivery,
} from '../../store/notify/deliveries.ts';
import { findWebhook } from '../../store/notify/webhooks.ts';
import { changing, conflict } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { enqueueDelivery } from './spread.ts';
import { lockedWebhook } from './webhooks.ts';

type Row = Omit<Awaited<ReturnType<typeof listDeliveries>>[number], 'place'>;

const view = ({ id, event, status, attempts, createdAt, nextAttemptAt, error }: Row): Output<'testWebhook'> => ({
  id,
  event,
  status,
  attempts,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  error,
});

const webhookOf = async (tx: Tx, projectId: string, id: string) =>
  known('webhook', id, await byId(id, () => findWebhook(tx, projectId, id)));

const found = async (tx: Tx, webhookId: string, id: string) =>
  known('delivery', id, await byId(id, () => findDelivery(tx, webhookId, id)));

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { id } = await webhookOf(db, input.projectId, input.webhookId);
  const total = await countDeliveries(db, id, input);
  const found = await listed(input, total, (w) => listDeliveries(db, id, input, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

export const getWebhookDelivery: Handler<'getWebhookDelivery'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { id } = await webhookOf(db, input.projectId, input.webhookId);
  const delivery = await found(db, id, input.deliveryId);
  const attempts = await attemptsOf(db, delivery.id);
  return {
    ...view(delivery),
    occurredAt: delivery.at.toISOString(),
    data: delivery.data,
    tries: attempts.map((one) => ({ ...one, at: one.at.toISOString() })),
  };
};

/** A test has to find that links are missing, before an incident does. */
const UNLINKED = ' Messages have no links: set CARILLON_PUBLIC_URL to the address of this installation.';

export const testWebhook = changing<'testWebhook'>(async ({ ports, actor }, tx, { projectId, webhookId }) => {
  const webhook = await lockedWebhook(tx, projectId, webhookId);
  if (await hasPendingTest(tx, webhook.id)) throw conflict('A test of this webhook is on its way; wait for its end.');
  const at = ports.now();
  const [announcementId, id] = [newId(), newId()];
  await insertAnnouncement(tx, announcementId, {
    kind: 'webhook.test',
    organizationId: actor.organizationId,
    projectId,
    at,
    data: {
      webhookId: webhook.id,
      message: `This is a test of Carillon.${ports.settings.publicUrl === null ? UNLINKED : ''}`,
    },
  });
  await insertDelivery(tx, { id, webhookId: webhook.id, announcementId, at, retryUntil: at });
  await enqueueDelivery(ports, tx, { id, organizationId: actor.organizationId, isDoubtful: true, attempt: 1 });
  return view(await found(tx, webhook.id, id));
});

export const resendWebhookDelivery = changing<'resendWebhookDelivery'>(
  async ({ ports, actor: { organizationId } }, tx, { projectId, webhookId, deliveryId }) => {
    const webhook = await lockedWebhook(tx, projectId, webhookId);
    const { id } = await found(tx, webhook.id, deliveryId);
    const { status, attempts, nextAttemptAt } = known('delivery', id, await lockDelivery(tx, id));
    const at = ports.now();
    if (status === 'PENDING' && nextAttemptAt !== null && nextAttemptAt <= at) {
      throw conflict('A try of this delivery is under way; wait for its end.');
    }
    await reopenDelivery(tx, id, at, secondsAfter(at, RETRY_SECONDS));
    // A delivery that waits for its next attempt is tried now; the delayed job finds the attempt done.
    await enqueueDelivery(ports, tx, { id, organizationId, isDoubtful: true, attempt: attempts + 1 });
    return view(await found(tx, webhook.id, id));
  },
);
