/** The search in a run's SIP messages. Untrusted text is shown as text. The filters are in the address. */
import { Alert, Anchor, Button, Drawer, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { faultOf, useCall } from '../../../api.ts';
import { count } from '../../basics/figures.ts';
import { Answer, Empty } from '../../basics/page.tsx';
import { Pages } from '../../basics/pages.tsx';
import { ScrollBox } from '../../basics/scroll-box.tsx';
import { Time } from '../../basics/time.tsx';
import { useAddress } from '../../basics/use-address.ts';
import { SipMessage } from '../../call/sip-message.tsx';

type Search = { mpage?: string; mtext?: string; mmethod?: string; mstatus?: string; mfrom?: string };
type Message = Output<'listTestRunMessages'>;
type Props = { readonly projectId: string; readonly runId: string };

const METHODS = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'REGISTER', 'OPTIONS', 'PRACK', 'UPDATE', 'INFO', 'REFER', 'NOTIFY'];
const messageText = (m: Message): string => (m.statusCode === null ? m.method : `${m.statusCode} to ${m.method}`);

export function RunMessages({ projectId, runId }: Props) {
  const [search, go] = useAddress<Search>('mpage', 'mfrom');
  const [opened, setOpened] = useState<Message | null>(null);
  const messages = useCall('listTestRunMessages', {
    projectId,
    testRunId: runId,
    page: Number(search.mpage ?? 1),
    ...(search.mtext && { text: search.mtext }),
    ...(search.mmethod && { method: search.mmethod }),
    ...(search.mstatus && { status: search.mstatus }),
    ...(search.mfrom && { from: search.mfrom }),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    go({ mtext: String(form.get('text') ?? ''), mstatus: String(form.get('status') ?? '') });
  };
  return (
    <>
      <form onSubmit={onSubmit}>
        <Group gap="xs" px={18} py={10} align="flex-start">
          <TextInput
            name="text"
            aria-label="Text of SIP messages"
            placeholder="Anywhere in the message"
            size="xs"
            w={240}
            defaultValue={search.mtext ?? ''}
            maxLength={200}
          />
          <Select
            aria-label="Method"
            placeholder="All methods"
            clearable
            size="xs"
            w={150}
            data={METHODS}
            value={search.mmethod ?? null}
            onChange={(method) => go({ mmethod: method ?? undefined })}
          />
          <TextInput
            name="status"
            aria-label="Status"
            placeholder="486 or 4xx"
            size="xs"
            w={110}
            defaultValue={search.mstatus ?? ''}
            error={faultOf(messages.error, 'status')}
          />
          <Button type="submit" size="xs" variant="default">
            Search
          </Button>
        </Group>
      </form>
      <Answer of={messages}>
        {({ rows, search: how }) => (
          <>
            {how && !how.complete && (
              <Alert color="yellow" variant="outline" mx={18} mb={10}>
                Looked at the first {count(how.scanned)} messages.{' '}
                {how.until && (
                  <Anchor component="button" type="button" size="sm" onClick={() => go({ mfrom: how.until as string })}>
                    Continue from there
                  </Anchor>
                )}
              </Alert>
            )}
            {rows.length === 0 ? (
              <Empty title="No matching message" />
            ) : (
              <ScrollBox label="SIP messages table">
                <Table miw={700} verticalSpacing={6}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Time (UTC)</Table.Th>
                      <Table.Th>Message</Table.Th>
                      <Table.Th>Direction</Table.Th>
                      <Table.Th>Call-ID</Table.Th>
                      <Table.Th>Of</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((m) => (
                      <Table.Tr key={m.id}>
                        <Table.Td>
                          <Time at={m.at} withMs />
                        </Table.Td>
                        <Table.Td>
                          <Anchor
                            component="button"
                            type="button"
                            size="sm"
                            aria-haspopup="dialog"
                            onClick={() => setOpened(m)}
                          >
                            {messageText(m)}
                          </Anchor>
                          {m.retransmission && (
                            <Text span size="xs" c="dimmed">
                              {' '}
                              again
                            </Text>
                          )}
                        </Table.Td>
                        <Table.Td>
                          {m.direction === 'SENT' ? 'to' : 'from'} {m.peer}
                        </Table.Td>
                        <Table.Td style={{ overflowWrap: 'anywhere', maxWidth: 260 }}>{m.callId}</Table.Td>
                        <Table.Td>
                          {m.endpointId ? (
                            <Anchor
                              component={Link}
                              to={`/projects/${projectId}/runs/${runId}/endpoints/${m.endpointId}`}
                              size="sm"
                            >
                              Endpoint
                            </Anchor>
                          ) : (
                            '–'
                          )}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </ScrollBox>
            )}
          </>
        )}
      </Answer>
      {messages.data && (
        <Pages
          pagination={messages.data.pagination}
          what="messages"
          onPage={(n) => go({ mpage: String(n), mfrom: search.mfrom })}
        />
      )}
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="xl"
        title={opened && messageText(opened)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && (
          <SipMessage key={opened.id} projectId={projectId} runId={runId} message={opened} seen={null} offer={null} />
        )}
      </Drawer>
    </>
  );
}
