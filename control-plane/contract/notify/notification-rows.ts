/** The rows of the catalogue about notifications: webhook deliveries. */
import * as z from 'zod';
import { Page } from '../envelope.ts';
import { cursorOf } from '../query.ts';
import type { OperationRow } from '../row.ts';
import { Delivery, DeliveryDetail, DeliveryFilter, RotatedWebhook, SecretRotation } from './webhook.ts';

const projectId = z.string().describe('project id');
const webhookId = z.string().describe('webhook id');
const deliveryId = z.string().describe('delivery id');

const single = { answers: 'single', extension: true } as const;
const done = { ...single, method: 'POST', status: 201 } as const;
const webhook = '/projects/{projectId}/webhooks/{webhookId}';

export const NOTIFICATIONS = {
  rotateWebhookSecret: {
    ...done,
    proof: true,
    versioned: true,
    path: `${webhook}/rotate-secret`,
    summary: 'Replace the secret of a webhook; deliveries are also signed with the previous one for 24 h',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId, ...SecretRotation }),
    output: RotatedWebhook,
  },
  testWebhook: {
    ...done,
    path: `${webhook}/test`,
    summary: 'Send a test delivery to a webhook: one attempt, also while it is disabled',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId }),
    output: Delivery,
  },
  listWebhookDeliveries: {
    method: 'GET',
    answers: 'list',
    status: 200,
    extension: true,
    path: `${webhook}/deliveries`,
    summary: 'Deliveries of a webhook, last first',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId, ...Page, ...DeliveryFilter, ...cursorOf(['-createdAt', 'createdAt']) }),
    output: Delivery,
  },
  getWebhookDelivery: {
    ...single,
    method: 'GET',
    status: 200,
    path: `${webhook}/deliveries/{deliveryId}`,
    summary: 'One delivery with its attempts',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId, deliveryId }),
    output: DeliveryDetail,
  },
  resendWebhookDelivery: {
    ...done,
    path: `${webhook}/deliveries/{deliveryId}/resend`,
    summary: 'Send a delivery again, with the same webhook-id, and try it for another 24 h',
    role: 'ADMIN',
    input: z.object({ projectId, webhookId, deliveryId }),
    output: Delivery,
  },
} as const satisfies Record<string, OperationRow>;
