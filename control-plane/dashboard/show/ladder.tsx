/** SIP as a ladder: one line a message, with its time and the time since the one before; a click shows its text. */
import { Drawer, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { useCall } from '../api.ts';
import { Copyable } from './copy.tsx';
import { count } from './figures.ts';
import { Answer, Card } from './page.tsx';
import { Pages } from './pages.tsx';
import { ScrollBox } from './scroll-box.tsx';
import { Time } from './time.tsx';
import type { Tone } from './words.tsx';

type Message = Output<'listTestRunMessages'>;
type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly endpointId: string;
  readonly total: number;
};

const toneOf = (m: Message): Tone =>
  m.statusCode === null || m.statusCode < 200
    ? 'accent'
    : m.statusCode < 300
      ? 'good'
      : m.statusCode < 400 || [401, 407].includes(m.statusCode)
        ? 'none'
        : 'bad';

const says = (m: Message): string =>
  `${m.statusCode === null ? m.method : `${m.statusCode} (${m.method})`}${m.retransmission ? ', again' : ''}`;

export function Ladder({ projectId, runId, endpointId, total }: Props) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Message | null>(null);
  const messages = useCall('listTestRunMessages', {
    projectId,
    testRunId: runId,
    endpoint_id: endpointId,
    page,
    per_page: 100,
  });
  return (
    <Card title="SIP" note={`${count(total)} messages; a dashed arrow was sent again`}>
      <Answer of={messages}>
        {({ rows, pagination }) =>
          rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              No message is kept: none was sent yet, or they were deleted at their age.
            </Text>
          ) : (
            <ScrollBox label="Messages">
              <div className="ladder">
                <Group justify="space-between" pl={174} pr={8} mb={4} wrap="nowrap">
                  <Text size="sm" fw={600}>
                    This endpoint
                  </Text>
                  <Text size="sm" fw={600}>
                    {[...new Set(rows.map((m) => m.peer))].join(', ')}
                  </Text>
                </Group>
                {rows.map((m, i) => (
                  <Rung
                    key={m.id}
                    message={m}
                    before={rows[i - 1]}
                    isChosen={chosen?.id === m.id}
                    onChoose={() => setChosen(m)}
                  />
                ))}
              </div>
              <Pages pagination={pagination} what="messages" onPage={setPage} />
            </ScrollBox>
          )
        }
      </Answer>
      <Drawer
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        position="right"
        size="lg"
        title={chosen ? says(chosen) : ''}
      >
        {chosen && <MessageText projectId={projectId} runId={runId} message={chosen} />}
      </Drawer>
    </Card>
  );
}

type RungProps = { message: Message; before: Message | undefined; isChosen: boolean; onChoose: () => void };

function Rung({ message: m, before, isChosen, onChoose }: RungProps) {
  const deltaMs = before ? Date.parse(m.at) - Date.parse(before.at) : 0;
  return (
    <button type="button" className="ladder-row" aria-pressed={isChosen} onClick={onChoose}>
      <span>
        <VisuallyHidden>{m.direction === 'SENT' ? 'Sent ' : 'Received '}</VisuallyHidden>
        {m.at.slice(11, 23)}
      </span>
      <Text span size="sm" c="dimmed">
        {before ? `+${deltaMs < 10_000 ? `${deltaMs} ms` : `${(deltaMs / 1000).toFixed(1)} s`}` : ''}
      </Text>
      <span
        className={`ladder-lane ${toneOf(m)}`}
        data-sent={m.direction === 'SENT'}
        data-again={m.retransmission}
        style={{ display: 'block' }}
      >
        <span />
        <em>{says(m)}</em>
      </span>
    </button>
  );
}

function MessageText({ projectId, runId, message }: { projectId: string; runId: string; message: Message }) {
  const detail = useCall('getTestRunMessage', { projectId, testRunId: runId, messageId: message.id });
  return (
    <>
      <Text size="sm" c="dimmed" mb="md" component="div">
        {message.direction === 'SENT' ? 'Sent to' : 'Received from'} {message.peer}, <Time at={message.at} withMs />,{' '}
        {count(message.lengthBytes)} bytes. A stranger may have written this text.
      </Text>
      <Answer of={detail}>
        {({ text }) =>
          text === null ? (
            <Text>The agent stored what cannot be read.</Text>
          ) : (
            <>
              <pre className="message card card-pad" style={{ marginBottom: 16 }}>
                {text.split(/\r?\n/).map((line, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
                  <Line key={i} text={line} isFirst={i === 0} />
                ))}
              </pre>
              <details>
                <summary>To copy</summary>
                <Copyable text={text} label="the message" />
              </details>
            </>
          )
        }
      </Answer>
    </>
  );
}

/** The start line and the names of headers and SDP lines stand out. */
function Line({ text, isFirst }: { text: string; isFirst: boolean }) {
  const name = isFirst ? text : (/^([\w-]+:|[a-z]=)/.exec(text)?.[0] ?? '');
  return (
    <>
      <b>{name}</b>
      {text.slice(name.length)}
      {'\n'}
    </>
  );
}
