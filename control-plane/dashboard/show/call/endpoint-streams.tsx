/** The streams of a call as wholes, in both directions, and the share of the time in which media arrived. */
import { Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { bytes, count, DASH, number, percent } from '../basics/figures.ts';
import { Card } from '../basics/page.tsx';
import { Time } from '../basics/time.tsx';
import { holesOf, mediaParts, mediaWords } from './holes.ts';
import { iceWords } from './ice-words.ts';

type Stream = Output<'getTestRunEndpoint'>['streams'][number];

export function EndpointStreams({ streams }: { streams: readonly Stream[] }) {
  if (streams.length === 0) return null;
  return (
    <Card title="Streams" note="Totals of both directions; a dash means not measured" pad={false}>
      <Table miw={980}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stream</Table.Th>
            <Table.Th ta="right">Sent</Table.Th>
            <Table.Th ta="right">Received</Table.Th>
            <Table.Th ta="right">Lost</Table.Th>
            <Table.Th ta="right">Discarded (late)</Table.Th>
            <Table.Th ta="right">Jitter, mean / highest</Table.Th>
            <Table.Th ta="right">Round trip</Table.Th>
            <Table.Th ta="right">MOS</Table.Th>
            <Table.Th ta="right">R</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {streams.map((s) => (
            <StreamRow key={s.stream} stream={s} />
          ))}
        </Table.Tbody>
      </Table>
      {streams.some((s) => s.absence !== null) && (
        <ul className="holes">
          {streams.map((s) => s.absence && <Media key={s.stream} stream={s} absence={s.absence} />)}
        </ul>
      )}
    </Card>
  );
}

const StreamRow = ({ stream: s }: { stream: Stream }) => (
  <Table.Tr>
    <Table.Td>
      <Text fw={600} size="sm">
        {s.codec}
      </Text>
      <Text size="xs" c="dimmed">
        {s.localPort ?? DASH} to {s.remote || DASH}
      </Text>
      {s.ice && (
        <Text size="xs" c="dimmed">
          {iceWords(s.ice)}
        </Text>
      )}
    </Table.Td>
    <Table.Td ta="right">
      {count(s.send.packets)}
      <Text size="xs" c="dimmed">
        {bytes(s.send.octets)}
      </Text>
    </Table.Td>
    <Table.Td ta="right">
      {count(s.receive.packets)}
      <Text size="xs" c="dimmed">
        of {count(s.receive.expected)}
      </Text>
    </Table.Td>
    <Table.Td ta="right">
      {count(s.receive.lost)}
      <Text size="xs" c="dimmed">
        {percent(s.receive.lossFraction === null ? null : s.receive.lossFraction * 100, 2)}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{s.receive.discarded === null ? DASH : count(s.receive.discarded)}</Table.Td>
    <Table.Td ta="right">
      {s.receive.jitterMeanMs === null
        ? DASH
        : `${number(s.receive.jitterMeanMs)} / ${number(s.receive.jitterMaxMs)} ms`}
    </Table.Td>
    <Table.Td ta="right">{s.send.rttMeanMs === null ? DASH : `${number(s.send.rttMeanMs)} ms`}</Table.Td>
    <Table.Td ta="right">
      <b>{number(s.receive.mos)}</b>
      <Text size="xs" c="dimmed">
        {s.scale ? s.scale.toUpperCase() : ''}
      </Text>
    </Table.Td>
    <Table.Td ta="right">{number(s.receive.rFactor, 1)}</Table.Td>
  </Table.Tr>
);

/** How much of the expected media arrived, and where the gaps are. */
function Media({ stream: s, absence }: { stream: Stream; absence: NonNullable<Stream['absence']> }) {
  const holes = holesOf(absence, s.receive.packets);
  return (
    <li>
      <b>{s.codec}</b>
      <div className="bar" aria-hidden>
        {mediaParts(absence).map(({ tone, ms }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: in the order of time
          <span key={i} className={tone} style={{ flex: `${ms} 0 0` }} />
        ))}
      </div>
      <div>
        Media came in {mediaWords(absence)}
        {holes.length === 0 && '; no gap of one second or more'}
        {holes.map((hole, i) => (
          <span key={hole.words}>
            {i === 0 ? ': ' : '; '}
            {hole.words}
            {hole.at !== null && (
              <>
                {' '}
                from <Time at={hole.at} withMs />
              </>
            )}
          </span>
        ))}
        .
      </div>
    </li>
  );
}
