/** The webhook rules agreed with receivers: signatures, when to try again, when to give up. Pure. */

import { createHmac } from 'node:crypto';
import type { Secret } from '@carillon/proto/base/secret.ts';

/** A replaced secret signs for this long. */
export const PREVIOUS_SECRET_SECONDS = 86_400;
/** A delivery is tried for this long. */
export const RETRY_SECONDS = 86_400;
/** A webhook without successful deliveries for this long is disabled. */
export const FAILING_SECONDS = 3 * 86_400;

/** The delays after the first attempt, the second …; the last attempt is made when RETRY_SECONDS are over. */
const DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000] as const;

const PREFIX = 'whsec_';

/** A secret is `whsec_` and base64; any other text is used as it is. */
function keyOf(secret: Secret): Buffer {
  const text = secret.reveal();
  return text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64') : Buffer.from(text);
}

type Signed = { readonly id: string; readonly at: Date; readonly body: string };

/** The three headers of Standard Webhooks; one signature per secret. */
export function signatureHeaders(secrets: readonly Secret[], { id, at, body }: Signed): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const sign = (secret: Secret) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

/** The result of an attempt. `status` null: no answer, see `error`. */
export type DeliveryAttempt = {
  readonly status: number | null;
  readonly error: string | null;
  readonly retryAfterSeconds: number | null;
};

export type AttemptResult =
  | { readonly is: 'DELIVERED' }
  | { readonly is: 'AGAIN'; readonly at: Date; readonly error: string }
  /** `gone`: the receiver wants no further deliveries of any kind. */
  | { readonly is: 'FAILED'; readonly error: string; readonly gone: boolean };

type Round = { readonly attempt: number; readonly retryUntil: Date; readonly once: boolean };

/**
 * `attempt`: the number in this round, 1 for the first; `now`: the end of the attempt. An attempt that would be too
 * late is made at the last possible instant.
 */
export function judgeAttempt(
  { status, error, retryAfterSeconds }: DeliveryAttempt,
  round: Round,
  now: Date,
): AttemptResult {
  if (status !== null && status >= 200 && status < 300) return { is: 'DELIVERED' };
  const why = error ?? describe(status as number);
  if (status === 410) return { is: 'FAILED', error: why, gone: true };
  if (round.once || now >= round.retryUntil) return { is: 'FAILED', error: why, gone: false };
  const delay = DELAYS_SECONDS[round.attempt - 1] ?? RETRY_SECONDS;
  const at = now.getTime() + Math.max(delay, retryAfterSeconds ?? 0) * 1000;
  return { is: 'AGAIN', at: new Date(Math.min(at, round.retryUntil.getTime())), error: why };
}

const describe = (status: number): string => {
  if (status === 410) return 'The receiver answered 410: it accepts no more deliveries.';
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
};

/** Mail servers are asked again at the same intervals as webhooks. */
export const nextAttemptAt = (attempt: number, retryUntil: Date, now: Date): Date | null => {
  const result = judgeAttempt(
    { status: null, error: '', retryAfterSeconds: null },
    { attempt, retryUntil, once: false },
    now,
  );
  return result.is === 'AGAIN' ? result.at : null;
};
