/**
 * SIP as a ladder, with both legs of the call. Each line is one message, with its time and the time since the previous one; a
 * click shows its text.
 */
import { Group, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { Suspense, useState } from 'react';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import { useCall } from '../../api.ts';
import { Drawer } from '../basics/dialog.tsx';
import { plural } from '../basics/figures.ts';
import { Answer, Card } from '../basics/page.tsx';
import { Pages } from '../basics/pages.tsx';
import { ScrollBox } from '../basics/scroll-box.tsx';
import type { Tone } from '../basics/words.tsx';
import { clockBounds, type LadderMessage, ladderOf, offerOf, type Rung as RungModel } from './ladder-model.ts';
import { clockWords } from './pair-words.ts';
import { SipMessage } from './sip-message.tsx';

type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly endpointId: string;
  readonly isCaller: boolean;
  /** The other end of the call, if it is ours. */
  readonly peerEndpointId: string | null;
  /** True: the instants of the other end are of another clock. */
  readonly isOnOtherAgent: boolean;
  readonly total: number;
};

const toneOf = (m: LadderMessage): Tone =>
  m.statusCode === null || m.statusCode < 200
    ? 'accent'
    : m.statusCode < 300
      ? 'good'
      : m.statusCode < 400 || [401, 407].includes(m.statusCode)
        ? 'none'
        : 'bad';

const messageText = (m: LadderMessage): string =>
  `${m.statusCode === null ? m.method : `${m.statusCode} (${m.method})`}${m.retransmission ? ', again' : ''}`;

const ACTIONS = FEATURE_PAGES.flatMap(({ ladderActions = [] }) => ladderActions);

export function Ladder({ projectId, runId, endpointId, isCaller, peerEndpointId, isOnOtherAgent, total }: Props) {
  const [page, setPage] = useState(1);
  const [legs, setLegs] = useState<'ONE' | 'BOTH'>('BOTH');
  const [chosen, setChosen] = useState<RungModel | null>(null);
  const both = peerEndpointId !== null && legs === 'BOTH';
  const messages = useCall('listTestRunMessages', {
    projectId,
    testRunId: runId,
    endpoint_id: endpointId,
    legs: both ? 'BOTH' : 'ONE',
    page,
    per_page: 100,
  });
  const other = both ? peerEndpointId : null;
  const ends = isCaller ? { caller: endpointId, callee: other } : { caller: other, callee: endpointId };
  const actions = (
    <Group gap="md">
      {peerEndpointId !== null && (
        <SegmentedControl
          size="xs"
          aria-label="Legs of the call"
          value={legs}
          onChange={(value) => {
            setLegs(value as typeof legs);
            setPage(1);
          }}
          data={[
            { value: 'BOTH', label: 'Both ends' },
            { value: 'ONE', label: 'This end' },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {ACTIONS.map(([key, Action]) => (
          <Action key={key} projectId={projectId} runId={runId} endpointId={endpointId} both={both} />
        ))}
      </Suspense>
    </Group>
  );
  return (
    <Card
      title="SIP"
      note={`${plural(total, 'message')}; dashed arrows are retransmissions. Select a message to read it.`}
      actions={actions}
    >
      <Answer of={messages}>
        {({ rows, pagination }) => {
          const { columns, rungs } = ladderOf(rows, ends);
          return rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              No messages: none was sent yet, or they were deleted after the retention period.
            </Text>
          ) : (
            <>
              {both && isOnOtherAgent && (
                <Text size="sm" c="dimmed" mb="xs">
                  {clockWords(clockBounds(rows, ends))}
                </Text>
              )}
              <ScrollBox label="Messages">
                <div className="ladder" data-columns={columns.length}>
                  <div className="ladder-head">
                    <span>UTC</span>
                    <span>since</span>
                    <span className="ladder-columns">
                      {columns.map((c, i) => (
                        <span key={c.title} style={{ left: `${at(i, columns.length)}%` }}>
                          {c.title}
                        </span>
                      ))}
                    </span>
                  </div>
                  {rungs.map((r) => (
                    <Rung
                      key={r.message.id}
                      rung={r}
                      columns={columns.map((c) => c.title)}
                      isChosen={chosen?.message.id === r.message.id}
                      onChoose={() => setChosen(r)}
                    />
                  ))}
                </div>
              </ScrollBox>
              <Pages pagination={pagination} what="messages" onPage={setPage} />
              <Drawer
                opened={chosen !== null}
                onClose={() => setChosen(null)}
                position="right"
                size="xl"
                title={chosen ? messageText(chosen.message) : ''}
              >
                {chosen && (
                  <SipMessage
                    key={chosen.message.id}
                    projectId={projectId}
                    runId={runId}
                    message={chosen.message}
                    seen={chosen.seen}
                    offer={offerOf(chosen.message, rows)}
                  />
                )}
              </Drawer>
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

/** The position of a column, in percent of the width. */
const at = (column: number, columns: number): number => (columns < 2 ? 50 : 10 + (column * 80) / (columns - 1));

const span = (ms: number): string => `+${ms < 10_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`}`;

type RungProps = {
  readonly rung: RungModel;
  readonly columns: readonly string[];
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function Rung({ rung: { message: m, seen, from, to, deltaMs }, columns, isChosen, onChoose }: RungProps) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)].map((c) => at(c, columns.length)) as [number, number];
  const tookMs = seen ? Date.parse(seen.at) - Date.parse(m.at) : null;
  return (
    <button type="button" className="ladder-row" aria-haspopup="dialog" aria-pressed={isChosen} onClick={onChoose}>
      <span>
        <VisuallyHidden>
          {m.direction === 'SENT' ? 'Sent ' : 'Received '}from {columns[from]} to {columns[to]} at{' '}
        </VisuallyHidden>
        {m.at.slice(11, 23)}
      </span>
      <Text span size="sm" c="dimmed">
        {deltaMs === null ? '' : span(deltaMs)}
      </Text>
      <span className={`ladder-lane ${toneOf(m)}`}>
        {columns.map((title, i) => (
          <i key={title} style={{ left: `${at(i, columns.length)}%` }} />
        ))}
        <span
          className="ladder-arrow"
          data-right={to > from}
          data-again={m.retransmission}
          style={{ left: `${left}%`, width: `${right - left}%` }}
        >
          <em>
            {messageText(m)}
            {tookMs !== null && tookMs > 0 && <small aria-hidden> {span(tookMs)} on the way</small>}
          </em>
        </span>
      </span>
    </button>
  );
}
