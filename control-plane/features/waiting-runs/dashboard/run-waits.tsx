/** For which agents a run waits, and which of them are there. */
import { Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { plural } from '../../../dashboard/show/basics/figures.ts';
import { Card } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark } from '../../../dashboard/show/basics/words.tsx';

export function RunWaits({ run: { waiting } }: { readonly projectId: string; readonly run: Output<'getTestRun'> }) {
  if (!waiting) return null;
  const { agents, online, missing, until } = waiting;
  return (
    <Card title="Agents">
      <Mark wraps tone="accent" moving>
        Waiting for {agents === null ? 'agents with room for all of it' : plural(agents, 'agent')}:{' '}
        {online === 0 ? 'none is there' : `${online} ${online === 1 ? 'is' : 'are'} there`}
      </Mark>
      {missing !== null && <Text mt={4}>{missing}</Text>}
      <Text size="sm" c="dimmed" mt={4}>
        If they have not come by <Time at={until} />, the run ends.
      </Text>
    </Card>
  );
}
