/**
 * One attempt of a delivery: it is sent, kept in its log, and judged. A process that dies between the two sends it
 * again, with the same webhook-id.
 */
import type { Telling } from '../../contract/notify/announcement.ts';
import type { WebhookFormat } from '../../contract/notify/formats.ts';
import { type BodyOf, messageFor, standardBody } from '../../domain/messages/message.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { type AttemptResult, FAILING_SECONDS, judgeAttempt } from '../../domain/webhook.ts';
import type { Ports, Posted } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { deliveryToSend, insertAttempt, lockDelivery, setDelivery } from '../../store/notify/deliveries.ts';
import { disableWebhook, lockWebhookHealth, setFailingSince } from '../../store/notify/webhooks.ts';
import { SecretUnreadable } from '../../store/secrets/sealing.ts';
import { enqueueDelivery } from './spread.ts';

type Sendable = NonNullable<Awaited<ReturnType<typeof deliveryToSend>>>;

const isTest = (d: Sendable): boolean => d.kind === 'webhook.test';

export async function deliver(ports: Ports, deliveryId: string, attempt: number): Promise<void> {
  const d = await deliveryToSend(ports.database.db, deliveryId);
  if (d?.status !== 'PENDING' || d.attempts !== attempt - 1) return;
  const at = ports.now();
  const posted = d.enabled || isTest(d) ? await send(ports, d, at) : null;
  await ports.database.transaction((tx) => record(ports, tx, d, { attempt, at, posted }));
}

/** Undefined: the format is that of a feature that is gone. */
const bodyOfFormat = ({ hooks }: Ports, format: WebhookFormat): BodyOf | undefined =>
  format === 'STANDARD'
    ? standardBody
    : hooks.find(({ webhookBodies }) => webhookBodies?.[format])?.webhookBodies?.[format];

const unsent = (error: string): Posted => ({
  durationMs: 0,
  status: null,
  error,
  answer: null,
  retryAfterSeconds: null,
});

async function send(ports: Ports, d: Sendable, at: Date): Promise<Posted> {
  const bodyOf = bodyOfFormat(ports, d.format);
  if (!bodyOf) return unsent(`This installation has no messages in the format ${d.format}.`);
  const isSigning = d.previousSecretUntil !== null && d.previousSecretUntil > at;
  try {
    const { url, secret, previousSecret } = d.open();
    const receiver = { format: d.format, bodyOf, secret, previousSecret: isSigning ? previousSecret : null };
    const { headers, body } = messageFor(receiver, d as Telling, d.id, at, ports.settings.publicUrl);
    return await ports.courier.post({ url: url.reveal(), headers, body });
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return unsent(error.message);
  }
}

/** `posted` null: it was not attempted, because its webhook is disabled. */
type Attempt = { readonly attempt: number; readonly at: Date; readonly posted: Posted | null };

async function record(ports: Ports, tx: Tx, d: Sendable, { attempt, at, posted }: Attempt): Promise<void> {
  const webhook = await lockWebhookHealth(tx, d.webhookId);
  const delivery = await lockDelivery(tx, d.id);
  if (!webhook || delivery?.status !== 'PENDING' || delivery.attempts !== attempt - 1) return;
  if (posted === null) {
    const error = 'The webhook is disabled. Enable it, then send this again.';
    await setDelivery(tx, d.id, { ...delivery, status: 'FAILED', nextAttemptAt: null, error });
    return;
  }
  const { durationMs, status, error, answer } = posted;
  await insertAttempt(tx, { deliveryId: d.id, number: attempt, at, durationMs, status, error, answer });
  const roundAttempts = delivery.roundAttempts + 1;
  const round = { attempt: roundAttempts, retryUntil: delivery.retryUntil, once: isTest(d) };
  const result = judgeAttempt(posted, round, ports.now());
  await setDelivery(tx, d.id, {
    status: result.is === 'AGAIN' ? 'PENDING' : result.is,
    attempts: attempt,
    roundAttempts,
    nextAttemptAt: result.is === 'AGAIN' ? result.at : null,
    error: result.is === 'DELIVERED' ? null : result.error,
  });
  if (result.is === 'AGAIN') {
    const { id, organizationId } = d;
    await enqueueDelivery(ports, tx, { id, organizationId, isDoubtful: true, attempt: attempt + 1, at: result.at });
  }
  if (!isTest(d)) await judgeWebhook(ports, tx, webhook, result);
  ports.log.debug({ webhookId: d.webhookId, deliveryId: d.id, attempt, status, error }, 'webhook tried');
}

type Health = NonNullable<Awaited<ReturnType<typeof lockWebhookHealth>>>;

/** Disables a webhook that refuses events, or has failed for days. */
async function judgeWebhook(ports: Ports, tx: Tx, webhook: Health, result: AttemptResult): Promise<void> {
  if (!webhook.enabled) return;
  const at = ports.now();
  if (result.is === 'DELIVERED') {
    if (webhook.failingSince !== null) await setFailingSince(tx, webhook.id, null);
    return;
  }
  const isGone = result.is === 'FAILED' && result.gone;
  const since = webhook.failingSince ?? at;
  if (isGone || secondsAfter(since, FAILING_SECONDS) <= at) {
    const reason = isGone ? result.error : `Nothing has arrived since ${since.toISOString()}. Last: ${result.error}`;
    await disableWebhook(tx, webhook.id, at, reason);
    ports.log.warn({ webhookId: webhook.id, reason }, 'webhook disabled');
  } else if (webhook.failingSince === null) await setFailingSince(tx, webhook.id, at);
}
