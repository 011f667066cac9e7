/** Webhooks; their secrets go only to deliveries. */
import { Secret } from '@carillon/proto/secret.ts';
import { sql } from 'kysely';
import type { Paged } from '../../contract/envelope.ts';
import type { WebhookEvent, WebhookFormat } from '../../contract/words.ts';
import type { Tx } from '../db.ts';
import { changedNow } from '../versions.ts';

const columns = [
  'id',
  'url',
  'format',
  'events',
  'enabled',
  'disabled_at as disabledAt',
  'disabled_reason as disabledReason',
  'failing_since as failingSince',
  'previous_secret_until as previousSecretUntil',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

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

/** Of that version, or of none. */
export const webhookSecret = async (tx: Tx, id: string, version: number): Promise<Secret | undefined> => {
  const found = await tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('version', '=', version)
    .select('secret')
    .executeTakeFirst();
  return found && new Secret(found.secret);
};

export const lockWebhook = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'version', 'url', 'format', 'events'])
    .forUpdate()
    .executeTakeFirst();

export type NewWebhookRow = {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: readonly WebhookEvent[];
  readonly secret: Secret;
};

export const tellingColumns = ({ format, events, secret }: Pick<NewWebhookRow, 'format' | 'events' | 'secret'>) => ({
  format,
  events,
  secret: secret.reveal(),
});

/** False: the project has one with this URL. */
export const insertWebhook = async (tx: Tx, w: NewWebhookRow): Promise<boolean> =>
  (await tx
    .insertInto('webhooks')
    .values({ id: w.id, project_id: w.projectId, url: w.url, ...tellingColumns(w) })
    .onConflict((c) => c.columns(['project_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export type WebhookColumns = {
  readonly url?: string | undefined;
  readonly format?: WebhookFormat | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  /** true: whatever disabled it is forgotten. */
  readonly enabled?: boolean | undefined;
  /** The one before signs on until `previousUntil`; null: it, and what was before, is forgotten. */
  readonly secret?: { readonly value: Secret; readonly previousUntil: Date | null } | undefined;
};

const ENABLED = { enabled: true, disabled_at: null, disabled_reason: null, failing_since: null } as const;

export const updateWebhook = (
  tx: Tx,
  id: string,
  { url, format, events, enabled, secret }: WebhookColumns,
  at: Date,
): Promise<unknown> =>
  tx
    .updateTable('webhooks')
    .set({
      ...(url !== undefined && { url }),
      ...(format !== undefined && { format }),
      ...(events !== undefined && { events }),
      ...(secret !== undefined && {
        secret: secret.value.reveal(),
        ...(secret.previousUntil === null && { previous_secret: null, previous_secret_until: null }),
      }),
      ...(secret?.previousUntil && {
        previous_secret: sql`case when secret <> ${secret.value.reveal()} then secret else previous_secret end`,
        previous_secret_until: sql`case when secret <> ${secret.value.reveal()} then ${secret.previousUntil}::timestamptz else previous_secret_until end`,
      }),
      ...(enabled === true && ENABLED),
      ...(enabled === false && { enabled, disabled_at: at, disabled_reason: 'Somebody disabled it.' }),
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();

/** Locked while a try is judged. */
export const lockWebhookHealth = (tx: Tx, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .select(['id', 'enabled', 'failing_since as failingSince'])
    .forNoKeyUpdate()
    .executeTakeFirst();

/** null: the last try arrived. */
export const setFailingSince = (tx: Tx, id: string, failingSince: Date | null): Promise<unknown> =>
  tx.updateTable('webhooks').set({ failing_since: failingSince }).where('id', '=', id).execute();

export const disableWebhook = (tx: Tx, id: string, at: Date, reason: string): Promise<unknown> =>
  tx
    .updateTable('webhooks')
    .set({ enabled: false, disabled_at: at, disabled_reason: reason, ...changedNow() })
    .where('id', '=', id)
    .execute();

export const deleteWebhook = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('webhooks').where('id', '=', id).execute();
