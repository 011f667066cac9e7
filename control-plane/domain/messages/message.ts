/** The message for a webhook, by its format. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Telling } from '../../contract/notify/announcement.ts';
import { traitsOf, type WebhookFormat } from '../../contract/notify/formats.ts';
import { signatureHeaders } from '../webhook.ts';
import { linkOf } from './link.ts';

export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The body of a message; `secret`: of its webhook; `link`: to details, null: there are none. */
export type BodyOf = (a: Telling, secret: Secret, link: string | null) => object;

type Receiver = {
  readonly format: WebhookFormat;
  readonly bodyOf: BodyOf;
  readonly secret: Secret;
  /** Null: only the present secret signs. */
  readonly previousSecret: Secret | null;
};

/** `id` and the body are the same in every attempt; `at`, the time of this attempt, is signed with them. */
export function messageFor(receiver: Receiver, a: Telling, id: string, at: Date, publicUrl: string | null): Message {
  const body = JSON.stringify(receiver.bodyOf(a, receiver.secret, linkOf(a, publicUrl)));
  const secrets = [receiver.secret, ...(receiver.previousSecret === null ? [] : [receiver.previousSecret])];
  return {
    body,
    headers: {
      'content-type': 'application/json',
      ...(traitsOf(receiver.format).key === undefined && signatureHeaders(secrets, { id, at, body })),
    },
  };
}

export const standardBody: BodyOf = (a, _secret, link) => ({
  type: a.kind,
  timestamp: a.at.toISOString(),
  data: { projectId: a.projectId, projectName: a.projectName, ...a.data, url: link },
});
