/** The events that are announced, and the states of their deliveries. */

export const WEBHOOK_EVENTS = [
  'test_run.status_changed',
  'probe.status_changed',
  'incident.opened',
  'incident.escalated',
  'incident.resolved',
  'worker.status_changed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const INCIDENT_EVENTS: readonly WebhookEvent[] = ['incident.opened', 'incident.escalated', 'incident.resolved'];

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
