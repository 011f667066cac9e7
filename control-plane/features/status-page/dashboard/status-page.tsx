/** The public status page of a project: address, texts, and probes with their public names. */
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Select,
  Stack,
  Switch,
  Table,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, RequestFailed, useCall, useChange } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Link, useParams } from '../../../dashboard/router.tsx';
import { IconArrowDown, IconArrowUp, IconX } from '../../../dashboard/show/basics/icons.tsx';
import { Answer, Card, Empty, Failed, Page } from '../../../dashboard/show/basics/page.tsx';
import { Mark } from '../../../dashboard/show/basics/words.tsx';

type Settings = Output<'getStatusPage'>;
type Probe = Output<'listProbes'>;
type Choice = Settings['probes'][number];

export function StatusPageSettingsPage() {
  const { projectId } = useParams() as { projectId: string };
  const settings = useCall('getStatusPage', { projectId });
  const probes = useCall('listProbes', { projectId, per_page: 100 });
  return (
    <Answer of={settings}>
      {(s) => (
        <Page
          title="Status page"
          beside={<Mark tone={s.published ? 'good' : 'none'}>{s.published ? 'Published' : 'Not published'}</Mark>}
          actions={
            s.published &&
            s.path && (
              <Button component="a" href={s.path} target="_blank" rel="noopener" variant="default">
                View public page
              </Button>
            )
          }
        >
          <Text c="dimmed">
            A public page that needs no account. It shows the state of the selected probes over the last 90 days, and
            their incidents, under the names that you enter here.
          </Text>
          <Answer of={probes}>
            {({ rows }) => <Form key={s.version} projectId={projectId} settings={s} probes={rows} />}
          </Answer>
        </Page>
      )}
    </Answer>
  );
}

type FormProps = { readonly projectId: string; readonly settings: Settings; readonly probes: readonly Probe[] };

function Form({ projectId, settings, probes }: FormProps) {
  const may = useMay(projectId)('ADMIN');
  const { published, slug, title, description, probes: chosen } = settings;
  const [form, setForm] = useState({ published, slug: slug ?? '', title, description, probes: chosen });
  const update = useChange('updateStatusPage');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { slug, title, ...rest } = form;
    update.mutate({ projectId, ...rest, ...(slug !== '' && { slug }), ...(title !== '' && { title }) });
  };
  const text = (name: 'slug' | 'title' | 'description') => ({
    value: form[name],
    onChange: (e: { target: { value: string } }) => setForm({ ...form, [name]: e.target.value }),
    error: faultOf(update.error, name),
    disabled: !may,
  });
  const details = update.error instanceof RequestFailed ? update.error.details : [];
  const isShown = details.some((d) => ['slug', 'title', 'description'].includes(d.path));
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {!may && <Alert color="gray" variant="outline" title="Only administrators can change it" />}
        <Card title="Content">
          <Stack maw={620}>
            <TextInput
              label="Address"
              description={`${window.location.origin}/status/${form.slug || '…'}`}
              placeholder="acme-voice"
              required
              {...text('slug')}
            />
            <TextInput label="Title" placeholder="Acme Voice" required={form.published} {...text('title')} />
            <Textarea label="Description" autosize minRows={2} {...text('description')} />
          </Stack>
        </Card>
        <Card title="Probes shown" note="Shown in this order">
          <Chosen
            projectId={projectId}
            chosen={form.probes}
            probes={probes}
            disabled={!may}
            onChange={(next) => setForm({ ...form, probes: next })}
          />
        </Card>
        {may && (
          <Card>
            <Stack>
              <Switch
                label="Published"
                description="When off, the address returns 404."
                checked={form.published}
                onChange={(e) => setForm({ ...form, published: e.target.checked })}
              />
              {update.error && !isShown && <Failed error={update.error} />}
              <Group>
                <Button type="submit" loading={update.isPending}>
                  Save
                </Button>
                {update.isSuccess && (
                  <Text size="sm" role="status">
                    Saved; the public sees it within a minute.
                  </Text>
                )}
              </Group>
            </Stack>
          </Card>
        )}
      </Stack>
    </form>
  );
}

type ChosenProps = {
  readonly projectId: string;
  readonly chosen: readonly Choice[];
  readonly probes: readonly Probe[];
  readonly disabled: boolean;
  readonly onChange: (chosen: Choice[]) => void;
};

function Chosen({ projectId, chosen, probes, disabled, onChange }: ChosenProps) {
  const nameOf = (id: string) => probes.find((p) => p.id === id)?.name ?? 'deleted probe';
  const rest = probes.filter((p) => !chosen.some((c) => c.probeId === p.id));
  const move = (from: number, to: number) => {
    const next = [...chosen];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  if (probes.length === 0) {
    return (
      <Empty
        title="No probe yet"
        action={
          <Button component={Link} to={`/projects/${projectId}/probes/new`} variant="default">
            New probe
          </Button>
        }
      >
        The public page shows the state of probes. Create one, and choose it here.
      </Empty>
    );
  }
  return (
    <Stack>
      {chosen.length === 0 ? (
        <Text c="dimmed">No probe selected: the page would be empty.</Text>
      ) : (
        <Table highlightOnHover={false} horizontalSpacing={0} withRowBorders={false}>
          <Table.Tbody>
            {chosen.map((c, i) => (
              <Table.Tr key={c.probeId}>
                <Table.Td>
                  <TextInput
                    aria-label={`Public name of ${nameOf(c.probeId)}`}
                    description={nameOf(c.probeId)}
                    inputWrapperOrder={['label', 'input', 'description', 'error']}
                    value={c.displayName}
                    required
                    disabled={disabled}
                    onChange={(e) =>
                      onChange(chosen.map((o, k) => (k === i ? { ...o, displayName: e.target.value } : o)))
                    }
                  />
                </Table.Td>
                {!disabled && (
                  <Table.Td w={130} style={{ verticalAlign: 'top' }}>
                    <Group gap={4} wrap="nowrap" justify="flex-end">
                      <Do label={`${c.displayName} up`} off={i === 0} act={() => move(i, i - 1)}>
                        <IconArrowUp size={17} />
                      </Do>
                      <Do label={`${c.displayName} down`} off={i === chosen.length - 1} act={() => move(i, i + 1)}>
                        <IconArrowDown size={17} />
                      </Do>
                      <Do label={`Take ${c.displayName} off`} act={() => onChange(chosen.filter((_, k) => k !== i))}>
                        <IconX size={17} />
                      </Do>
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {!disabled && rest.length > 0 && (
        <Select
          label="Add a probe"
          placeholder="Select a probe"
          maw={420}
          data={rest.map((p) => ({ value: p.id, label: p.name }))}
          value={null}
          onChange={(id) => id && onChange([...chosen, { probeId: id, displayName: nameOf(id) }])}
        />
      )}
    </Stack>
  );
}

type DoProps = {
  readonly label: string;
  readonly off?: boolean;
  readonly act: () => void;
  readonly children: ReactNode;
};

const Do = ({ label, off = false, act, children }: DoProps) => (
  <ActionIcon variant="default" size="lg" aria-label={label} disabled={off} onClick={act}>
    {children}
  </ActionIcon>
);
