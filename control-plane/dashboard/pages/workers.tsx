/** Workers: the agents that place the calls. Enrolled by one command, drained before work on their host, revoked for good. */
import { Button, Group, Modal, NumberInput, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
import { Confirm } from '../show/confirm.tsx';
import { Copyable } from '../show/copy.tsx';
import { count } from '../show/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { Pages } from '../show/pages.tsx';
import { Time } from '../show/time.tsx';
import { Mark, WorkerState } from '../show/words.tsx';

type Worker = Output<'listWorkers'>;
type Enrolled = Output<'createWorker'>;

export function WorkersPage() {
  const me = useMe();
  const may = useMay();
  const [page, setPage] = useState(1);
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const workers = useCall('listWorkers', { page }, { everyMs: 3000 });
  return (
    <Page title="Workers" over={me.organization.name} actions={may('ADMIN') && <Enrol onEnrolled={setEnrolled} />}>
      <Card pad={false}>
        <Answer of={workers}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No agent yet">
                An agent runs on a host of yours, places real SIP calls from there and measures their media. Enrol one:
                you get a command to run on that host.
              </Empty>
            ) : (
              <>
                <WorkerTable rows={rows} onEnrolled={setEnrolled} />
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
        />
      )}
    </Page>
  );
}

function WorkerTable({ rows, onEnrolled }: { rows: readonly Worker[]; onEnrolled: (worker: Enrolled) => void }) {
  const may = useMay();
  return (
    <Table miw={820}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Worker</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Region</Table.Th>
          <Table.Th ta="right">Endpoints busy</Table.Th>
          <Table.Th>Agent</Table.Th>
          <Table.Th>Last seen</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((w) => (
          <Table.Tr key={w.id}>
            <Table.Td>
              <Text fw={600} style={{ whiteSpace: 'nowrap' }}>
                {w.name}
              </Text>
              <Text size="xs" c="dimmed">
                {w.ownership === 'PLATFORM'
                  ? 'shared by the installation'
                  : (w.agent?.hostname ?? 'waits for its agent')}
              </Text>
            </Table.Td>
            <Table.Td>
              <WorkerState status={w.status} />
            </Table.Td>
            <Table.Td>{w.region}</Table.Td>
            <Table.Td ta="right">
              {count(w.endpoints)} of {count(w.capacity)}
            </Table.Td>
            <Table.Td>
              {w.agent ? (
                <>
                  <Text size="sm">
                    {w.agent.version} · {w.agent.cpus} cores
                  </Text>
                  <Text size="xs" c="dimmed">
                    {w.agent.audioCodecs.join(', ')} · {w.agent.policy.maxCallsPerSecond} calls/s
                  </Text>
                </>
              ) : (
                '–'
              )}
            </Table.Td>
            <Table.Td>
              <Time at={w.seenAt} none="never" relative />
            </Table.Td>
            <Table.Td>
              {may('ADMIN') && w.ownership === 'USER_OWNED' && <Actions worker={w} onEnrolled={onEnrolled} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Actions({ worker, onEnrolled }: { worker: Worker; onEnrolled: (worker: Enrolled) => void }) {
  const renew = useChange('renewJoinToken', onEnrolled);
  const drain = useChange('drainWorker');
  const draining = worker.status === 'DRAINING';
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!worker.isEnrolled && (
        <Button
          size="xs"
          variant="default"
          loading={renew.isPending}
          onClick={() => renew.mutate({ workerId: worker.id })}
        >
          New token
        </Button>
      )}
      {(draining || worker.status === 'ONLINE') && (
        <Button
          size="xs"
          variant="default"
          loading={drain.isPending}
          onClick={() => drain.mutate({ workerId: worker.id, draining: !draining })}
        >
          {draining ? 'Resume' : 'Drain'}
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
        Its agent is disconnected at once and cannot come back with its key. Calls that it carries are given up. Its
        past runs stay.
      </Confirm>
    </Group>
  );
}

function Enrol({ onEnrolled }: { onEnrolled: (worker: Enrolled) => void }) {
  const [opened, setOpened] = useState(false);
  const [form, setForm] = useState({ name: '', region: 'local', capacity: 1000 });
  const create = useChange('createWorker', (worker) => {
    setOpened(false);
    onEnrolled(worker);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(form);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>Enrol an agent</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Enrol an agent">
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              description="Of the host, for example: berlin-1"
              required
              data-autofocus
              value={form.name}
              onChange={(e) => setForm({ ...form, name: e.target.value })}
              error={faultOf(create.error, 'name')}
            />
            <SimpleGrid cols={2}>
              <TextInput
                label="Region"
                description="Tests name it"
                required
                value={form.region}
                onChange={(e) => setForm({ ...form, region: e.target.value })}
                error={faultOf(create.error, 'region')}
              />
              <NumberInput
                label="Endpoints at once"
                description="Most that it carries"
                required
                min={1}
                max={100_000}
                value={form.capacity}
                onChange={(n) => setForm({ ...form, capacity: Number(n) })}
                error={faultOf(create.error, 'capacity')}
              />
            </SimpleGrid>
            {create.error && <Failed error={create.error} />}
            <Button type="submit" loading={create.isPending}>
              Make the join token
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

/** The command, as long as the token is good; and that the agent has come, once it has. */
function Token({ enrolled, now, onClose }: { enrolled: Enrolled; now: Worker | undefined; onClose: () => void }) {
  const left = useSecondsUntil(enrolled.joinTokenExpiresAt);
  const isThere = now?.status === 'ONLINE';
  const url = `${window.location.origin.replace(/^http/, 'ws')}/agent/v1`;
  const command = `CARILLON_URL=${url} CARILLON_JOIN_TOKEN=${enrolled.joinToken} npm run agent`;
  return (
    <Modal opened onClose={onClose} title={`Start the agent ${enrolled.name}`} size="lg">
      <Stack>
        <Text size="sm">
          On its host, with git and Node.js 20 or later: clone this repository, and run this there. The token is shown
          once.
        </Text>
        <Copyable text={command} label="the command" />
        <Group justify="space-between">
          {isThere ? (
            <Mark tone="good">The agent is online</Mark>
          ) : left > 0 ? (
            <Mark tone="accent" moving>
              Waiting for the agent · token good for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
            </Mark>
          ) : (
            <Mark tone="bad">The token has expired; make a new one in the list</Mark>
          )}
          <Button variant={isThere ? 'filled' : 'default'} onClick={onClose}>
            {isThere ? 'Done' : 'Close'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useSecondsUntil(at: string | null): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return at === null ? 0 : Math.max(0, Math.round((Date.parse(at) - nowMs) / 1000));
}
