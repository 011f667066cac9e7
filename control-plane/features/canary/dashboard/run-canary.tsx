/** What an ordinary caller got during the load: the canary's executions before it and during it. */
import { Anchor, Stack, Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Link } from '../../../dashboard/router.tsx';
import { count, number } from '../../../dashboard/show/basics/figures.ts';
import { Card } from '../../../dashboard/show/basics/page.tsx';
import { ScrollBox } from '../../../dashboard/show/basics/scroll-box.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark } from '../../../dashboard/show/basics/words.tsx';

type Run = Output<'getTestRun'>;
type Canary = NonNullable<Run['canary']>;
type Execution = Canary['executions'][number];

const PHASES: Readonly<Record<Execution['phase'], string>> = {
  IDLE: 'before the load',
  LOADED: 'under load',
  AFTER: 'after the load, not counted',
};
const RESULTS: Readonly<Record<NonNullable<Execution['result']>, readonly ['good' | 'bad' | 'none', string]>> = {
  GOOD: ['good', 'Good'],
  FAILED: ['bad', 'Failed'],
  NOT_JUDGED: ['none', 'Not judged'],
};

export function RunCanary({ projectId, run }: { readonly projectId: string; readonly run: Run }) {
  const { canary } = run;
  if (!canary) return null;
  return (
    <Card
      title="Canary"
      note={
        <>
          <Anchor component={Link} to={`/projects/${projectId}/probes/${canary.probeId}`} size="sm" underline="always">
            {canary.probeName}
          </Anchor>{' '}
          was executed before the load and while it was on
        </>
      }
    >
      <Stack gap="sm">
        {run.status === 'PENDING' && (
          <Text size="sm" role="status">
            The load starts after {canary.calls} executions; {count(canary.idle.executions)} have ended.
          </Text>
        )}
        {canary.sentences.map((sentence, i) => (
          <Text key={sentence} fw={i === 0 ? 600 : undefined}>
            {sentence}
          </Text>
        ))}
        <ScrollBox label="Canary table">
          <Table miw={560}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Calls</Table.Th>
                <Table.Th ta="right">Judged</Table.Th>
                <Table.Th ta="right">Failed</Table.Th>
                <Table.Th ta="right">Set-up, median</Table.Th>
                <Table.Th ta="right">Least to most</Table.Th>
                <Table.Th ta="right">MOS, median</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              <Phase name="Before the load" of={canary.idle} />
              <Phase name="While it was on" of={canary.loaded} />
            </Table.Tbody>
          </Table>
        </ScrollBox>
        {canary.executions.length > 0 && <Executions projectId={projectId} executions={canary.executions} />}
      </Stack>
    </Card>
  );
}

function Phase({
  name,
  of: { good, failed, setUpMs: s, mos },
}: {
  readonly name: string;
  readonly of: Canary['idle'];
}) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td ta="right">{count(good + failed)}</Table.Td>
      <Table.Td ta="right">{count(failed)}</Table.Td>
      <Table.Td ta="right">{inMs(s.median)}</Table.Td>
      <Table.Td ta="right">{s.count < 2 ? inMs(null) : `${number(s.min, 1)} to ${inMs(s.max)}`}</Table.Td>
      <Table.Td ta="right">{number(mos.median)}</Table.Td>
    </Table.Tr>
  );
}

const inMs = (n: number | null): string => (n === null ? number(n) : `${number(n, 1)} ms`);

type ExecutionsProps = { readonly projectId: string; readonly executions: readonly Execution[] };

const Executions = ({ projectId, executions }: ExecutionsProps) => (
  <details>
    <summary>Executions ({count(executions.length)})</summary>
    <ScrollBox label="Executions table">
      <Table miw={560} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Started</Table.Th>
            <Table.Th>Phase</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th ta="right">Set-up</Table.Th>
            <Table.Th ta="right">MOS</Table.Th>
            <Table.Th>Run</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {executions.map((e) => (
            <Table.Tr key={e.testRunId}>
              <Table.Td>{e.startedAt ? <Time at={e.startedAt} /> : 'not started'}</Table.Td>
              <Table.Td>{PHASES[e.phase]}</Table.Td>
              <Table.Td>
                {e.result === null ? (
                  <Mark tone="accent">Running</Mark>
                ) : (
                  <Mark tone={RESULTS[e.result][0]}>{RESULTS[e.result][1]}</Mark>
                )}
              </Table.Td>
              <Table.Td ta="right">{inMs(e.setUpMs)}</Table.Td>
              <Table.Td ta="right">{number(e.mos)}</Table.Td>
              <Table.Td>
                <Anchor component={Link} to={`/projects/${projectId}/runs/${e.testRunId}`} size="sm">
                  Open
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  </details>
);
