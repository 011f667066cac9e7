/** The form of a probe, new or changed: target, schedule, and thresholds. */
import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { GROUP_KINDS, PROBE_KINDS } from '../../../contract/form-fields.ts';
import type { MetricKey } from '../../../contract/metric-keys.ts';
import type { ProbeMode } from '../../../contract/words.ts';
import { faultOf, useCall, useChange } from '../../api.ts';
import { Field } from '../../show/basics/field.tsx';
import { Fields } from '../../show/basics/fields.tsx';
import { type Form as FormOf, formOf, partOf } from '../../show/basics/form.ts';
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
  const [values, setValues] = useState<ProbeDraft>(probe ? draftOfProbe(probe) : newProbe(cloudId));
  const [limits, setLimits] = useState<Limit[]>(probe ? [...probe.thresholds] : [suggested(FIRST.CALL)]);
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
  const registrar = registrars.find((r) => r.id === values.registrarId);
  const registers = registrar?.register === true && !registrar.isCloud;
  const { mode } = values;
  const fields = formOf(PROBE_KINDS, values, error, '', setValues);
  const { set } = fields;
  const test = formOf(GROUP_KINDS, values.test, error, 'test', (next) => set({ test: next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { projectId, ...probeBody(values, probe), thresholds: limits };
    if (probe) update.mutate({ ...body, probeId: probe.id });
    else create.mutate(body);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Card title="Basics">
          <Stack>
            <Fields
              form={fields}
              cols={1}
              rows={[
                {
                  key: 'name',
                  label: 'Name',
                  hint: 'A region in brackets at the end is shown with incidents, for example: Front door (Berlin)',
                },
              ]}
            />
            <Fields
              form={fields}
              rows={[
                <Select
                  key="mode"
                  label="Action"
                  data={MODES}
                  value={mode}
                  allowDeselect={false}
                  onChange={(m) => {
                    const mode = m as ProbeMode;
                    set({ mode, registrarId: viaOf(mode, registrar) ?? (mode === 'REGISTER' ? '' : cloudId) });
                    if (!probe) setLimits([suggested(FIRST[mode])]);
                  }}
                />,
                <Select
                  key="via"
                  label="Via"
                  placeholder="Choose one"
                  data={registrars
                    .filter((r) => viaOf(mode, r) !== null)
                    .map((r) => ({ value: r.id, label: r.isCloud ? 'None: directly to the address' : r.name }))}
                  value={values.registrarId || null}
                  allowDeselect={false}
                  onChange={(id) => set({ registrarId: id ?? '' })}
                  error={faultOf(error, 'test.registrarId')}
                />,
                <TextInput
                  key="uri"
                  label="Address"
                  placeholder="sip:9000@pbx.example"
                  description={mode === 'REGISTER' ? 'Not needed: no call is placed' : undefined}
                  required={mode !== 'REGISTER'}
                  value={values.uri}
                  onChange={(e) => set({ uri: e.target.value })}
                  error={faultOf(error, 'test.callee.uri')}
                />,
                values.region === '' ? (
                  <TextInput key="workers" label="From" readOnly value="Selected workers" />
                ) : (
                  <RegionSelect key="region" value={values.region} onChange={(region) => set({ region })} />
                ),
                mode !== 'OPTIONS' && {
                  key: 'durationSeconds',
                  label: mode === 'CALL' ? 'Call duration, seconds' : 'Time registered, seconds',
                  most: 3600,
                  required: false,
                },
                { key: 'description', label: 'Description', required: false },
              ]}
            />
            {mode !== 'REGISTER' && <Destinations mode={mode} uris={[values.uri]} registrar={registrar} />}
            {mode === 'CALL' && (
              <>
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <IceFields form={test} />
                  <Field
                    form={test}
                    row={{
                      key: 'rtcpMux',
                      label: 'RTP and RTCP on one port',
                      hint: 'Offered and accepted (RFC 5761).',
                    }}
                  />
                </SimpleGrid>
                <CallerFields form={test} />
              </>
            )}
            <RequestFields
              form={test}
              has={{
                registration: registers && mode !== 'OPTIONS',
                calling: mode === 'CALL',
                timer: mode === 'CALL',
                engine: registrar?.protocol === 'WS' || registrar?.protocol === 'WSS',
              }}
            />
            {mode === 'CALL' && <ExpectationFields form={partOf(test, 'expectations')} />}
          </Stack>
        </Card>
        <Schedule form={fields} />
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

const Schedule = ({ form }: { readonly form: FormOf<ProbeDraft> }) => (
  <Card title="Schedule and alerting">
    <Fields
      form={form}
      cols={{ base: 1, sm: 2, lg: 3 }}
      rows={[
        <Select
          key="every"
          label="Interval"
          data={INTERVALS}
          value={form.values.every}
          allowDeselect={false}
          onChange={(every) => form.set({ every: every as ProbeDraft['every'] })}
        />,
        form.values.every === 'CRON' && {
          key: 'cronExpression',
          label: 'Cron expression',
          hint: 'minute hour day month weekday',
          required: true,
        },
        { key: 'timezone', label: 'Time zone', hint: 'An IANA name such as Europe/Paris' },
        {
          key: 'timeOfDayStartUtc',
          label: 'Run only from (time of day)',
          hint: 'Empty: all day',
          isTime: true,
        },
        {
          key: 'timeOfDayEndUtc',
          label: 'Run only until',
          hint: 'If this is earlier than the start, the window ends the next day',
          isTime: true,
        },
        {
          key: 'alertStrikeRuns',
          label: 'Open an incident after',
          hint: 'failed executions in a row',
          required: false,
        },
        { key: 'escalateAfterMinutes', label: 'Escalate after', hint: 'minutes', required: false },
        { key: 'autoPauseAfterHours', label: 'Pause the probe after', hint: 'hours', placeholder: 'never' },
      ]}
    />
    <Text size="xs" c="dimmed" mt="sm">
      Times of day are in the selected time zone and follow daylight saving time.
    </Text>
  </Card>
);
