/** SIP messages of a run in a table. Untrusted text is shown as text. */
import { Anchor, Table, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { Link } from '../../../router.tsx';
import { ScrollBox } from '../../basics/scroll-box.tsx';
import { Time } from '../../basics/time.tsx';

export type RunMessage = Output<'listTestRunMessages'>;

export const messageText = (m: RunMessage): string =>
  m.statusCode === null ? m.method : `${m.statusCode} to ${m.method}`;

type MessageRowProps = {
  readonly message: RunMessage;
  /** The address of the run's page. */
  readonly run: string;
  readonly onOpen: (message: RunMessage) => void;
};
type Props = Omit<MessageRowProps, 'message'> & { readonly messages: readonly RunMessage[] };

export const MessageTable = ({ messages, ...row }: Props) => (
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
        {messages.map((m) => (
          <MessageRow key={m.id} message={m} {...row} />
        ))}
      </Table.Tbody>
    </Table>
  </ScrollBox>
);

const MessageRow = ({ message: m, run, onOpen }: MessageRowProps) => (
  <Table.Tr>
    <Table.Td>
      <Time at={m.at} withMs />
    </Table.Td>
    <Table.Td>
      <Anchor component="button" type="button" size="sm" aria-haspopup="dialog" onClick={() => onOpen(m)}>
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
        <Anchor component={Link} to={`${run}/endpoints/${m.endpointId}`} size="sm">
          Endpoint
        </Anchor>
      ) : (
        '–'
      )}
    </Table.Td>
  </Table.Tr>
);
