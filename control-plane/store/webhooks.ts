/** Webhooks; their secrets go to deliveries alone. */
import { sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { WebhookEvent } from '../contract/words.ts';
import type { Tx } from './db.ts';
import { changedNow } from './versions.ts';

const columns = ['id', 'url', 'events', 'version', 'created_at as createdAt', 'updated_at as updatedAt'] as const;

export const listWebhooks = (tx: Tx, projectId: string, { page, per_page }: Paged) =>
  tx
    .selectFrom('webhooks')
    .where('project_id', '=', projectId)
    .select([...columns])
    .orderBy('url')
    .orderBy('id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countWebhooks = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('webhooks')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findWebhook = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([...columns])
    .executeTakeFirst();

export const lockWebhook = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'version'])
    .forUpdate()
    .executeTakeFirst();

export type NewWebhookRow = {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly secret: string;
};

/** False: the project has one with this URL. */
export const insertWebhook = async (tx: Tx, w: NewWebhookRow): Promise<boolean> =>
  (await tx
    .insertInto('webhooks')
    .values({ id: w.id, project_id: w.projectId, url: w.url, events: w.events, secret: w.secret })
    .onConflict((c) => c.columns(['project_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export type WebhookColumns = {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly secret?: string | undefined;
};

export const updateWebhook = (tx: Tx, id: string, { url, events, secret }: WebhookColumns): Promise<unknown> =>
  tx
    .updateTable('webhooks')
    .set({
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(secret !== undefined && { secret }),
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();

export const deleteWebhook = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('webhooks').where('id', '=', id).execute();
