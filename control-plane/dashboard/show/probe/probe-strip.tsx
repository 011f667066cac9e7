/** A probe's latest executions, with one mark each, the oldest first. All of it is one link, to the list of them. */
import { Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Link } from '../../router.tsx';
import { plain, toneOfHealth } from '../basics/words.tsx';

type Props = {
  readonly projectId: string;
  readonly probe: Pick<Output<'getOverview'>['probes'][number], 'id' | 'name' | 'lastInstances'>;
};

/** A mark is narrower than what somebody can hit (WCAG 2.2, 2.5.8), so it is no link by itself. */
export function Strip({ projectId, probe: { id, name, lastInstances } }: Props) {
  if (lastInstances.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Not executed yet.
      </Text>
    );
  }
  return (
    <Link
      className="strip"
      to="/projects/$projectId/probes/$probeId/executions"
      params={{ projectId, probeId: id }}
      aria-label={`Latest executions of ${name}: ${countsOf(lastInstances)}`}
    >
      {lastInstances.map((i) => (
        <span
          key={i.testRunId}
          title={`${plain(i.status)}, ${i.scheduledAt.slice(0, 19).replace('T', ' ')} UTC`}
          className={toneOfHealth(i.status)}
        />
      ))}
    </Link>
  );
}

/** For those who do not see the marks. */
function countsOf(instances: Props['probe']['lastInstances']): string {
  const counts = Map.groupBy(instances, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} ${plain(status).toLowerCase()}`).join(', ');
}
