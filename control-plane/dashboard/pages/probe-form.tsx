/** A new probe: whom it calls, how often, and when it is not well. */
import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { METRIC_KEYS, type MetricKey } from '../../contract/metric-keys.ts';
import type { ProbeMode } from '../../contract/words.ts';
import { faultOf, useCall, useChange } from '../api.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { RegionSelect } from '../show/region-select.tsx';

const MODES = [
  { value: 'CALL', label: 'Call: set-up, media, hang-up' },
  { value: 'REGISTER', label: 'Register with the registrar' },
  { value: 'OPTIONS', label: 'OPTIONS: does it answer' },
];
const INTERVALS = [
  { value: '300', label: 'Every 5 minutes' },
  { value: '900', label: 'Every 15 minutes' },
  { value: '1800', label: 'Every 30 minutes' },
  { value: '3600', label: 'Every hour' },
];
const FIRST: Readonly<Record<ProbeMode, MetricKey>> = {
  CALL: 'avgMos',
  REGISTER: 'registerRtt',
  OPTIONS: 'optionsRtt',
};

type Limit = { readonly metricKey: MetricKey; readonly greenValue: number; readonly orangeValue: number };
const suggested = (metricKey: MetricKey): Limit => ({
  metricKey,
  greenValue: METRIC_KEYS[metricKey].suggestedGreen,
  orangeValue: METRIC_KEYS[metricKey].suggestedOrange,
});

export function NewProbePage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const back = (
    <Anchor component={Link} to={`/projects/${projectId}/probes`} size="sm">
      Probes
    </Anchor>
  );
  return (
    <Page title="New probe" over={back}>
      <Answer of={registrars}>
        {({ rows }) => {
          const others = rows.filter((r) => !r.isCloud).map((r) => ({ value: r.id, label: r.name }));
          return others.length === 0 ? (
            <Card>
              <Empty
                title="A probe calls a system of yours"
                action={
                  <Button component={Link} to={`/projects/${projectId}/registrars`}>
                    To the registrars
                  </Button>
                }
              >
                Make a registrar or trunk first: it says where the call goes through.
              </Empty>
            </Card>
          ) : (
            <Form projectId={projectId} registrars={others} />
          );
        }}
      </Answer>
    </Page>
  );
}

type FormProps = { readonly projectId: string; readonly registrars: { value: string; label: string }[] };

