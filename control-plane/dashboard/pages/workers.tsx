/**
 * The workers, which are the agents that place the calls. One command enrolls a worker. It is drained before work on its host, and
 * revoked for good.
 */
import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { versionOrder } from '../../contract/version-order.ts';
import { call, queries, useCall, useChange } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
// All packages of a control plane have one version.
import { version } from '../package.json';
import { Confirm } from '../show/basics/confirm.tsx';
import { count, DASH } from '../show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';
import { NoiseMark, WorkerState } from '../show/basics/words.tsx';
import { Enroll, type Enrolled, Token } from '../show/workers/enroll.tsx';
import { WorkerDrawer } from '../show/workers/worker-drawer.tsx';

type Worker = Output<'listWorkers'>;

export function WorkersPage() {
  const me = useMe();
  const { from } = useSearch({ strict: false }) as { from?: string };
  const may = useMay();
  const [page, setPage] = useState(1);
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const workers = useCall('listWorkers', { page }, { everyMs: 3000 });
  const renew = useChange('renewJoinToken', setEnrolled);
  const shown = workers.data?.rows.find((w) => w.id === shownId);
  const enroll = may('ADMIN') && <Enroll onEnrolled={setEnrolled} />;
  return (
    <Page
      title="Workers"
      over={from ? <WayBack projectId={from} /> : me.organization.name}
      actions={(workers.data?.rows.length ?? 0) > 0 && enroll}
    >
      {renew.error && <Failed error={renew.error} />}
      <Card pad={false}>
        <Answer of={workers}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No agent yet" action={enroll}>
                An agent runs on a host of yours, places real SIP calls from there and measures their media. Enroll one:
                you get a command to run on that host.
                {!enroll && ' Ask an administrator of your organization to enroll one.'}
              </Empty>
            ) : (
              <>
                <WorkerTable rows={rows} onShow={setShownId} onRenew={(workerId) => renew.mutate({ workerId })} />
                <Pages pagination={pagination} what="workers" onPage={setPage} />
              </>
            )
          }
        </Answer>
      </Card>
      {enrolled && (
        <Token
          enrolled={enrolled}
          now={workers.data?.rows.find((w) => w.id === enrolled.id)}
          onClose={() => setEnrolled(null)}
          onRenew={() => renew.mutate({ workerId: enrolled.id })}
        />
      )}
      {shown && <WorkerDrawer worker={shown} onClose={() => setShownId(null)} />}
    </Page>
  );
}

/** The step for users who come here from the first steps of a project. */
function WayBack({ projectId }: { projectId: string }) {
  const project = useCall('getProject', { projectId });
  return (
    <Anchor component={Link} to={`/projects/${projectId}`} size="sm">
      Back to {project.data?.name ?? 'the project'}
    </Anchor>
  );
}

type TableProps = {
  readonly rows: readonly Worker[];
  readonly onShow: (workerId: string) => void;
  readonly onRenew: (workerId: string) => void;
};

const WorkerTable = ({ rows, onShow, onRenew }: TableProps) => (
  <Table miw={900}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Worker</Table.Th>
        <Table.Th>Status</Table.Th>
        <Table.Th>Region</Table.Th>
        <Table.Th>Endpoints busy</Table.Th>
        <Table.Th>Noise</Table.Th>
        <Table.Th>Agent</Table.Th>
        <Table.Th>Last seen</Table.Th>
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
              style={{ whiteSpace: 'nowrap' }}
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
            <WorkerState worker={w} />
            {w.drainedAt !== null && w.status !== 'DRAINING' && <div className="quiet">drained</div>}
          </Table.Td>
          <Table.Td>{w.region}</Table.Td>
          <Table.Td>
            <Text size="sm" mb={4} style={{ whiteSpace: 'nowrap' }}>
              {count(w.endpoints)} of {count(w.capacity)}
            </Text>
            <Load share={w.endpoints / Math.max(1, w.capacity)} />
          </Table.Td>
          <Table.Td>{w.noise ? <NoiseMark verdict={w.noise.verdict} /> : DASH}</Table.Td>
          <Table.Td>
            {w.agent ? (
              <>
                <Text size="sm">{w.agent.version}</Text>
                {w.agent.version !== version && (
                  <Text size="xs" c="dimmed">
                    {versionOrder(w.agent.version, version).toLowerCase()} than the control plane
                  </Text>
                )}
                <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  {count(w.agent.cpus)} cores · {count(w.agent.policy.maxCallsPerSecond)} calls/s
                </Text>
              </>
            ) : (
              DASH
            )}
          </Table.Td>
          <Table.Td>
            <Time at={w.seenAt} none="never" relative />
          </Table.Td>
          <Table.Td>
            <Actions worker={w} onRenew={onRenew} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const Load = ({ share }: { share: number }) => (
  <div className="bar" style={{ height: 6, minWidth: 90 }} aria-hidden>
    {share > 0 && (
      <span className={share > 0.9 ? 'warn' : 'accent'} style={{ width: `${Math.min(100, share * 100)}%` }} />
    )}
  </div>
);

function Actions({ worker, onRenew }: { worker: Worker; onRenew: (workerId: string) => void }) {
  const may = useMay();
  const drain = useChange('drainWorker');
  const change = useChange('changeWorkerKey');
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
      {worker.isEnrolled && (
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          title="The agent creates a new key. The old key is refused from then on"
          onClick={() => change.mutate({ workerId: worker.id })}
        >
          New key
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
