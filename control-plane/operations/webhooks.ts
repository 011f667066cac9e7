/** Webhooks of a project. A secret is told once, to whoever made it. */
import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Output } from '../contract/catalogue.ts';
import type { Tx } from '../store/db.ts';
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks as list,
  lockWebhook,
  deleteWebhook as remove,
  updateWebhook as update,
} from '../store/webhooks.ts';
import { changing, conflict, creating, requireMatch, taken } from './change.ts';
import { byId, type Handler, known } from './perform.ts';

/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

type Row = Awaited<ReturnType<typeof list>>[number];

const view = (w: Row): Output<'getWebhook'> => ({
  ...w,
  createdAt: w.createdAt.toISOString(),
  updatedAt: w.updatedAt.toISOString(),
});

export const listWebhooks: Handler<'listWebhooks'> = async ({ ports }, input) => ({
  rows: (await list(ports.database.db, input.projectId, input)).map(view),
  total: await countWebhooks(ports.database.db, input.projectId),
});

const found = async (tx: Tx, projectId: string, id: string) =>
  view(known('webhook', id, await byId(id, () => findWebhook(tx, projectId, id))));

export const getWebhook: Handler<'getWebhook'> = ({ ports }, { projectId, webhookId }) =>
  found(ports.database.db, projectId, webhookId);

const urlTaken = (url: string | undefined) => `The project has a webhook for ${url} already; change that one.`;

export const createWebhook = creating('createWebhook', async (_context, tx, { projectId, url, events, secret }) => {
  const webhook = { id: uuid(), projectId, url, events, secret: secret ?? newSecret() };
  if (!(await insertWebhook(tx, webhook))) throw conflict(urlTaken(url));
  return { ...(await found(tx, projectId, webhook.id)), secret: webhook.secret };
});

const locked = async (tx: Tx, projectId: string, id: string) =>
  known('webhook', id, await byId(id, () => lockWebhook(tx, projectId, id)));

export const updateWebhook = changing<'updateWebhook'>(async (context, tx, { projectId, webhookId, ...change }) => {
  const { id, version } = await locked(tx, projectId, webhookId);
  requireMatch(context, version);
  await update(tx, id, change).catch(taken(urlTaken(change.url)));
  return found(tx, projectId, id);
});

export const deleteWebhook = changing<'deleteWebhook'>(async (context, tx, { projectId, webhookId }) => {
  const { id, version } = await locked(tx, projectId, webhookId);
  requireMatch(context, version);
  await remove(tx, id);
  return { id, deleted: true };
});
