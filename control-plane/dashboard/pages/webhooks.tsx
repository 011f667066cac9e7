/** Webhooks: where a project reports to, what arrived, and sending again. */
import { Alert, Anchor, Button, Checkbox, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { WEBHOOK_EVENTS, WEBHOOK_FORMATS, type WebhookEvent, type WebhookFormat } from '../../contract/words.ts';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Confirm } from '../show/confirm.tsx';
import { Copyable } from '../show/copy.tsx';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { Pages } from '../show/pages.tsx';
import { Time } from '../show/time.tsx';
import { Mark, plain } from '../show/words.tsx';

type Webhook = Output<'listWebhooks'>;

const state = (w: Webhook) =>
  !w.enabled ? (
    <Mark tone="none">Off</Mark>
  ) : w.failingSince ? (
    <Mark tone="bad">Failing</Mark>
  ) : (
    <Mark tone="good">On</Mark>
  );

export function WebhooksPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const may = useMay(projectId);
  const webhooks = useCall('listWebhooks', { projectId, per_page: 100 }, { everyMs: 10_000 });
  return (
    <Page title="Webhooks" actions={may('ADMIN') && <NewWebhook projectId={projectId} />}>
      <Card pad={false}>
        <Answer of={webhooks}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No webhook yet">
                A webhook tells your systems, Slack, Teams or PagerDuty when an incident opens, a run ends or an agent
                is gone. Deliveries are signed (Standard Webhooks) and tried again for a day.
              </Empty>
            ) : (
              <Table miw={720}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Address</Table.Th>
                    <Table.Th>Format</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>Events</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((w) => (
                    <Table.Tr key={w.id}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        {may('ADMIN') ? (
                          <Anchor component={Link} to={`/projects/${projectId}/webhooks/${w.id}`} fw={600}>
                            {w.url}
                          </Anchor>
                        ) : (
                          w.url
                        )}
                      </Table.Td>
                      <Table.Td>{plain(w.format)}</Table.Td>
                      <Table.Td>{state(w)}</Table.Td>
                      <Table.Td>{w.events.join(', ')}</Table.Td>
                      <Table.Td ta="right">
                        {may('ADMIN') && (
                          <Confirm
                            label="Delete"
                            title="Delete this webhook?"
                            act={async () => {
                              await call('deleteWebhook', { projectId, webhookId: w.id });
                              await queries.invalidateQueries();
                            }}
                          >
                            Nothing more is sent to {w.url}.
                          </Confirm>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

function NewWebhook({ projectId }: { projectId: string }) {
  const [opened, setOpened] = useState(false);
  const [url, setUrl] = useState('https://');
  const [format, setFormat] = useState<WebhookFormat>('STANDARD');
  const [events, setEvents] = useState<string[]>(['incident.opened', 'incident.escalated', 'incident.resolved']);
  const create = useChange('createWebhook');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ projectId, url, format, events: events as WebhookEvent[] });
  };
  const close = () => {
    setOpened(false);
    create.reset();
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>New webhook</Button>
      <Modal opened={opened} onClose={close} title="New webhook">
        {create.data ? (
          <Stack>
            <Text size="sm">Deliveries are signed with this secret. It is shown now, and never again.</Text>
            <Copyable text={create.data.secret} label="the secret" />
            <Group justify="flex-end">
              <Button onClick={close}>Done</Button>
            </Group>
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <TextInput
                label="Address"
                required
                data-autofocus
                value={url}
                onChange={(e) => setUrl(e.target.value)}
                error={faultOf(create.error, 'url')}
              />
              <Select
                label="Format"
                data={WEBHOOK_FORMATS.map((f) => ({ value: f, label: plain(f) }))}
                value={format}
                allowDeselect={false}
                onChange={(f) => setFormat(f as WebhookFormat)}
              />
              <Checkbox.Group
                label="Events"
                value={events}
                onChange={setEvents}
                error={faultOf(create.error, 'events')}
              >
                <Stack gap={8} mt={6}>
                  {WEBHOOK_EVENTS.map((e) => (
                    <Checkbox key={e} value={e} label={e} />
                  ))}
                </Stack>
              </Checkbox.Group>
              {create.error && <Failed error={create.error} />}
              <Button type="submit" loading={create.isPending}>
                Make the webhook
              </Button>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

export function WebhookPage() {
  const { projectId, webhookId } = useParams({ strict: false }) as { projectId: string; webhookId: string };
  const [page, setPage] = useState(1);
  const webhook = useCall('getWebhook', { projectId, webhookId }, { everyMs: 5000 });
  const deliveries = useCall('listWebhookDeliveries', { projectId, webhookId, page }, { everyMs: 3000 });
  const test = useChange('testWebhook');
  const update = useChange('updateWebhook');
  const resend = useChange('resendWebhookDelivery');
  return (
    <Answer of={webhook}>
      {(w) => (
        <Page
          title="Webhook"
          over={
            <Anchor component={Link} to={`/projects/${projectId}/webhooks`} size="sm">
              Webhooks
            </Anchor>
          }
          beside={state(w)}
          actions={
            <>
              <Button
                variant="default"
                loading={update.isPending}
                onClick={() => update.mutate({ projectId, webhookId, enabled: !w.enabled })}
              >
                {w.enabled ? 'Switch off' : 'Switch on'}
              </Button>
              <Button loading={test.isPending} onClick={() => test.mutate({ projectId, webhookId })}>
                Send a test
              </Button>
            </>
          }
        >
          <Text style={{ overflowWrap: 'anywhere' }}>
            {w.url} · {plain(w.format)} · {w.events.join(', ')}
          </Text>
          {w.disabledReason && (
            <Alert color="orange" variant="outline" title="Switched off">
              {w.disabledReason} (<Time at={w.disabledAt} relative />)
            </Alert>
          )}
          {[test.error, update.error, resend.error].map((e) => e && <Failed key={e.message} error={e} />)}
          <Card title="Deliveries" note="Last first" pad={false}>
            <Answer of={deliveries}>
              {({ rows, pagination }) =>
                rows.length === 0 ? (
                  <Empty title="Nothing was sent yet">Send a test to see whether it arrives.</Empty>
                ) : (
                  <>
                    <Table miw={680}>
                      <Table.Thead>
                        <Table.Tr>
                          <Table.Th>When</Table.Th>
                          <Table.Th>Event</Table.Th>
                          <Table.Th>State</Table.Th>
                          <Table.Th ta="right">Tries</Table.Th>
                          <Table.Th />
                        </Table.Tr>
                      </Table.Thead>
                      <Table.Tbody>
                        {rows.map((d) => (
                          <Table.Tr key={d.id}>
                            <Table.Td>
                              <Time at={d.createdAt} />
                            </Table.Td>
                            <Table.Td>{d.event}</Table.Td>
                            <Table.Td>
                              <Mark tone={d.status === 'DELIVERED' ? 'good' : d.status === 'FAILED' ? 'bad' : 'accent'}>
                                {plain(d.status)}
                              </Mark>
                              {d.error && (
                                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                                  {d.error}
                                </Text>
                              )}
                            </Table.Td>
                            <Table.Td ta="right">{d.attempts}</Table.Td>
                            <Table.Td ta="right">
                              <Button
                                size="xs"
                                variant="default"
                                onClick={() => resend.mutate({ projectId, webhookId, deliveryId: d.id })}
                              >
                                Send again
                              </Button>
                            </Table.Td>
                          </Table.Tr>
                        ))}
                      </Table.Tbody>
                    </Table>
                    <Pages pagination={pagination} what="deliveries" onPage={setPage} />
                  </>
                )
              }
            </Answer>
          </Card>
        </Page>
      )}
    </Answer>
  );
}