function Form({ projectId, registrars }: FormProps) {
  const navigate = useNavigate();
  const [form, setForm] = useState({
    name: '',
    mode: 'CALL' as ProbeMode,
    registrarId: registrars[0]?.value ?? '',
    uri: 'sip:',
    region: 'local',
    fixedIntervalSec: 300 as 300 | 900 | 1800 | 3600,
    durationSeconds: 10,
    alertStrikeRuns: 2,
  });
  const [limits, setLimits] = useState<Limit[]>([suggested(FIRST.CALL)]);
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const create = useChange('createProbe', ({ id }) => {
    void navigate({ to: '/projects/$projectId/probes/$probeId', params: { projectId, probeId: id } });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { registrarId, uri, region, ...rest } = form;
    const test = {
      registrarId,
      callee: { mode: 'EXTERNAL_URI' as const, uri },
      placement: { mode: 'REGION' as const, region },
    };
    create.mutate({ projectId, ...rest, test, thresholds: limits });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Card title="What it does">
          <Stack>
            <TextInput
              label="Name"
              description="A region in brackets at its end is shown with its incidents: Front door (Berlin)"
              required
              value={form.name}
              onChange={(e) => set({ name: e.target.value })}
              error={faultOf(create.error, 'name')}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label="It tries to"
                data={MODES}
                value={form.mode}
                allowDeselect={false}
                onChange={(m) => {
                  const mode = m as ProbeMode;
                  set({ mode });
                  setLimits([suggested(FIRST[mode])]);
                }}
              />
              <Select
                label="By way of"
                data={registrars}
                value={form.registrarId}
                allowDeselect={false}
                onChange={(id) => set({ registrarId: id ?? '' })}
                error={faultOf(create.error, 'test.registrarId')}
              />
              <TextInput
                label="Address"
                placeholder="sip:9000@pbx.example"
                required
                value={form.uri}
                onChange={(e) => set({ uri: e.target.value })}
                error={faultOf(create.error, 'test.callee.uri')}
              />
              <RegionSelect value={form.region} onChange={(region) => set({ region })} />
              <Select
                label="How often"
                data={INTERVALS}
                value={String(form.fixedIntervalSec)}
                allowDeselect={false}
                onChange={(s) => set({ fixedIntervalSec: Number(s) as 300 })}
              />
              <NumberInput
                label="A call lasts, seconds"
                min={1}
                max={3600}
                value={form.durationSeconds}
                onChange={(n) => set({ durationSeconds: Number(n) || 1 })}
              />
              <NumberInput
                label="An incident opens after so many bad runs in a row"
                min={1}
                max={100}
                value={form.alertStrikeRuns}
                onChange={(n) => set({ alertStrikeRuns: Number(n) || 1 })}
              />
            </SimpleGrid>
          </Stack>
        </Card>
        <Card
          title="When it is well"
          note="Beyond the first limit it is degraded, beyond the second unhealthy"
          pad={false}
        >
          <Limits limits={limits} onChange={setLimits} />
        </Card>
        {create.error && <Failed error={create.error} />}
        <Group justify="flex-end">
          <Button component={Link} to={`/projects/${projectId}/probes`} variant="default">
            Leave it
          </Button>
          <Button type="submit" loading={create.isPending}>
            Make the probe
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Limits({ limits, onChange }: { limits: Limit[]; onChange: (limits: Limit[]) => void }) {
  const free = (Object.keys(METRIC_KEYS) as MetricKey[]).filter((key) => !limits.some((l) => l.metricKey === key));
  const change = (i: number, part: Partial<Limit>) => onChange(limits.map((l, n) => (n === i ? { ...l, ...part } : l)));
  return (
    <>
      <Table miw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Metric</Table.Th>
            <Table.Th>Healthy to</Table.Th>
            <Table.Th>Degraded to</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map((l, i) => {
            const { displayName, unit, higherIsBetter } = METRIC_KEYS[l.metricKey];
            return (
              <Table.Tr key={l.metricKey}>
                <Table.Td>
                  {displayName}
                  <Text size="xs" c="dimmed">
                    {unit}, {higherIsBetter ? 'higher' : 'lower'} is better
                  </Text>
                </Table.Td>
                <Table.Td>
                  <NumberInput
                    aria-label={`${displayName}, healthy to`}
                    value={l.greenValue}
                    decimalScale={3}
                    onChange={(n) => change(i, { greenValue: Number(n) })}
                  />
                </Table.Td>
                <Table.Td>
                  <NumberInput
                    aria-label={`${displayName}, degraded to`}
                    value={l.orangeValue}
                    decimalScale={3}
                    onChange={(n) => change(i, { orangeValue: Number(n) })}
                  />
                </Table.Td>
                <Table.Td ta="right">
                  <Tooltip label="Leave it out">
                    <ActionIcon
                      variant="default"
                      aria-label={`Leave ${displayName} out`}
                      onClick={() => onChange(limits.filter((_, n) => n !== i))}
                    >
                      <IconX size={16} />
                    </ActionIcon>
                  </Tooltip>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <Group px={18} py={12}>
        <Select
          aria-label="Add a metric"
          placeholder="Add a metric"
          data={free.map((key) => ({ value: key, label: METRIC_KEYS[key].displayName }))}
          value={null}
          onChange={(key) => key && onChange([...limits, suggested(key as MetricKey)])}
        />
      </Group>
    </>
  );
}
