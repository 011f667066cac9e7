/** The form of a probe, new or changed: target, schedule, and thresholds. */
import { Anchor, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { GROUP_KINDS, PROBE_KINDS } from '../../../contract/form-fields.ts';
import type { MetricKey } from '../../../contract/metric-keys.ts';
import type { ProbeMode } from '../../../contract/test-settings/words.ts';
import { faultOf, useCall, useChange } from '../../api.ts';
import { Link, navigate, useParams } from '../../router.tsx';
import { Fields } from '../../show/basics/fields.tsx';
import { formOf, partOf } from '../../show/basics/form.ts';
import { FormButtons, FormSection, FormSections } from '../../show/basics/form-sections.tsx';
import { Answer, Failed, Page } from '../../show/basics/page.tsx';
import { useFirstRefused } from '../../show/basics/refused.ts';
import { draftOfProbe, newProbe, type ProbeDraft, probeBody } from '../../show/probe/probe-draft.ts';
import { FoldedFields, ScheduleFields } from '../../show/probe/probe-fields.tsx';
import { type Limit, ProbeLimits, suggested } from '../../show/probe/probe-limits.tsx';
import { PROBE_TEMPLATES, type ProbeTemplate, probeFilledBy } from '../../show/probe/probe-templates.ts';
import { ExpectationFields } from '../../show/test-form/fields/test-expectations.tsx';
import { Destinations } from '../../show/test-form/registrar/destinations.tsx';
import { RegionSelect } from '../../show/test-form/registrar/region-select.tsx';
import { TemplateChoice } from '../../show/test-form/template-choice.tsx';

const MODES = [
  { value: 'CALL', label: 'Call: set-up, media, hang-up' },
  { value: 'REGISTER', label: 'Register with the registrar' },
  { value: 'OPTIONS', label: 'Send OPTIONS' },
];
const FIRST: Readonly<Record<ProbeMode, MetricKey>> = {
  CALL: 'avgMos',
  REGISTER: 'registerRtt',
  OPTIONS: 'optionsRtt',
};

export function NewProbePage() {
  const { projectId } = useParams() as { projectId: string };
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
  const { projectId, probeId } = useParams() as { projectId: string; probeId: string };
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
  const cloudId = registrars.find((r) => r.isCloud)?.id ?? '';
  const [values, setValues] = useState<ProbeDraft>(probe ? draftOfProbe(probe) : newProbe(cloudId));
  const [limits, setLimits] = useState<Limit[]>(probe ? [...probe.thresholds] : [suggested(FIRST.CALL)]);
  const [template, setTemplate] = useState<ProbeTemplate | null>(null);
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
  const form = useFirstRefused(error);
  const registrar = registrars.find((r) => r.id === values.registrarId);
  const registers = registrar?.register === true && !registrar.isCloud;
  const { mode } = values;
  const fields = formOf(PROBE_KINDS, values, error, '', setValues);
  const { set } = fields;
  const test = formOf(GROUP_KINDS, values.test, error, 'test', (next) => set({ test: next }));
  const start = (chosen: ProbeTemplate | null) => {
    const { name, description } = values;
    setTemplate(chosen);
    setValues(chosen ? probeFilledBy(chosen, values, cloudId) : { ...newProbe(cloudId), name, description });
    setLimits([suggested(chosen?.judgedBy ?? FIRST.CALL)]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { projectId, ...probeBody(values, probe), thresholds: limits };
    if (probe) update.mutate({ ...body, probeId: probe.id });
    else create.mutate(body);
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="lg">
        {probe === null && (
          <TemplateChoice
            templates={PROBE_TEMPLATES}
            chosen={template}
            mayRegister={registrars.some((r) => viaOf('REGISTER', r) !== null)}
            onChoose={start}
          />
        )}
        <FormSections>
          <FormSection title="Basics">
            <Fields
              form={fields}
              cols={1}
              rows={[
                {
                  key: 'name',
                  label: 'Name',
                  hint: 'A region in brackets at the end is shown with incidents, for example: Front door (Berlin)',
                },
                { key: 'description', label: 'Description', required: false },
              ]}
            />
          </FormSection>
          <FormSection title="Target">
            <Stack>
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
                  mode !== 'REGISTER' ? (
                    <TextInput
                      key="uri"
                      label="Address"
                      placeholder="sip:9000@pbx.example"
                      required
                      value={values.uri}
                      onChange={(e) => set({ uri: e.target.value })}
                      error={faultOf(error, 'test.callee.uri')}
                    />
                  ) : undefined,
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
                ]}
              />
              {mode !== 'REGISTER' && <Destinations mode={mode} uris={[values.uri]} registrar={registrar} />}
            </Stack>
          </FormSection>
          <FormSection title="Schedule">
            <ScheduleFields form={fields} />
          </FormSection>
          <FormSection title="Pass or fail">
            <Stack>
              <Text size="sm" c="dimmed">
                Degraded beyond the first limit, unhealthy beyond the second.
              </Text>
              <ProbeLimits limits={limits} instances={history.data?.rows ?? []} onChange={setLimits} />
              {mode === 'CALL' && <ExpectationFields form={partOf(test, 'expectations')} media />}
            </Stack>
          </FormSection>
          <FoldedFields
            form={fields}
            test={test}
            error={error}
            server={{
              registers,
              isWebSocket: registrar?.protocol === 'WS' || registrar?.protocol === 'WSS',
            }}
          />
        </FormSections>
        {error && <Failed error={error} />}
        <FormButtons>
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
        </FormButtons>
      </Stack>
    </form>
  );
}

/** The id of the registrar if a probe of this kind can use it: REGISTER requires a server that accepts registrations. */
function viaOf(mode: ProbeMode, r: Output<'listRegistrars'> | undefined): string | null {
  if (r === undefined || (mode === 'REGISTER' && (r.isCloud || !r.register))) return null;
  return r.id;
}
