/** Runs in a table. */
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Output } from '../../contract/catalogue.ts';
import { count, duration } from './figures.ts';
import { Time } from './time.tsx';
import { RunState } from './words.tsx';

export const RunTable = ({ projectId, rows }: { projectId: string; rows: readonly Output<'listTestRuns'>[] }) => (
  <Table miw={640}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Test</Table.Th>
        <Table.Th>Status</Table.Th>
        <Table.Th ta="right">Endpoints</Table.Th>
        <Table.Th>Submitted</Table.Th>
        <Table.Th ta="right">Took</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((run) => (
        <Table.Tr key={run.id}>
          <Table.Td>
            <Anchor component={Link} to={`/projects/${projectId}/runs/${run.id}`} fw={600}>
              {run.testName}
            </Anchor>
          </Table.Td>
          <Table.Td>
            <RunState status={run.status} />
          </Table.Td>
          <Table.Td ta="right">{count(run.endpoints)}</Table.Td>
          <Table.Td>
            <Time at={run.submittedAt} relative />
          </Table.Td>
          <Table.Td ta="right">
            {run.startedAt && run.endedAt
              ? duration((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000)
              : '–'}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
