/** Basic parts of every page: a title with actions, cards, and empty states. */
import { Alert, Button, Group, Loader, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useCall } from '../../api.ts';
import { useParams } from '../../router.tsx';
import { codeOf, WhatToDo } from './fault.tsx';
import { IconAlertTriangle } from './icons.tsx';
import { ScrollBox } from './scroll-box.tsx';

type PageProps = {
  readonly title: string;
  /** A smaller text above the title, with the place of the page. Absent: the name of the project. */
  readonly over?: ReactNode;
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Page({ title, over = <ProjectName />, beside, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Carillon`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div style={{ minWidth: 0 }}>
          {over && (
            <Text component="div" className="over" size="sm" c="dimmed" mb={2}>
              {over}
            </Text>
          )}
          <Group gap="md">
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {beside}
          </Group>
        </div>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** The navigation makes the same request. */
function ProjectName() {
  const { projectId } = useParams() as { projectId?: string };
  const projects = useCall('listProjects', { per_page: 100 }, { enabled: projectId !== undefined });
  return projects.data?.rows.find((p) => p.id === projectId)?.name ?? '\u00a0';
}

type CardProps = {
  readonly title?: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly pad?: boolean;
  readonly children: ReactNode;
};

/** `pad` is false for a table, which has its own padding. */
export const Card = ({ title, note, actions, pad = true, children }: CardProps) => (
  <section className="card" aria-label={title}>
    {(title || actions) && (
      <Group justify="space-between" px={18} pt={14} pb={pad ? 0 : 10} gap="xs">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        {actions}
      </Group>
    )}
    {pad ? (
      <div className="card-pad">{children}</div>
    ) : (
      <ScrollBox label={`${title ?? 'The'} table`}>{children}</ScrollBox>
    )}
  </section>
);

/** An empty state: what would be here, and how to create the first one. */
export const Empty = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <Stack className="empty" align="center" gap="xs" py={36} px="md" ta="center">
    <Text fw={600} size="lg">
      {title}
    </Text>
    {children && (
      <Text c="dimmed" maw={520}>
        {children}
      </Text>
    )}
    {action && <div style={{ marginTop: 8 }}>{action}</div>}
  </Stack>
);

/** The heading of a column of buttons, for screen readers. The hidden text must not be outside of the box that scrolls. */
export const ActionsHeading = () => (
  <Table.Th pos="relative">
    <VisuallyHidden>Actions</VisuallyHidden>
  </Table.Th>
);

export const Waiting = () => (
  <Group justify="center" py={48}>
    <Loader size="sm" role="status" aria-label="Loading" />
  </Group>
);

export const Failed = ({ error, again }: { error: Error; again?: () => void }) => (
  <Alert color="red" variant="outline" icon={<IconAlertTriangle size={18} />} title="The request failed" role="alert">
    <Text size="sm">{error.message.replace(/^\d+ [A-Z_]+: /, '')}</Text>
    <WhatToDo code={codeOf(error)} />
    {again && (
      <Button size="xs" mt="sm" variant="default" onClick={again}>
        Try again
      </Button>
    )}
  </Alert>
);

type QueryState<T> = { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => unknown };

/** Shows the data of a request once they are loaded. */
export function Answer<T>({ of, children }: { of: QueryState<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failed error={of.error} again={() => void of.refetch()} />;
  return <Waiting />;
}
