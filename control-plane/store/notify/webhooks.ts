/** Webhooks; only deliveries get their secrets. */
import { createHash } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import { shownUrl, type WebhookFormat } from '../../contract/notify/formats.ts';
import type { WebhookEvent } from '../../contract/notify/words.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { openIn, sealedAgain, sealIn } from '../secrets/sealing.ts';
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

const SORTED_BY = { url: ['url', 'text'], createdAt: ['created_at', 'instant'] } as const;

export const listWebhooks = (tx: Tx, projectId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    tx
      .selectFrom('webhooks')
      .where('project_id', '=', projectId)
      .select([...columns]),
    orderOf(SORTED_BY, sort),
    w,
  ).execute();

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

/** The secret of that version of a webhook; undefined: none. */
export const webhookSecret = async (tx: Tx, id: string, version: number): Promise<Secret | undefined> => {
  const found = await tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('version', '=', version)
    .select('secret')
    .executeTakeFirst();
  return found?.secret ? openIn(tx, rowOf(id), found.secret) : undefined;
};

const rowOf = (id: string) => ({ table: 'webhooks', id }) as const;

export const lockWebhook = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'version', 'format', 'events'])
    .forUpdate()
    .executeTakeFirst();

/** @throws SecretUnreadable */
export const webhookUrl = async (tx: Tx, id: string): Promise<string> => {
  const { url } = await tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .select('whole_url as url')
    .executeTakeFirstOrThrow();
  return openIn(tx, rowOf(id), url as Buffer).reveal();
};

/** The hash by which a project recognizes its webhook for an address. */
export const urlHash = (url: string): string => createHash('sha256').update(url).digest('hex');

export type NewWebhookRow = {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: readonly WebhookEvent[];
  readonly secret: Secret;
};

/** `present`: the row's current secrets. */
export const webhookColumns = (
  tx: Tx,
  { id, url, format, events, secret }: Omit<NewWebhookRow, 'projectId'>,
  present: { readonly secret: Buffer | null; readonly wholeUrl: Buffer | null } = { secret: null, wholeUrl: null },
) => ({
  format,
  events,
  url: shownUrl({ url, format }),
  whole_url: sealedAgain(tx, rowOf(id), new Secret(url), present.wholeUrl),
  secret: sealedAgain(tx, rowOf(id), secret, present.secret),
});

/** False: the project has one with this URL. */
export const insertWebhook = async (tx: Tx, w: NewWebhookRow): Promise<boolean> =>
  (await tx
    .insertInto('webhooks')
    .values({ id: w.id, project_id: w.projectId, url_hash: urlHash(w.url), ...webhookColumns(tx, w) })
    .onConflict((c) => c.columns(['project_id', 'url_hash']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export type WebhookColumns = {
  /** Both fields change together, because the format decides how much of an address is shown. */
  readonly address?: { readonly url: string; readonly format: WebhookFormat } | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  /** True: clears the reason for the disabling. */
  readonly enabled?: boolean | undefined;
  /** The previous secret signs until `previousUntil`; null: it is dropped with all earlier ones. */
  readonly secret?: { readonly value: Secret; readonly previousUntil: Date | null } | undefined;
};

const ENABLED = { enabled: true, disabled_at: null, disabled_reason: null, failing_since: null } as const;

export const updateWebhook = async (
  tx: Tx,
  id: string,
  { address, events, enabled, secret }: WebhookColumns,
  at: Date,
): Promise<void> => {
  await tx
    .updateTable('webhooks')
    .set({
      ...(address !== undefined && {
        format: address.format,
        url: shownUrl(address),
        url_hash: urlHash(address.url),
        whole_url: sealIn(tx, rowOf(id), new Secret(address.url)),
      }),
      ...(events !== undefined && { events }),
      ...(secret !== undefined && (await replacedSecret(tx, id, secret))),
      ...(enabled === true && ENABLED),
      ...(enabled === false && { enabled, disabled_at: at, disabled_reason: 'Somebody disabled it.' }),
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();
};

async function replacedSecret(tx: Tx, id: string, { value, previousUntil }: NonNullable<WebhookColumns['secret']>) {
  const { secret: present } = await tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .select('secret')
    .executeTakeFirstOrThrow();
  const secret = sealedAgain(tx, rowOf(id), value, present);
  if (previousUntil === null) return { secret, previous_secret: null, previous_secret_until: null };
  return secret === present ? {} : { secret, previous_secret: present, previous_secret_until: previousUntil };
}

/** Locks the webhook while an attempt is judged. */
export const lockWebhookHealth = (tx: Tx, id: string) =>
  tx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .select(['id', 'enabled', 'failing_since as failingSince'])
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Null: the last attempt arrived. */
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
