/**
 * Enrolls an agent: it asks for a name, shows the command for the host while the token is valid, and reports when the agent has
 * connected.
 */
import {
  Anchor,
  Button,
  Code,
  Group,
  Modal,
  NumberInput,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { type AgentReach, reachOf } from '../../../contract/reach.ts';
import { faultOf, useCall, useChange } from '../../api.ts';
// The agent has the same version: `npm run check` keeps all packages at one version.
import { version } from '../../package.json';
import { Copyable } from '../basics/copy.tsx';
import { IconAlertTriangle } from '../basics/icons.tsx';
import { Loud } from '../basics/loud.tsx';
import { Failed } from '../basics/page.tsx';
import { Mark } from '../basics/words.tsx';
import { CHECKOUT, DEBIAN, installWays } from './install-commands.ts';

export type Enrolled = Output<'createWorker'>;

export function Enroll({ onEnrolled }: { onEnrolled: (worker: Enrolled) => void }) {
  const [opened, setOpened] = useState(false);
  const [form, setForm] = useState({ name: '', region: 'local', capacity: 1000 });
  const create = useChange('createWorker', (worker) => {
    setOpened(false);
    setForm({ ...form, name: '' });
    onEnrolled(worker);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(form);
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Enroll an agent
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Enroll an agent">
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              description="Name of the host, for example berlin-1"
              required
              data-autofocus
              value={form.name}
              onChange={(e) => setForm({ ...form, name: e.target.value })}
              error={faultOf(create.error, 'name')}
            />
            <SimpleGrid cols={2}>
              <TextInput
                label="Region"
                description="Tests select agents by region"
                required
                value={form.region}
                onChange={(e) => setForm({ ...form, region: e.target.value })}
                error={faultOf(create.error, 'region')}
              />
              <NumberInput
                label="Endpoints at once"
                description="The highest load that the agent may carry"
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
              Create join token
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

type TokenProps = {
  readonly enrolled: Enrolled;
  readonly onClose: () => void;
  readonly onRenew: () => void;
};

export function Token({ enrolled, onClose, onRenew }: TokenProps) {
  // The page may show other workers.
  const named = useCall('listWorkers', { search: enrolled.name, per_page: 100 }, { everyMs: 3000 });
  const now = named.data?.rows.find(({ id }) => id === enrolled.id);
  const left = useSecondsUntil(enrolled.joinTokenExpiresAt);
  const isThere = now?.status === 'ONLINE';
  const reach = reachOf(enrolled.listening, window.location.origin);
  const ways = installWays(reach.agentUrl, enrolled.joinToken, version);
  return (
    <Modal opened onClose={onClose} title={`Start the agent ${enrolled.name}`} size="lg" closeOnClickOutside={isThere}>
      <Stack>
        <Text size="sm">
          Run this on its host. The token is shown once, and enrolls one agent once; the agent then has its own key.
        </Text>
        <Tabs defaultValue={reach.isLocal ? CHECKOUT : DEBIAN} keepMounted={false}>
          <Tabs.List>
            {ways.map((way) => (
              <Tabs.Tab key={way.name} value={way.name}>
                {way.name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ways.map((way) => (
            <Tabs.Panel key={way.name} value={way.name} pt="sm">
              <Text size="sm" c="dimmed" mb="xs">
                {way.needs}
                {way.name !== CHECKOUT && <FromRelease />}
              </Text>
              <Copyable text={way.command} label="the command" />
            </Tabs.Panel>
          ))}
        </Tabs>
        {reach.agentUrl.startsWith('wss:') && !isThere && (
          <Text size="sm" c="dimmed">
            If the host does not know the issuer of the certificate of {new URL(reach.agentUrl).host}, add{' '}
            <Code>--ca FILE</Code> to <Code>enroll</Code>: the certificate of that issuer.
          </Text>
        )}
        {reach.missing.length > 0 && !isThere && <Unreachable {...reach} />}
        <Group justify="space-between">
          <div role="status">
            {isThere ? (
              <Mark tone="good">The agent is online</Mark>
            ) : left > 0 ? (
              <Mark tone="accent" moving>
                Waiting for the agent
              </Mark>
            ) : (
              <Mark tone="bad">The token has expired</Mark>
            )}
          </div>
          {!isThere && left > 0 && (
            <Text size="sm" c="dimmed" role="timer">
              The token is good for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
            </Text>
          )}
          <Group gap="sm">
            {!isThere && left === 0 && <Button onClick={onRenew}>New token</Button>}
            <Button variant={isThere ? 'filled' : 'default'} onClick={onClose}>
              {isThere ? 'Done' : 'Close'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

const FromRelease = () => (
  <>
    {' '}
    Copy the file from a{' '}
    <Anchor href="/docs/guide/releases" underline="always" inherit>
      release
    </Anchor>{' '}
    to the host; in a checkout, <Code>npm run package</Code> makes it.
  </>
);

export const Unreachable = ({ isLocal, missing }: AgentReach) => (
  <Loud
    title={isLocal ? 'This address works only on this host' : 'This address is not ready yet'}
    isAlert={false}
    icon={IconAlertTriangle}
  >
    <Text size="sm">
      {isLocal
        ? 'For an agent on another host, start the control plane again with these settings, then make a new token.'
        : 'Start the control plane again with these settings.'}
    </Text>
    <Stack component="ul" gap="xs" mt="xs" mb={0} p={0} style={{ listStyle: 'none' }}>
      {missing.map(({ lines, why }) => (
        <li key={why}>
          <Code display="block" p="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {lines.join('\n')}
          </Code>
          <Text size="xs" c="dimmed">
            {why}
          </Text>
        </li>
      ))}
    </Stack>
    <Anchor href="/docs/guide/server" size="sm" underline="always" display="inline-block" mt="xs">
      Install on a server
    </Anchor>
  </Loud>
);

function useSecondsUntil(at: string | null): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return at === null ? 0 : Math.max(0, Math.round((Date.parse(at) - nowMs) / 1000));
}
