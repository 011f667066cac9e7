/** The deliveries of a webhook, with their attempts. Each can be delivered again. */
import { Button, Code, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { DELIVERY_STATUSES } from '../../../contract/notify/words.ts';
import { useCall, useChange } from '../../api.ts';
import { Drawer } from '../basics/dialog.tsx';
import { number } from '../basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Failed } from '../basics/page.tsx';
import { Pages } from '../basics/pages.tsx';
import { Time } from '../basics/time.tsx';
import { Mark, plain } from '../basics/words.tsx';

type Delivery = Output<'listWebhookDeliveries'>;
type WebhookIds = { readonly projectId: string; readonly webhookId: string };

const State = ({ status }: { status: Delivery['status'] }) => (
  <Mark tone={status === 'DELIVERED' ? 'good' : status === 'FAILED' ? 'bad' : 'accent'}>{plain(status)}</Mark>
);

export function Deliveries({ projectId, webhookId }: WebhookIds) {
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<Delivery['status'] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const input = { projectId, webhookId, page, ...(status && { status }) };
  const deliveries = useCall('listWebhookDeliveries', input, { everyMs: 3000 });
  const resend = useChange('resendWebhookDelivery');
  const filter = (
    <Select
      aria-label="Deliveries shown"
      size="xs"
      w={150}
      data={[{ value: '', label: 'All' }, ...DELIVERY_STATUSES.map((s) => ({ value: s, label: plain(s) }))]}
      value={status ?? ''}
      allowDeselect={false}
      onChange={(s) => {
        setStatus((s || null) as Delivery['status'] | null);
        setPage(1);
      }}
    />
  );
  return (
    <Card
      title="Deliveries"
      note="Newest first; failed deliveries are retried for 24 hours"
      actions={filter}
      pad={false}
    >
      {resend.error && <Failed error={resend.error} />}
      <Answer of={deliveries}>
        {({ rows, pagination }) =>
          rows.length === 0 ? (
            <Empty title={status ? `No deliveries with status ${plain(status).toLowerCase()}` : 'No deliveries yet'}>
              {!status && 'Send a test to see whether it arrives.'}
            </Empty>
          ) : (
            <>
              <Table miw={720}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>When</Table.Th>
                    <Table.Th>Event</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th ta="right">Attempts</Table.Th>
                    <ActionsHeading />
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
                        <State status={d.status} />
                        {d.error && (
                          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                            {d.error}
                          </Text>
                        )}
                        {d.nextAttemptAt && d.attempts > 0 && (
                          <Text size="xs" c="dimmed" component="div">
                            tried again <Time at={d.nextAttemptAt} relative />
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">{d.attempts}</Table.Td>
                      <Table.Td>
                        <Group gap="xs" justify="flex-end" wrap="nowrap">
                          <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setChosen(d.id)}>
                            {' '}
                            Attempts
                          </Button>
                          <Button
                            size="xs"
                            variant="default"
                            loading={resend.isPending && resend.variables.deliveryId === d.id}
                            onClick={() => resend.mutate({ projectId, webhookId, deliveryId: d.id })}
                          >
                            Send again
                          </Button>
                        </Group>
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
      <Drawer opened={chosen !== null} onClose={() => setChosen(null)} position="right" size="lg" title="Delivery">
        {chosen && <Attempts projectId={projectId} webhookId={webhookId} deliveryId={chosen} />}
      </Drawer>
    </Card>
  );
}

function Attempts({ projectId, webhookId, deliveryId }: WebhookIds & { readonly deliveryId: string }) {
  const detail = useCall('getWebhookDelivery', { projectId, webhookId, deliveryId }, { everyMs: 3000 });
  return (
    <Answer of={detail}>
      {(d) => (
        <Stack>
          <Text size="sm" component="div">
            <State status={d.status} /> {d.event}, <Time at={d.occurredAt} />
          </Text>
          {d.tries.length === 0 && (
            <Text size="sm" c="dimmed">
              Not attempted yet.
            </Text>
          )}
          {d.tries.map((one) => (
            <div key={one.number} className="card card-pad">
              <Text size="sm" fw={600} component="div">
                {one.number}. <Time at={one.at} withMs /> · {number(one.durationMs, 0)} ms ·{' '}
                {one.status === null ? 'no response' : `answered ${one.status}`}
              </Text>
              {one.error && (
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {one.error}
                </Text>
              )}
              {one.answer && (
                <details>
                  <summary>Response of the receiver (untrusted text)</summary>
                  <pre className="message">{one.answer}</pre>
                </details>
              )}
            </div>
          ))}
          <details>
            <summary>Payload</summary>
            <Code block mt="xs" tabIndex={0}>
              {JSON.stringify(d.data, null, 2)}
            </Code>
          </details>
        </Stack>
      )}
    </Answer>
  );
}
