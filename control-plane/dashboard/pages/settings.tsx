/** A project's name and description, and its deletion. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { navigate, useParams } from '../router.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { Answer, Card, Failed, Page } from '../show/basics/page.tsx';
import { Time } from '../show/basics/time.tsx';

export function SettingsPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId);
  const project = useCall('getProject', { projectId });
  return (
    <Page title="Settings">
      <Answer of={project}>
        {(p) => (
          <>
            {may('ADMIN') ? (
              <Form key={p.version} project={p} />
            ) : (
              <Card title={p.name}>
                <Text>{p.description || 'No description.'}</Text>
              </Card>
            )}
            <Text size="sm" c="dimmed" component="div">
              Made <Time at={p.createdAt} />; its id for the API is <code>{p.id}</code>
            </Text>
            {may('ADMIN') && <End project={p} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

type Project = Output<'getProject'>;

function Form({ project }: { project: Project }) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const update = useChange('updateProject');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ projectId: project.id, name, description });
  };
  return (
    <Card title="Project">
      <form onSubmit={submit}>
        <Stack maw={520}>
          <TextInput
            label="Name"
            required
            value={name}
            onChange={(e) => setName(e.target.value)}
            error={faultOf(update.error, 'name')}
          />
          <TextInput
            label="Description"
            value={description}
            onChange={(e) => setDescription(e.target.value)}
            error={faultOf(update.error, 'description')}
          />
          {update.error && <Failed error={update.error} />}
          <Group>
            <Button
              type="submit"
              loading={update.isPending}
              disabled={name === project.name && description === project.description}
            >
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function End({ project }: { project: Project }) {
  return (
    <Card title="Delete this project" note="With its tests, probes, registrars, media files and runs.">
      <Confirm
        label="Delete"
        size="sm"
        title={`Delete ${project.name}?`}
        act={async () => {
          await call('deleteProject', { projectId: project.id });
          await navigate({ to: '/' });
          await queries.invalidateQueries();
        }}
      >
        Everything in the project is deleted. This cannot be undone.
      </Confirm>
    </Card>
  );
}
