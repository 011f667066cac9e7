/** Where an installation reports to. */
import * as z from 'zod';
import { Id, Timestamp, Version } from './envelope.ts';
import { WebhookEvents, WebhookSecret, WebhookUrl } from './fields.ts';
import { WEBHOOK_EVENTS } from './words.ts';

export const Webhook = z
  .object({
    id: Id,
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'Its secret is told once, by the answer that created it.' });

export const CreatedWebhook = Webhook.extend({
  secret: z.string().describe('signs deliveries (Standard Webhooks); it is not told again'),
}).meta({ id: 'CreatedWebhook' });

export const NewWebhook = {
  url: WebhookUrl,
  events: WebhookEvents,
  secret: WebhookSecret.optional().describe('absent: one is made, whsec_ and 32 bytes in base64'),
};
export const WebhookChange = {
  url: WebhookUrl.optional(),
  events: WebhookEvents.optional(),
  secret: WebhookSecret.optional(),
};
