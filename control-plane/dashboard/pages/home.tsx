/** The organization's projects; the first thing that a newcomer sees. */
import { Button, Modal, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { faultOf, useCall, useChange } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
import { count } from '../show/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';

export function HomePage() {
  const me = useMe();
  const may = useMay();
  const projects = useCall('listProjects', { per_page: 100 });
  const makes = may('ADMIN') && me.allProjects;
  return (
    <Page
      title="Projects"
      over={me.organization.name}
      actions={makes && (projects.data?.rows.length ?? 0) > 0 && <NewProject />}
    >
      <Answer of={projects}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Card>
              <Empty title={`Welcome, ${me.user.name}`} action={makes && <NewProject first />}>
                {makes
                  ? 'A project holds what belongs together: tests, probes, the registrars they call over, and their runs. Make one, and the next page leads you to your first call.'
                  : 'You reach no project yet. An administrator of your organization can give you one.'}
              </Empty>
            </Card>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {rows.map((p) => (
                <Link
                  key={p.id}
                  to="/projects/$projectId"
                  params={{ projectId: p.id }}
                  className="card card-pad"
                  style={{ textDecoration: 'none', color: 'inherit' }}
                >
                  <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
                    {p.name}
                  </Title>
                  {p.description && (
                    <Text size="sm" c="dimmed" lineClamp={2}>
                      {p.description}
                    </Text>
                  )}
                  <Text size="sm" mt="sm">
                    {plural(p.testCount, 'test')} · {plural(p.probeCount, 'probe')} ·{' '}
                    {plural(p.registrarCount, 'registrar')}
                  </Text>
                </Link>
              ))}
            </SimpleGrid>
          )
        }
      </Answer>
    </Page>
  );
}

const plural = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;

function NewProject({ first = false }: { first?: boolean }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useChange('createProject', ({ id }) => {
    setOpened(false);
    void navigate({ to: '/projects/$projectId', params: { projectId: id } });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name, description });
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>{first ? 'Make your first project' : 'New project'}</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="New project">
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              data-autofocus
              value={name}
              onChange={(e) => setName(e.target.value)}
              error={faultOf(create.error, 'name')}
            />
            <TextInput
              label="Description"
              value={description}
              onChange={(e) => setDescription(e.target.value)}
              error={faultOf(create.error, 'description')}
            />
            {create.error && <Failed error={create.error} />}
            <Button type="submit" loading={create.isPending}>
              Make the project
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
