/** The form of a new or existing webhook, with the fields of its format, such as the key of a receiver. */
import { Button, Checkbox, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { takesEvent, traitsOf, WEBHOOK_FORMATS, type WebhookFormat } from '../../../contract/notify/formats.ts';
import { INCIDENT_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from '../../../contract/notify/words.ts';
import { faultOf } from '../../api.ts';
import { Failed } from '../basics/page.tsx';
import { wordsOf } from './format-words.ts';

export type WebhookDraft = {
  /** '': the address of an existing webhook stays as it is. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: WebhookEvent[];
  /** '': a secret is created, or the existing one stays. */
  readonly secret: string;
};

/** The address of a new webhook, if it is the same one for everybody. */
const usualUrl = (format: WebhookFormat): string => {
  const { isUsualUrl, placeholder } = wordsOf(format);
  return isUsualUrl ? placeholder : '';
};
const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  'test_run.status_changed': 'A run starts or ends',
  'probe.status_changed': "A probe's health changes",
  'incident.opened': 'An incident opens',
  'incident.escalated': 'An incident stays open and escalates',
  'incident.resolved': 'An incident is resolved',
  'worker.status_changed': 'An agent connects, disconnects or fails',
};

type Props = {
  /** Null: the webhook is new. */
  readonly webhook: Output<'getWebhook'> | null;
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onSubmit: (draft: WebhookDraft) => void;
};

export function WebhookForm({ webhook, error, busy, onSubmit }: Props) {
  const hidesPath = webhook !== null && traitsOf(webhook.format).hasSecretUrl === true;
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook && !hidesPath ? webhook.url : '',
    format: webhook?.format ?? 'STANDARD',
    events: webhook?.events ?? [...INCIDENT_EVENTS],
    secret: '',
  });
  const set = (change: Partial<WebhookDraft>) => setDraft({ ...draft, ...change });
  const { format } = draft;
  const { name, placeholder, key } = wordsOf(format);
  const isKept = webhook?.format === format;
  const choose = (next: WebhookFormat) =>
    set({
      format: next,
      url: draft.url === '' || draft.url === usualUrl(format) ? usualUrl(next) : draft.url,
      events: draft.events.filter((e) => takesEvent(next, e)),
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
          data={WEBHOOK_FORMATS.map((f) => ({ value: f, label: wordsOf(f).label }))}
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
          placeholder={hidesPath ? 'As it is' : placeholder}
          {...(hidesPath && { description: `Leave empty to keep ${webhook?.url}, whose path is a secret.` })}
          value={draft.url}
          onChange={(e) => set({ url: e.target.value })}
          error={faultOf(error, 'url')}
        />
        {key && (
          <PasswordInput
            {...key}
            required={!isKept}
            {...(isKept && { placeholder: 'As it is' })}
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
          {...(traitsOf(format).takesOnlyIncidents && { description: `${name} receives incidents only.` })}
          value={draft.events}
          onChange={(events) => set({ events: events as WebhookEvent[] })}
          error={faultOf(error, 'events')}
        >
          <Stack gap={8} mt={6}>
            {WEBHOOK_EVENTS.filter((e) => takesEvent(format, e)).map((e) => (
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
