/** The form of a probe, new or changed: target, schedule, and thresholds. */
import {
  Anchor,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import type { MetricKey } from '../../../contract/metric-keys.ts';
import type { ProbeMode } from '../../../contract/words.ts';
import { faultOf, useCall, useChange } from '../../api.ts';
import { Answer, Card, Failed, Page } from '../../show/basics/page.tsx';
import { draftOfProbe, newProbe, type ProbeDraft, probeBody } from '../../show/probe/probe-draft.ts';
import { type Limit, ProbeLimits, suggested } from '../../show/probe/probe-limits.tsx';
import { CallerFields } from '../../show/test-form/fields/caller-fields.tsx';
import { IceFields } from '../../show/test-form/fields/ice-fields.tsx';
import { RequestFields } from '../../show/test-form/fields/request-fields.tsx';
import { ExpectationFields } from '../../show/test-form/fields/test-expectations.tsx';
import { Destinations } from '../../show/test-form/registrar/destinations.tsx';
import { RegionSelect } from '../../show/test-form/registrar/region-select.tsx';

const MODES = [
  { value: 'CALL', label: 'Call: set-up, media, hang-up' },
  { value: 'REGISTER', label: 'Register with the registrar' },
  { value: 'OPTIONS', label: 'Send OPTIONS' },
];
const INTERVALS = [
  { value: '300', label: 'Every 5 minutes' },
  { value: '900', label: 'Every 15 minutes' },
  { value: '1800', label: 'Every 30 minutes' },
  { value: '3600', label: 'Every hour' },
  { value: 'CRON', label: 'Cron expression' },
];
const FIRST: Readonly<Record<ProbeMode, MetricKey>> = {
  CALL: 'avgMos',
  REGISTER: 'registerRtt',
  OPTIONS: 'optionsRtt',
};

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
      <Answer of={registrars}>{({ rows }) => <Form projectId={projectId} registrars={rows} probe={null} />}</Answer>
    </Page>
  );
}

