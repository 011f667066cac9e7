/** Components of the pages before log-in. */
import { Center, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Help } from './help.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

/** The part after the # of a link, which no server receives. */
export const linkSecret = (): string => window.location.hash.slice(1);

type Props = {
  readonly title: string;
  /** The address of what explains the page. */
  readonly chapter?: string;
  readonly children: ReactNode;
};

export function Door({ title, chapter = '/docs/guide/security#accounts', children }: Props) {
  useEffect(() => {
    document.title = `${title} · Carillon`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w={400} gap="lg">
        <Group justify="space-between">
          <Group gap={10}>
            <img src="/icon.svg" alt="" width={34} height={34} />
            <Text fw={700} fz={22}>
              Carillon
            </Text>
          </Group>
          <Group gap={6}>
            <Help chapter={chapter} />
            <SchemeSwitch />
          </Group>
        </Group>
        <section className="card card-pad">
          <Stack>
            <Title order={1} size="h3">
              {title}
            </Title>
            {children}
          </Stack>
        </section>
      </Stack>
    </Center>
  );
}
