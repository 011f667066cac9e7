/** Problems of the installation, above every page. They come from `/readyz`, which works even if nothing else does. */
import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReadyAnswer, TroubleKind } from '../../../contract/trouble.ts';
import { IconAlertTriangle } from './icons.tsx';

const EVERY_MS = 10_000;

const TITLES: Readonly<Record<TroubleKind, string>> = {
  DATABASE_AWAY: 'The database does not answer',
  CONNECTIONS_SPENT: 'The database has no free connection',
  DISK_FULL: 'The disk is full',
  DISK_NEARLY_FULL: 'The disk is nearly full',
  JOBS_STALLED: 'Jobs are not running',
  CERTIFICATE: 'The certificate needs attention',
};

/** Null: a proxy does not let the request through. */
async function readiness(): Promise<ReadyAnswer | null> {
  const answer = await fetch('/readyz');
  const isOurs = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isOurs ? ((await answer.json()) as Partial<ReadyAnswer>) : {};
  const { status, faults, warnings } = body;
  return status !== undefined && faults && warnings ? { status, faults, warnings } : null;
}

export function Troubles() {
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: readiness,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const shown = (color: string, troubles: ReadyAnswer['faults']) =>
    troubles.map(({ kind, message }) => (
      <Alert
        key={kind}
        color={color}
        variant="outline"
        icon={<IconAlertTriangle size={18} />}
        title={TITLES[kind]}
        role="alert"
        bg="var(--carillon-card)"
      >
        <Text size="sm">{message}</Text>
      </Alert>
    ));
  return (
    // The message is at the bottom, because the header is fixed, and pages that failed to load have no header.
    <Stack gap="xs" maw={900} mx="auto" pos="fixed" bottom={12} left={12} right={12} style={{ zIndex: 200 }}>
      {shown('red', data?.faults ?? [])}
      {shown('yellow', data?.warnings ?? [])}
    </Stack>
  );
}
