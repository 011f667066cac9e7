/** The agents that have joined a pool, those that have left it included, and what they have carried. */
import { Anchor, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../../dashboard/api.ts';
import { Link } from '../../../dashboard/router.tsx';
import { Drawer } from '../../../dashboard/show/basics/dialog.tsx';
import { count } from '../../../dashboard/show/basics/figures.ts';
import { Answer } from '../../../dashboard/show/basics/page.tsx';
import { Pages } from '../../../dashboard/show/basics/pages.tsx';
import { ScrollBox } from '../../../dashboard/show/basics/scroll-box.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark, WorkerState } from '../../../dashboard/show/basics/words.tsx';

type Props = { readonly pool: Output<'listPools'>; readonly onClose: () => void };

export function PoolAgents({ pool, onClose }: Props) {
  const [page, setPage] = useState(1);
  const agents = useCall('listPoolAgents', { poolId: pool.id, page }, { everyMs: 3000 });
  return (
    <Drawer opened onClose={onClose} title={`Agents of ${pool.name}`} position="right" size="xl">
      <Answer of={agents}>
        {({ rows, pagination }) =>
          rows.length === 0 ? (
            <Text c="dimmed">No agent has joined yet.</Text>
          ) : (
            <>
              <Anchor component={Link} to="/workers" search={{ pool: pool.name }} size="sm">
                Show as workers
              </Anchor>
              <ScrollBox label="Agents of the pool">
                <AgentTable rows={rows} />
              </ScrollBox>
              <Pages pagination={pagination} what="agents" onPage={setPage} />
            </>
          )
        }
      </Answer>
    </Drawer>
  );
}

const AgentTable = ({ rows }: { rows: readonly Output<'listPoolAgents'>[] }) => (
  <Table miw={520}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Agent</Table.Th>
        <Table.Th>Status</Table.Th>
        <Table.Th>Joined</Table.Th>
        <Table.Th ta="right">Runs</Table.Th>
        <Table.Th ta="right">Endpoints</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((agent) => (
        <Table.Tr key={agent.id}>
          <Table.Td className="long">
            {agent.name}
            {agent.isDisposable && (
              <Text size="xs" c="dimmed">
                disposable
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            {agent.leftAt === null ? (
              <WorkerState worker={{ status: agent.status, isEnrolled: true }} />
            ) : (
              <>
                <Mark tone="none">Left</Mark>
                <Text size="xs" c="dimmed">
                  <Time at={agent.leftAt} relative />
                </Text>
              </>
            )}
          </Table.Td>
          <Table.Td>
            <Time at={agent.joinedAt} relative />
          </Table.Td>
          <Table.Td ta="right">{count(agent.runs)}</Table.Td>
          <Table.Td ta="right">{count(agent.endpoints)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
