/** Webhooks of a project. A secret is shown once, to its creator. */

import { randomBytes } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { takesEvent, traitsOf, type WebhookFormat } from '../../contract/notify/formats.ts';
import { INCIDENT_EVENTS, type WebhookEvent } from '../../contract/notify/words.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { PREVIOUS_SECRET_SECONDS } from '../../domain/webhook.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks as list,
  lockWebhook,
  deleteWebhook as remove,
  updateWebhook as update,
  webhookSecret,
  webhookUrl,
} from '../../store/notify/webhooks.ts';
import { changing, conflict, creating, requireMatch, taken, type Work } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';

/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;
const newSecret = (): Secret => new Secret(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`);

type Row = Omit<Awaited<ReturnType<typeof list>>[number], 'place'>;

const view = (w: Row): Output<'getWebhook'> => ({
  ...w,
  disabledAt: w.disabledAt?.toISOString() ?? null,
  failingSince: w.failingSince?.toISOString() ?? null,
  previousSecretUntil: w.previousSecretUntil?.toISOString() ?? null,
  createdAt: w.createdAt.toISOString(),
  updatedAt: w.updatedAt.toISOString(),
});

export const listWebhooks: Handler<'listWebhooks'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort } = input;
  const found = await listed(input, await countWebhooks(db, projectId), (w) => list(db, projectId, sort, w));
  return { ...found, rows: found.rows.map(view) };
};

const found = async (tx: Tx, projectId: string, id: string) =>
  view(known('webhook', id, await byId(id, () => findWebhook(tx, projectId, id))));

export const getWebhook: Handler<'getWebhook'> = ({ ports }, { projectId, webhookId }) =>
  found(ports.database.db, projectId, webhookId);

const MAX_WEBHOOKS = 100;
const URL_TAKEN = 'The project has a webhook for this address already; change that one.';

/** `url` null: the address stays as it is. */
type Shape = { readonly url: string | null; readonly format: WebhookFormat; readonly events: readonly WebhookEvent[] };

/** @throws ApiError VALIDATION_ERROR */
function requireSendable({ courier }: Ports, { url, format, events }: Shape): void {
  const refused = url === null ? null : courier.refusal(url);
  if (refused !== null) throw invalid('url', refused);
  const foreign = events.find((event) => !takesEvent(format, event));
  if (foreign !== undefined) {
    throw invalid('events', `${format} receives incidents only (${INCIDENT_EVENTS.join(', ')}), not ${foreign}`);
  }
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${path}: ${message}`, [{ path, message }]);

/** @throws ApiError VALIDATION_ERROR: the format needs a key, which cannot be made up here */
function requireKey(format: WebhookFormat, secret: Secret | undefined): void {
  const { key } = traitsOf(format);
  if (key && secret === undefined) throw invalid('secret', `${format} needs the ${key.name} of ${key.of}`);
}

type Created = Output<'createWebhook'>;

const createOne: Work<'createWebhook'> = async ({ ports }, tx, { projectId, secret, ...shape }) => {
  // Nothing is locked: simultaneous creations may exceed the limit slightly.
  if ((await countWebhooks(tx, projectId)) >= MAX_WEBHOOKS) {
    throw invalid('projectId', `the project has ${MAX_WEBHOOKS} webhooks, which is the most; delete one first`);
  }
  requireSendable(ports, shape);
  requireKey(shape.format, secret);
  const webhook = { id: newId(), projectId, ...shape, secret: secret ?? newSecret() };
  if (!(await insertWebhook(tx, webhook))) throw conflict(URL_TAKEN);
  return { ...(await found(tx, projectId, webhook.id)), secret: webhook.secret.reveal() };
};

/** The secret is only in its own row: a repetition reads it there, unless the webhook was changed in the meantime. */
export const createWebhook = creating('createWebhook', createOne, {
  without: (answer): Created => ({ ...answer, secret: null }),
  again: async (tx, kept): Promise<Created> => ({
    ...kept,
    secret: (await webhookSecret(tx, kept.id, kept.version))?.reveal() ?? null,
  }),
});

export const lockedWebhook = async (tx: Tx, projectId: string, id: string) =>
  known('webhook', id, await byId(id, () => lockWebhook(tx, projectId, id)));

/** The secret as it is stored: the previous one also signs for a day. */
const replacing = (ports: Ports, value: Secret, isKept = true) => ({
  value,
  previousUntil: isKept ? secondsAfter(ports.now(), PREVIOUS_SECRET_SECONDS) : null,
});

/**
 * A key is sent as it is, and secrets must not be sent to a new destination: the format with a key whose webhook changes so; undefined:
 * none.
 */
const changedKey = async (
  tx: Tx,
  id: string,
  present: WebhookFormat,
  address: { readonly url: string; readonly format: WebhookFormat } | undefined,
): Promise<WebhookFormat | undefined> => {
  if (address === undefined) return undefined;
  const { url, format } = address;
  const keyed = [present, format].find((one) => traitsOf(one).key);
  return present !== format || (keyed && (await webhookUrl(tx, id)) !== url) ? keyed : undefined;
};

export const updateWebhook = changing<'updateWebhook'>(
  async (context, tx, { projectId, webhookId, secret, ...change }) => {
    const { ports } = context;
    const { id, version, ...present } = await lockedWebhook(tx, projectId, webhookId);
    requireMatch(context, version);
    const { url, format = present.format, events = present.events, enabled } = change;
    const address =
      url === undefined && format === present.format ? undefined : { url: url ?? (await webhookUrl(tx, id)), format };
    requireSendable(ports, { ...(address ?? { url: null, format }), events });
    const keyed = await changedKey(tx, id, present.format, address);
    if (keyed !== undefined && secret === undefined) {
      throw invalid(
        'secret',
        `to or from ${keyed}, and with its url, a secret goes along: the present one is not sent there`,
      );
    }
    const replaced = secret === undefined ? {} : { secret: replacing(ports, secret, keyed === undefined) };
    const changed = { address, events: change.events, enabled, ...replaced };
    await update(tx, id, changed, ports.now()).catch(taken(URL_TAKEN));
    return found(tx, projectId, id);
  },
);

export const rotateWebhookSecret = changing<'rotateWebhookSecret'>(
  async ({ ports }, tx, { projectId, webhookId, secret: given }) => {
    const { id, format } = await lockedWebhook(tx, projectId, webhookId);
    requireKey(format, given);
    const secret = given ?? newSecret();
    await update(tx, id, { secret: replacing(ports, secret) }, ports.now());
    return { ...(await found(tx, projectId, id)), secret: secret.reveal() };
  },
);

export const deleteWebhook = changing<'deleteWebhook'>(async (context, tx, { projectId, webhookId }) => {
  const { id, version } = await lockedWebhook(tx, projectId, webhookId);
  requireMatch(context, version);
  await remove(tx, id);
  return { id, deleted: true };
});