export function ChangeProbePage() {
  const { projectId, probeId } = useParams({ strict: false }) as { projectId: string; probeId: string };
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const probe = useCall('getProbe', { projectId, probeId });
  return (
    <Answer of={probe}>
      {(p) => (
        <Page
          title={`Change ${p.name}`}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/probes/${probeId}`} size="sm">
              {p.name}
            </Anchor>
          }
        >
          <Answer of={registrars}>
            {({ rows }) => <Form key={p.version} projectId={projectId} registrars={rows} probe={p} />}
          </Answer>
        </Page>
      )}
    </Answer>
  );
}

type FormProps = {
  readonly projectId: string;
  readonly registrars: readonly Output<'listRegistrars'>[];
  readonly probe: Output<'getProbe'> | null;
};

function Form({ projectId, registrars, probe }: FormProps) {
  const navigate = useNavigate();
  const cloudId = registrars.find((r) => r.isCloud)?.id ?? '';
  const [form, setForm] = useState<ProbeDraft>(probe ? draftOfProbe(probe) : newProbe(cloudId));
  const [limits, setLimits] = useState<Limit[]>(probe ? [...probe.thresholds] : [suggested(FIRST.CALL)]);
  const set = (change: Partial<ProbeDraft>) => setForm({ ...form, ...change });
  const show = ({ id }: { id: string }) =>
    void navigate({ to: '/projects/$projectId/probes/$probeId', params: { projectId, probeId: id } });
  const create = useChange('createProbe', show);
  const update = useChange('updateProbe', show);
  const history = useCall(
    'listProbeInstances',
    { projectId, probeId: probe?.id ?? '', per_page: 40 },
    { enabled: probe !== null },
  );
  const error = create.error ?? update.error;
  const registrar = registrars.find((r) => r.id === form.registrarId);
  const registers = registrar?.register === true && !registrar.isCloud;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { projectId, ...probeBody(form, probe), thresholds: limits };
    if (probe) update.mutate({ ...body, probeId: probe.id });
    else create.mutate(body);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Card title="Basics">
          <Stack>
            <TextInput
              label="Name"
              description="A region in brackets at the end is shown with incidents, for example: Front door (Berlin)"
              required
              value={form.name}
              onChange={(e) => set({ name: e.target.value })}
              error={faultOf(error, 'name')}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label="Action"
                data={MODES}
                value={form.mode}
                allowDeselect={false}
                onChange={(m) => {
                  const mode = m as ProbeMode;
                  set({ mode, registrarId: viaOf(mode, registrar) ?? (mode === 'REGISTER' ? '' : cloudId) });
                  if (!probe) setLimits([suggested(FIRST[mode])]);
                }}
              />
              <Select
                label="Via"
                placeholder="Choose one"
                data={registrars
                  .filter((r) => viaOf(form.mode, r) !== null)
                  .map((r) => ({ value: r.id, label: r.isCloud ? 'None: directly to the address' : r.name }))}
                value={form.registrarId || null}
                allowDeselect={false}
                onChange={(id) => set({ registrarId: id ?? '' })}
                error={faultOf(error, 'test.registrarId')}
              />
              <TextInput
                label="Address"
                placeholder="sip:9000@pbx.example"
                description={form.mode === 'REGISTER' ? 'Not needed: no call is placed' : undefined}
                required={form.mode !== 'REGISTER'}
                value={form.uri}
                onChange={(e) => set({ uri: e.target.value })}
                error={faultOf(error, 'test.callee.uri')}
              />
              {form.region === '' ? (
                <TextInput label="From" readOnly value="Selected workers" />
              ) : (
                <RegionSelect value={form.region} onChange={(region) => set({ region })} />
              )}
              {form.mode !== 'OPTIONS' && (
                <Whole
                  label={form.mode === 'CALL' ? 'Call duration, seconds' : 'Time registered, seconds'}
                  most={3600}
                  value={form.durationSeconds}
                  onChange={(durationSeconds) => set({ durationSeconds })}
                />
              )}
              <TextInput
                label="Description"
                value={form.description}
                onChange={(e) => set({ description: e.target.value })}
              />
            </SimpleGrid>
            {form.mode !== 'REGISTER' && <Destinations mode={form.mode} uris={[form.uri]} registrar={registrar} />}
            {form.mode === 'CALL' && (
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <IceFields ice={form.ice} error={error} at="test.ice" onChange={(ice) => set({ ice })} />
                <Checkbox
                  label="RTP and RTCP on one port"
                  description="Offered and accepted (RFC 5761)."
                  checked={form.rtcpMux}
                  onChange={(e) => set({ rtcpMux: e.target.checked })}
                />
              </SimpleGrid>
            )}
            {form.mode === 'CALL' && (
              <CallerFields caller={form.caller} error={error} at="test" onChange={(caller) => set({ caller })} />
            )}
            <RequestFields
              requests={form.requests}
              has={{
                registration: registers && form.mode !== 'OPTIONS',
                retry: registers && form.mode !== 'OPTIONS',
                calling: form.mode === 'CALL',
                timer: form.mode === 'CALL',
                engine: registrar?.protocol === 'WS' || registrar?.protocol === 'WSS',
              }}
              error={error}
              at="test"
              onChange={(requests) => set({ requests })}
            />
            {form.mode === 'CALL' && (
              <ExpectationFields expectations={form.expectations} onChange={(expectations) => set({ expectations })} />
            )}
          </Stack>
        </Card>
        <Schedule form={form} set={set} error={error} />
        <Card title="Thresholds" note="Degraded beyond the first limit, unhealthy beyond the second">
          <ProbeLimits limits={limits} instances={history.data?.rows ?? []} onChange={setLimits} />
        </Card>
        {error && <Failed error={error} />}
        <Group justify="flex-end">
          <Button
            component={Link}
            to={probe ? `/projects/${projectId}/probes/${probe.id}` : `/projects/${projectId}/probes`}
            variant="default"
          >
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {probe ? 'Save' : 'Create probe'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The id of the registrar if a probe of this kind can use it: REGISTER requires a server that accepts registrations. */
function viaOf(mode: ProbeMode, r: Output<'listRegistrars'> | undefined): string | null {
  if (r === undefined || (mode === 'REGISTER' && (r.isCloud || !r.register))) return null;
  return r.id;
}

type ScheduleProps = { form: ProbeDraft; set: (change: Partial<ProbeDraft>) => void; error: Error | null };

const Schedule = ({ form, set, error }: ScheduleProps) => (
  <Card title="Schedule and alerting">
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      <Select
        label="Interval"
        data={INTERVALS}
        value={form.every}
        allowDeselect={false}
        onChange={(every) => set({ every: every as ProbeDraft['every'] })}
      />
      {form.every === 'CRON' && (
        <TextInput
          label="Cron expression"
          description="minute hour day month weekday"
          required
          value={form.cronExpression}
          onChange={(e) => set({ cronExpression: e.target.value })}
          error={faultOf(error, 'cronExpression')}
        />
      )}
      <TextInput
        label="Time zone"
        description="An IANA name such as Europe/Paris"
        required
        value={form.timezone}
        onChange={(e) => set({ timezone: e.target.value })}
        error={faultOf(error, 'timezone')}
      />
      <TextInput
        label="Run only from (time of day)"
        type="time"
        description="Empty: all day"
        value={form.from}
        onChange={(e) => set({ from: e.target.value })}
        error={faultOf(error, 'timeOfDayStartUtc')}
      />
      <TextInput
        label="Run only until"
        type="time"
        description="If this is earlier than the start, the window ends the next day"
        value={form.to}
        onChange={(e) => set({ to: e.target.value })}
        error={faultOf(error, 'timeOfDayEndUtc')}
      />
      <Whole
        label="Open an incident after"
        description="failed executions in a row"
        most={100}
        value={form.alertStrikeRuns}
        onChange={(alertStrikeRuns) => set({ alertStrikeRuns })}
      />
      <Whole
        label="Escalate after"
        description="minutes"
        most={1_000_000}
        value={form.escalateAfterMinutes}
        onChange={(escalateAfterMinutes) => set({ escalateAfterMinutes })}
      />
      <NumberInput
        label="Pause the probe after"
        description="hours"
        placeholder="never"
        min={1}
        max={100_000}
        allowDecimal={false}
        value={form.autoPauseAfterHours ?? ''}
        onChange={(n) => set({ autoPauseAfterHours: n === '' ? null : Number(n) })}
      />
    </SimpleGrid>
    <Text size="xs" c="dimmed" mt="sm">
      Times of day are in the selected time zone and follow daylight saving time.
    </Text>
  </Card>
);

type WholeProps = { label: string; description?: string; most: number; value: number; onChange: (n: number) => void };

const Whole = ({ label, description, most, value, onChange }: WholeProps) => (
  <NumberInput
    label={label}
    description={description}
    min={1}
    max={most}
    allowDecimal={false}
    value={value}
    onChange={(n) => onChange(Number(n) || 1)}
  />
);
