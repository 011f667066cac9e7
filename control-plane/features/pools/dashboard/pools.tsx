/** The pools of the organization: how many agents each has, until when its token is good, and its end. */
import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { call, queries, useCall } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Link } from '../../../dashboard/router.tsx';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { onceOpened } from '../../../dashboard/show/basics/dialog.tsx';
import { count, duration } from '../../../dashboard/show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Page } from '../../../dashboard/show/basics/page.tsx';
import { Pages } from '../../../dashboard/show/basics/pages.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark } from '../../../dashboard/show/basics/words.tsx';
import { PoolAgents } from './pool-agents.tsx';

const NewPool = onceOpened(async () => (await import('./new-pool.tsx')).NewPool);

type Pool = Output<'listPools'>;

export function PoolsPage() {
  const may = useMay();
  const [page, setPage] = useState(1);
  const pools = useCall('listPools', { page }, { everyMs: 3000 });
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<Pool | null>(null);
  const make = may('ADMIN') && (
    <Button aria-haspopup="dialog" onClick={() => setMaking(true)}>
      New pool
    </Button>
  );
  return (
    <Page
      title="Pools"
      over={
        <Anchor component={Link} to="/workers" size="sm">
          Workers
        </Anchor>
      }
      actions={(pools.data?.rows.length ?? 0) > 0 && make}
    >
      <Card pad={false}>
        <Answer of={pools}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No pool yet" action={make}>
                A pool has one token, by which the agents of many hosts enroll themselves. Each becomes a worker of its
                own{make ? '.' : ', once an administrator of your organization has created the pool.'}
              </Empty>
            ) : (
              <>
                <PoolTable rows={rows} onShow={setShown} />
                <Pages pagination={pagination} what="pools" onPage={setPage} />
              </>
            )
          }
        </Answer>
      </Card>
      <NewPool opened={isMaking} onClose={() => setMaking(false)} />
      {shown && <PoolAgents pool={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

const PoolTable = ({ rows, onShow }: { rows: readonly Pool[]; onShow: (pool: Pool) => void }) => (
  <Table miw={820}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Pool</Table.Th>
        <Table.Th>Agents</Table.Th>
        <Table.Th>Token</Table.Th>
        <Table.Th>Hosts may permit</Table.Th>
        <Table.Th>Created</Table.Th>
        <ActionsHeading />
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((pool) => (
        <Table.Tr key={pool.id}>
          <Table.Td className="long">
            <Text fw={600}>{pool.name}</Text>
            <Text size="xs" c="dimmed">
              {pool.region} · {count(pool.capacity)} endpoints each
            </Text>
          </Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            {count(pool.agents)} of {count(pool.maxAgents)}
            <Text size="xs" c="dimmed">
              {count(pool.online)} online · {count(pool.joined)} joined so far
            </Text>
          </Table.Td>
          <Table.Td>
            <TokenState pool={pool} />
          </Table.Td>
          <Table.Td className="long">{policyWords(pool.policy)}</Table.Td>
          <Table.Td>
            <Time at={pool.createdAt} relative />
            {pool.createdBy !== null && (
              <Text size="xs" c="dimmed">
                by {pool.createdBy}
              </Text>
            )}
          </Table.Td>
          <Table.Td>
            <Actions pool={pool} onShow={onShow} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

function TokenState({ pool: { revokedAt, expiresAt } }: { pool: Pool }) {
  if (revokedAt !== null) return <Mark tone="none">Revoked</Mark>;
  const isOver = expiresAt !== null && Date.parse(expiresAt) < Date.now();
  return (
    <>
      <Mark tone={isOver ? 'none' : 'good'}>{isOver ? 'Expired' : 'Open'}</Mark>
      {expiresAt !== null && !isOver && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          ends <Time at={expiresAt} relative />
        </Text>
      )}
    </>
  );
}

const policyWords = ({ targetNetworks, maxCallsPerSecond, maxEndpoints, maxDurationSeconds }: Pool['policy']): string =>
  [
    targetNetworks?.join(', '),
    maxCallsPerSecond !== undefined && `${count(maxCallsPerSecond)} calls/s`,
    maxEndpoints !== undefined && `${count(maxEndpoints)} endpoints`,
    maxDurationSeconds !== undefined && `calls of ${duration(maxDurationSeconds)}`,
  ]
    .filter(Boolean)
    .join(' · ') || 'anything';

function Actions({ pool, onShow }: { pool: Pool; onShow: (pool: Pool) => void }) {
  const may = useMay();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => onShow(pool)}>
        Agents
      </Button>
      {may('ADMIN') && pool.revokedAt === null && (
        <Confirm
          label="Revoke"
          title={`Revoke the token of ${pool.name}?`}
          act={async () => {
            await call('revokePool', { poolId: pool.id });
            await queries.invalidateQueries();
          }}
        >
          Nobody can join by it any more. Agents that have joined have keys of their own, and stay: drain or revoke them
          on the page of workers.
        </Confirm>
      )}
    </Group>
  );
}
