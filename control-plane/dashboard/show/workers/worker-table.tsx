/** Workers in a table: what each does, what bounds it, and what is done with it. */
import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { call, queries, useChange } from '../../api.ts';
import { useMay } from '../../me.tsx';
// All packages of a control plane have one version.
import { version } from '../../package.json';
import { Confirm } from '../basics/confirm.tsx';
import { count, DASH, plural } from '../basics/figures.ts';
import { ActionsHeading } from '../basics/page.tsx';
import { Time } from '../basics/time.tsx';
import { NoiseMark, WorkerState } from '../basics/words.tsx';
import { FEATURE_GROUPINGS } from './worker-groups.tsx';
import { limitWords, versionWords } from './worker-words.ts';

type Worker = Output<'listWorkers'>;

type TableProps = {
  readonly rows: readonly Worker[];
  readonly onShow: (workerId: string) => void;
  readonly onRenew: (workerId: string) => void;
};

export function WorkerTable({ rows, onShow, onRenew }: TableProps) {
  const said = FEATURE_GROUPINGS.filter(({ by }) => rows.some((w) => w[by] !== null));
  return (
    <Table miw={880} horizontalSpacing={10} className="dense">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Worker</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Region</Table.Th>
          {said.map(({ by, title }) => (
            <Table.Th key={by}>{title}</Table.Th>
          ))}
          <Table.Th>Endpoints busy</Table.Th>
          <Table.Th>Limited by</Table.Th>
          <Table.Th>Agent</Table.Th>
          <ActionsHeading />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((w) => (
          <Table.Tr key={w.id}>
            <Table.Td>
              <Anchor
                component="button"
                type="button"
                fw={600}
                ta="left"
                aria-haspopup="dialog"
                onClick={() => onShow(w.id)}
              >
                {w.name}
              </Anchor>
              <Text size="xs" c="dimmed">
                {w.ownership === 'PLATFORM' ? 'shared by the installation' : w.agent?.hostname}
              </Text>
            </Table.Td>
            <Table.Td>
              <State worker={w} />
            </Table.Td>
            <Table.Td>{w.region}</Table.Td>
            {said.map(({ by }) => (
              <Table.Td key={by}>{w[by] ?? DASH}</Table.Td>
            ))}
            <Table.Td>
              <Text size="sm" mb={4} style={{ whiteSpace: 'nowrap' }}>
                {count(w.endpoints)} of {count(w.capacity)}
              </Text>
              <Load share={w.endpoints / Math.max(1, w.capacity)} />
            </Table.Td>
            <Table.Td>{limitWords(w) ?? DASH}</Table.Td>
            <Table.Td>
              <Agent agent={w.agent} />
            </Table.Td>
            <Table.Td>
              <Actions worker={w} onRenew={onRenew} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** With what makes the worker less than it could be. */
const State = ({ worker }: { worker: Worker }) => (
  <>
    <WorkerState worker={worker} />
    {worker.drainedAt !== null && worker.status !== 'DRAINING' && <div className="quiet">drained</div>}
    {worker.status !== 'ONLINE' && worker.seenAt !== null && (
      <div className="quiet">
        seen <Time at={worker.seenAt} none="never" relative />
      </div>
    )}
    {worker.noise && (
      <div>
        <NoiseMark verdict={worker.noise.verdict} />
      </div>
    )}
  </>
);

const Load = ({ share }: { share: number }) => (
  <div className="bar" style={{ height: 6, minWidth: 90 }} aria-hidden>
    {share > 0 && (
      <span className={share > 0.9 ? 'warn' : 'accent'} style={{ width: `${Math.min(100, share * 100)}%` }} />
    )}
  </div>
);

function Agent({ agent }: Pick<Worker, 'agent'>) {
  if (!agent) return DASH;
  return (
    <>
      <Text size="sm">{versionWords(agent.version, version)}</Text>
      <Text size="xs" c="dimmed">
        {plural(agent.cpus, 'core')} · {count(agent.policy.maxCallsPerSecond)} calls/s
      </Text>
    </>
  );
}

function Actions({ worker, onRenew }: { worker: Worker; onRenew: (workerId: string) => void }) {
  const may = useMay();
  const drain = useChange('drainWorker');
  if (!may('ADMIN') || worker.ownership !== 'USER_OWNED') return null;
  const isDrained = worker.drainedAt !== null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!worker.isEnrolled && (
        <Button size="xs" variant="default" onClick={() => onRenew(worker.id)}>
          New token
        </Button>
      )}
      {(isDrained || worker.status === 'ONLINE') && (
        <Button
          size="xs"
          variant="default"
          loading={drain.isPending}
          onClick={() => drain.mutate({ workerId: worker.id, draining: !isDrained })}
        >
          {isDrained ? 'Resume' : 'Drain'}
        </Button>
      )}
      <Confirm
        label="Revoke"
        title={`Revoke ${worker.name}?`}
        act={async () => {
          await call('revokeWorker', { workerId: worker.id });
          await queries.invalidateQueries();
        }}
      >
        The agent is disconnected immediately and its key is refused. Its calls in progress count as lost. Its past runs
        are kept.
      </Confirm>
    </Group>
  );
}
