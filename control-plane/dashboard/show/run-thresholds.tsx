/** How a probe's execution was graded, with the limits as they are now. */
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Output } from '../../contract/catalogue.ts';
import { useCall } from '../api.ts';
import { DASH, number } from './figures.ts';
import { Answer, Card } from './page.tsx';
import { Health } from './words.tsx';

type Probe = NonNullable<Output<'getTestRunConfiguration'>['probe']>;

export function RunThresholds({ projectId, runId }: { projectId: string; runId: string }) {
  const asked = useCall('getTestRunConfiguration', { projectId, testRunId: runId });
  return <Answer of={asked}>{({ probe }) => probe && <Graded projectId={projectId} probe={probe} />}</Answer>;
}

function Graded({ projectId, probe }: { projectId: string; probe: Probe }) {
  const limits = new Map(probe.thresholds.map((t) => [t.metricKey, t]));
  return (
    <Card
      title="Thresholds"
      note={
        <>
          An execution of{' '}
          <Anchor component={Link} to={`/projects/${projectId}/probes/${probe.id}`} size="sm">
            {probe.name}
          </Anchor>
        </>
      }
      actions={<Health state={probe.status} />}
      pad={false}
    >
      {probe.thresholdResults.length === 0 ? (
        <Text c="dimmed" size="sm" px={18} pb={16}>
          This execution was not graded by thresholds.
        </Text>
      ) : (
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th ta="right">Measured</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th ta="right">Healthy up to</Table.Th>
              <Table.Th ta="right">Degraded up to</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {probe.thresholdResults.map((r) => {
              const limit = limits.get(r.metricKey);
              const unit = /^(MOS|R|fraction)$/.test(r.unit) ? '' : r.unit;
              const shown = (v: number | undefined) => (v === undefined ? DASH : `${number(v, 3)} ${unit}`);
              return (
                <Table.Tr key={r.metricKey}>
                  <Table.Td>{r.displayName}</Table.Td>
                  <Table.Td ta="right">{r.status === 'UNKNOWN' ? DASH : shown(r.value)}</Table.Td>
                  <Table.Td>
                    <Health state={r.status} />
                  </Table.Td>
                  <Table.Td ta="right">{shown(limit?.greenValue)}</Table.Td>
                  <Table.Td ta="right">{shown(limit?.orangeValue)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
