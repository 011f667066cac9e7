/** All details of one worker: its agent, its current load and noise, and what its host's owner allows. */
import { Button, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useChange } from '../../api.ts';
import { useMay } from '../../me.tsx';
// All packages of a control plane have one version.
import { version } from '../../package.json';
import { Drawer } from '../basics/dialog.tsx';
import { count, DASH, duration, number, plural } from '../basics/figures.ts';
import { Failed } from '../basics/page.tsx';
import { Time } from '../basics/time.tsx';
import { NoiseMark, WorkerState } from '../basics/words.tsx';
import { WorkerCapacity } from './worker-capacity.tsx';
import { FEATURE_GROUPINGS } from './worker-groups.tsx';
import { versionWords } from './worker-words.ts';

type Worker = Output<'listWorkers'>;

export function WorkerDrawer({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} title={worker.name} position="right" size="md">
      <Stack gap="lg">
        <Facts
          rows={[
            ['Status', <WorkerState key="status" worker={worker} />],
            ...(worker.drainedAt ? [['Drained', <Time key="drained" at={worker.drainedAt} />] as const] : []),
            ['Region', worker.region],
            ...FEATURE_GROUPINGS.flatMap(({ by, title }) =>
              worker[by] === null ? [] : [[title, worker[by]] as const],
            ),
            ['Endpoints now', `${count(worker.endpoints)} of ${count(worker.capacity)}`],
            ['Endpoints at once', <WorkerCapacity key="capacity" worker={worker} />],
            ['Connected', <Time key="connected" at={worker.connectedAt} none="never" />],
            ['Last seen', <Time key="seen" at={worker.seenAt} none="never" />],
          ]}
        />
        <Noise noise={worker.noise} />
        {worker.agent ? <Agent agent={worker.agent} /> : <Text c="dimmed">Its agent has not connected yet.</Text>}
        <NewKey worker={worker} />
      </Stack>
    </Drawer>
  );
}

const Facts = ({ title, rows }: { title?: string; rows: readonly (readonly [string, ReactNode])[] }) => (
  <section aria-label={title}>
    {title && (
      <Text component="h3" fw={650} mb={4}>
        {title}
      </Text>
    )}
    <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} highlightOnHover={false}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" w="42%" pr={10} style={{ verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);

/** The names of the checks of validity. */
const CHECKS: Readonly<Record<string, string>> = {
  pacingError: 'RTP sent late',
  skippedSlots: 'RTP not sent in time',
  loopDelay: 'Agent delayed',
  stall: 'Longest delay',
  threadCpu: 'Busiest thread',
  steal: 'CPU taken by the hypervisor',
  receiveDrops: 'Dropped by the kernel',
};

function Noise({ noise }: { noise: Worker['noise'] }) {
  if (!noise) return <Facts title="Noise" rows={[['Now', 'not measured: it has none of your runs']]} />;
  const checks = noise.checks.filter((c) => c.check in CHECKS);
  return (
    <Facts
      title="Noise"
      rows={[
        ['Over the last seconds', <NoiseMark key="verdict" verdict={noise.verdict} />],
        ...checks.map(
          (c) => [CHECKS[c.check] ?? c.check, c.value === null ? DASH : `${number(c.value)} ${c.unit}`] as const,
        ),
      ]}
    />
  );
}

const Agent = ({ agent }: { agent: NonNullable<Worker['agent']> }) => (
  <>
    <Facts
      title="Agent"
      rows={[
        ['Version', versionWords(agent.version, version)],
        ['Host', `${agent.hostname}, ${agent.platform}, ${plural(agent.cpus, 'core')}`],
        ['SIP and RTP by', `${agent.sipAdapter}, ${agent.rtpAdapter}`],
        ['Media threads', agent.rtpPriority || DASH],
        ['Audio', agent.audioCodecs.join(', ') || DASH],
        ['Video', agent.videoCodecs.join(', ') || DASH],
        ...(agent.lacks.length > 0 ? [['Cannot carry out', <Lacks key="lacks" lacks={agent.lacks} />] as const] : []),
      ]}
    />
    <Facts
      title="Host policy"
      rows={[
        ['May call', agent.policy.targetNetworks.join(', ') || 'nothing'],
        ['Calls per second', `at most ${count(agent.policy.maxCallsPerSecond)}`],
        ['Endpoints at once', `at most ${count(agent.policy.maxEndpoints)}`],
        ['Call duration', `at most ${duration(agent.policy.maxDurationSeconds)}`],
      ]}
    />
    <Text size="sm" c="dimmed">
      The policy is a file on the host. It cannot be changed here.
    </Text>
  </>
);

/** Tests that need one of these are not given to the agent. */
const Lacks = ({ lacks }: { lacks: readonly string[] }) => (
  <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
    {lacks.map((setting) => (
      <li key={setting}>{setting}</li>
    ))}
  </Stack>
);

function NewKey({ worker }: { worker: Worker }) {
  const may = useMay();
  const change = useChange('changeWorkerKey');
  if (!may('ADMIN') || worker.ownership !== 'USER_OWNED' || !worker.isEnrolled) return null;
  return (
    <div>
      <Button
        variant="default"
        loading={change.isPending}
        disabled={change.isSuccess}
        onClick={() => change.mutate({ workerId: worker.id })}
      >
        New key
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {change.isSuccess
          ? 'The agent creates it when it is connected.'
          : 'The agent creates it. The old key is refused from then on.'}
      </Text>
      {change.error && <Failed error={change.error} />}
    </div>
  );
}
