/** Deliveries of webhooks and their attempts. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import type { DeliveryStatus } from '../../contract/notify/words.ts';
import type { Tx } from '../db.ts';
import { inOrder, orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { openIn } from '../secrets/sealing.ts';

/** Everything that an attempt needs. The webhook's secrets are opened when they are needed: `open` throws SecretUnreadable. */
export const deliveryToSend = async (tx: Tx, id: string) => {
  const found = await tx
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .innerJoin('announcements as a', 'a.id', 'd.announcement_id')
    .innerJoin('projects as p', 'p.id', 'w.project_id')
    .where('d.id', '=', id)
    .select([
      'd.id',
      'd.webhook_id as webhookId',
      'd.status',
      'd.attempts',
      'w.whole_url as wholeUrl',
      'w.format',
      'w.enabled',
      'w.secret',
      'w.previous_secret as previousSecret',
      'w.previous_secret_until as previousSecretUntil',
      'p.id as projectId',
      'p.name as projectName',
      'p.organization_id as organizationId',
      'a.kind',
      'a.body as data',
      'a.at',
    ])
    .executeTakeFirst();
  if (!found) return undefined;
  const { secret, previousSecret, wholeUrl, ...rest } = found;
  const opened = (sealed: Buffer | null) => sealed && openIn(tx, { table: 'webhooks', id: rest.webhookId }, sealed);
  return {
    ...rest,
    open: () => ({
      url: opened(wholeUrl) as Secret,
      secret: opened(secret) as Secret,
      previousSecret: opened(previousSecret),
    }),
  };
};

export const lockDelivery = (tx: Tx, id: string) =>
  tx
    .selectFrom('webhook_deliveries')
    .where('id', '=', id)
    .select([
      'id',
      'status',
      'attempts',
      'round_attempts as roundAttempts',
      'next_attempt_at as nextAttemptAt',
      'retry_until as retryUntil',
    ])
    .forUpdate()
    .executeTakeFirst();

export type Attempt = {
  readonly deliveryId: string;
  readonly number: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
};

export const insertAttempt = (tx: Tx, a: Attempt): Promise<unknown> =>
  tx
    .insertInto('webhook_attempts')
    .values({
      delivery_id: a.deliveryId,
      number: a.number,
      at: a.at,
      duration_ms: a.durationMs,
      status: a.status,
      error: a.error,
      answer: a.answer,
    })
    .execute();

export type DeliveryState = {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly roundAttempts: number;
  readonly nextAttemptAt: Date | null;
  readonly error: string | null;
};

export const setDelivery = (tx: Tx, id: string, s: DeliveryState): Promise<unknown> =>
  tx
    .updateTable('webhook_deliveries')
    .set({
      status: s.status,
      attempts: s.attempts,
      round_attempts: s.roundAttempts,
      next_attempt_at: s.nextAttemptAt,
      error: s.error,
    })
    .where('id', '=', id)
    .execute();

/** Fails deliveries whose last attempt was due before that instant, and was never made or never recorded. */
export const failLostDeliveries = (tx: Tx, before: Date): Promise<unknown> =>
  tx
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', next_attempt_at: null, error: 'Its time is over, and its last try is not known.' })
    .where('status', '=', 'PENDING')
    .where('retry_until', '<', before)
    .execute();

/** True if a test of the webhook waits or is in progress. */
export const hasPendingTest = async (tx: Tx, webhookId: string): Promise<boolean> =>
  (await tx
    .selectFrom('webhook_deliveries as d')
    .innerJoin('announcements as a', 'a.id', 'd.announcement_id')
    .where('d.webhook_id', '=', webhookId)
    .where('d.status', '=', 'PENDING')
    .where('a.kind', '=', 'webhook.test')
    .select('d.id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Starts a new round of attempts. */
export const reopenDelivery = (tx: Tx, id: string, at: Date, retryUntil: Date): Promise<unknown> =>
  tx
    .updateTable('webhook_deliveries')
    .set({ status: 'PENDING', round_attempts: 0, next_attempt_at: at, retry_until: retryUntil, error: null })
    .where('id', '=', id)
    .execute();

/** Inserts a delivery of an announcement to one webhook, regardless of its selection. */
export const insertDelivery = (
  tx: Tx,
  d: { id: string; webhookId: string; announcementId: string; at: Date; retryUntil: Date },
): Promise<unknown> =>
  tx
    .insertInto('webhook_deliveries')
    .values({
      id: d.id,
      webhook_id: d.webhookId,
      announcement_id: d.announcementId,
      created_at: d.at,
      next_attempt_at: d.at,
      retry_until: d.retryUntil,
    })
    .execute();

const deliveries = (tx: Tx, webhookId: string) =>
  tx
    .selectFrom('webhook_deliveries as d')
    .innerJoin('announcements as a', 'a.id', 'd.announcement_id')
    .where('d.webhook_id', '=', webhookId)
    .select([
      'd.id',
      'a.kind as event',
      'd.status',
      'd.attempts',
      'd.created_at as createdAt',
      'd.next_attempt_at as nextAttemptAt',
      'd.error',
    ]);

export type DeliveryFilter = { readonly status?: DeliveryStatus | undefined };

const SORTED_BY = { createdAt: ['d.created_at', 'instant'] } as const;

export const listDeliveries = (
  tx: Tx,
  webhookId: string,
  { status }: DeliveryFilter,
  sort: SortOf<typeof SORTED_BY>,
  w: Slice,
) => {
  const order = orderOf(SORTED_BY, sort, ['d.id', 'id']);
  const some = tx
    .selectFrom('webhook_deliveries as d')
    .where('d.webhook_id', '=', webhookId)
    .$if(status !== undefined, (q) => q.where('d.status', '=', status as DeliveryStatus))
    .select('d.id');
  const shown = deliveries(tx, webhookId)
    .innerJoin(sliced(some, order, w).as('k'), 'k.id', 'd.id')
    .select('k.place');
  return inOrder(shown, order, w).execute();
};

export const countDeliveries = async (tx: Tx, webhookId: string, { status }: DeliveryFilter): Promise<number> =>
  (
    await tx
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '=', webhookId)
      .$if(status !== undefined, (q) => q.where('status', '=', status as DeliveryStatus))
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findDelivery = (tx: Tx, webhookId: string, id: string) =>
  deliveries(tx, webhookId).where('d.id', '=', id).select(['a.at', 'a.body as data']).executeTakeFirst();

export const attemptsOf = (tx: Tx, deliveryId: string) =>
  tx
    .selectFrom('webhook_attempts')
    .where('delivery_id', '=', deliveryId)
    .select(['number', 'at', 'duration_ms as durationMs', 'status', 'error', 'answer'])
    .orderBy('number')
    .execute();
