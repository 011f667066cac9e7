/** Webhooks, their secrets, and each delivery with its attempts. */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { WebhookEvents, WebhookUrl } from '../fields.ts';
import { ANNOUNCEMENT_KINDS } from './announcement.ts';
import { formatsWith } from './formats.ts';
import { WebhookFormat, WebhookSecret } from './webhook-fields.ts';
import { DELIVERY_STATUSES, WEBHOOK_EVENTS } from './words.ts';

const SECRET_URLS = formatsWith('hasSecretUrl').join(' and ');
const ShownUrl = z.string();

export const Webhook = z
  .object({
    id: Id,
    url: SECRET_URLS === '' ? ShownUrl : ShownUrl.describe(`of ${SECRET_URLS} without the path, which is a secret`),
    format: WebhookFormat,
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    enabled: z.boolean(),
    disabledAt: Timestamp.nullable(),
    disabledReason: z.string().nullable(),
    failingSince: Timestamp.nullable().describe('null: the last attempt arrived'),
    previousSecretUntil: Timestamp.nullable().describe(
      'until then deliveries are also signed with the previous secret',
    ),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'Its secret is returned once, by the request that created it.' });

const SECRET = 'signs deliveries (Standard Webhooks); it is not returned again';
export const CreatedWebhook = Webhook.extend({
  secret: z
    .string()
    .nullable()
    .describe(`${SECRET}, but to a repetition with its Idempotency-Key; null there once the webhook was changed`),
}).meta({ id: 'CreatedWebhook' });
export const RotatedWebhook = Webhook.extend({ secret: z.string().describe(SECRET) }).meta({ id: 'RotatedWebhook' });

export const NewWebhook = {
  url: WebhookUrl,
  format: WebhookFormat.default('STANDARD'),
  events: WebhookEvents,
  secret: WebhookSecret.optional().describe('absent: one is created, whsec_ and 32 bytes in base64'),
};
export const WebhookChange = {
  url: WebhookUrl.optional(),
  format: WebhookFormat.optional(),
  events: WebhookEvents.optional(),
  enabled: z.boolean().optional().describe('true: enables it again and clears the reason'),
  secret: WebhookSecret.optional().describe('the previous one is also used for 24 h'),
};
export const SecretRotation = {
  secret: WebhookSecret.optional().describe('absent: one is created; the previous one is also used for 24 h'),
};

export const Delivery = z
  .object({
    id: Id.describe('the webhook-id, the same in every attempt'),
    event: z.enum(ANNOUNCEMENT_KINDS),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    createdAt: Timestamp,
    nextAttemptAt: Timestamp.nullable(),
    error: z.string().nullable().describe('why the last attempt did not arrive'),
  })
  .meta({ id: 'WebhookDelivery' });

export const DeliveryDetail = Delivery.extend({
  occurredAt: Timestamp,
  data: z.record(z.string(), z.unknown()).describe('data of the event'),
  tries: z.array(
    z.object({
      number: z.int(),
      at: Timestamp,
      durationMs: z.number(),
      status: z.int().nullable().describe('null: no response; error has the reason'),
      error: z.string().nullable(),
      answer: z.string().nullable().describe('first bytes of the response, untrusted text'),
    }),
  ),
}).meta({ id: 'WebhookDeliveryDetail' });

export const DeliveryFilter = { status: z.enum(DELIVERY_STATUSES).optional() };
