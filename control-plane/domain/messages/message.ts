/** The message for a webhook, by its format. */
import type { Secret } from '@carillon/proto/secret.ts';
import type { Telling } from '../../contract/notify/announcement.ts';
import type { WebhookFormat } from '../../contract/words.ts';
import { signatureHeaders } from '../webhook.ts';
import { linkOf } from './link.ts';
import { pagerDutyBody } from './pagerduty.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Receiver = {
  readonly format: WebhookFormat;
  readonly secret: Secret;
  /** Null: only the present secret signs. */
  readonly previousSecret: Secret | null;
};

/** `id` and the body are the same in every attempt; `at`, the time of this attempt, is signed with them. */
export function messageFor(receiver: Receiver, a: Telling, id: string, at: Date, publicUrl: string | null): Message {
  const body = JSON.stringify(bodyFor(receiver, a, linkOf(a, publicUrl)));
  const secrets = [receiver.secret, ...(receiver.previousSecret === null ? [] : [receiver.previousSecret])];
  return {
    body,
    headers: {
      'content-type': 'application/json',
      // PagerDuty's secret is its routing key: it is in the body and signs nothing.
      ...(receiver.format !== 'PAGERDUTY' && signatureHeaders(secrets, { id, at, body })),
    },
  };
}

function bodyFor({ format, secret }: Receiver, a: Telling, link: string | null): object {
  switch (format) {
    case 'STANDARD':
      return standardBody(a, link);
    case 'SLACK':
      return slackBody(a, link);
    case 'TEAMS':
      return teamsBody(a, link);
    case 'PAGERDUTY':
      return pagerDutyBody(a, secret, link);
  }
}

const standardBody = (a: Telling, link: string | null): object => ({
  type: a.kind,
  timestamp: a.at.toISOString(),
  data: { projectId: a.projectId, projectName: a.projectName, ...a.data, url: link },
});
