/** The form of a new or existing webhook, with the fields of its format, such as PagerDuty's key. */
import { Button, Checkbox, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import {
  INCIDENT_EVENTS,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type WebhookEvent,
  type WebhookFormat,
} from '../../../contract/words.ts';
import { faultOf } from '../../api.ts';
import { Failed } from '../basics/page.tsx';

export type WebhookDraft = {
  /** '': the address of an existing webhook stays as it is. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: WebhookEvent[];
  /** '': a secret is created, or the existing one stays. */
  readonly secret: string;
};

const LABELS: Readonly<Record<WebhookFormat, string>> = {
  STANDARD: 'Standard Webhooks (signed JSON)',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  PAGERDUTY: 'PagerDuty',
};
const PLACEHOLDERS: Readonly<Record<WebhookFormat, string>> = {
  STANDARD: 'https://hooks.example/carillon',
  SLACK: 'https://hooks.slack.com/services/…',
  TEAMS: 'https://….webhook.office.com/…',
  PAGERDUTY: 'https://events.pagerduty.com/v2/enqueue',
};
const PAGERDUTY_URL = PLACEHOLDERS.PAGERDUTY;
const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  'test_run.status_changed': 'A run starts or ends',
  'probe.status_changed': "A probe's health changes",
  'incident.opened': 'An incident opens',
  'incident.escalated': 'An incident stays open and escalates',
  'incident.resolved': 'An incident is resolved',
  'worker.status_changed': 'An agent connects, disconnects or fails',
};

type Props = {
  /** null: the webhook is new. */
  readonly webhook: Output<'getWebhook'> | null;
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onSubmit: (draft: WebhookDraft) => void;
};

export function WebhookForm({ webhook, error, busy, onSubmit }: Props) {
  const hidesPath = webhook?.format === 'SLACK' || webhook?.format === 'TEAMS';
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook && !hidesPath ? webhook.url : '',
    format: webhook?.format ?? 'STANDARD',
    events: webhook?.events ?? [...INCIDENT_EVENTS],
    secret: '',
  });
  const set = (change: Partial<WebhookDraft>) => setDraft({ ...draft, ...change });
  const { format } = draft;
  const isPagerDuty = format === 'PAGERDUTY';
  const offered = WEBHOOK_EVENTS.filter((e) => !isPagerDuty || INCIDENT_EVENTS.includes(e));
  const choose = (next: WebhookFormat) =>
    set({
      format: next,
      url: next === 'PAGERDUTY' && draft.url === '' ? PAGERDUTY_URL : draft.url === PAGERDUTY_URL ? '' : draft.url,
      ...(next === 'PAGERDUTY' && { events: draft.events.filter((e) => INCIDENT_EVENTS.includes(e)) }),
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label="Format"
          data={WEBHOOK_FORMATS.map((f) => ({ value: f, label: LABELS[f] }))}
          value={format}
          allowDeselect={false}
          onChange={(f) => choose(f as WebhookFormat)}
          error={faultOf(error, 'format')}
        />
        <TextInput
          label="Address"
          type="url"
          required={!hidesPath}
          data-autofocus
          placeholder={hidesPath ? 'As it is' : PLACEHOLDERS[format]}
          {...(hidesPath && { description: `Leave empty to keep ${webhook?.url}, whose path is a secret.` })}
          value={draft.url}
          onChange={(e) => set({ url: e.target.value })}
          error={faultOf(error, 'url')}
        />
        {isPagerDuty && (
          <PasswordInput
            label="Integration key"
            description="PagerDuty: the service, Integrations, Events API v2"
            required={webhook?.format !== 'PAGERDUTY'}
            {...(webhook?.format === 'PAGERDUTY' && { placeholder: 'As it is' })}
            autoComplete="off"
            value={draft.secret}
            onChange={(e) => set({ secret: e.target.value })}
            error={faultOf(error, 'secret')}
          />
        )}
        {format === 'STANDARD' && !webhook && (
          <PasswordInput
            label="Secret"
            description="Used to sign deliveries. Leave empty to create one, which is shown once."
            placeholder="whsec_…"
            autoComplete="off"
            value={draft.secret}
            onChange={(e) => set({ secret: e.target.value })}
            error={faultOf(error, 'secret')}
          />
        )}
        <Checkbox.Group
          label="Events"
          {...(isPagerDuty && { description: 'PagerDuty receives incidents only.' })}
          value={draft.events}
          onChange={(events) => set({ events: events as WebhookEvent[] })}
          error={faultOf(error, 'events')}
        >
          <Stack gap={8} mt={6}>
            {offered.map((e) => (
              <Checkbox key={e} value={e} label={EVENT_TEXTS[e]} description={e} />
            ))}
          </Stack>
        </Checkbox.Group>
        {error && <Failed error={error} />}
        <Button type="submit" loading={busy} disabled={draft.events.length === 0}>
          {webhook ? 'Save' : 'Create webhook'}
        </Button>
      </Stack>
    </form>
  );
}
