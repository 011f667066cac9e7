/** A probe's latest executions, with one mark each. The oldest comes first. */
import { Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { plain, toneOfHealth } from '../basics/words.tsx';

export function ProbeStrip({ projectId, probeId }: { projectId: string; probeId: string }) {
  const instances = useCall('listProbeInstances', { projectId, probeId, per_page: 40 }, { everyMs: 10_000 });
  return instances.data ? (
    <Strip projectId={projectId} instances={[...instances.data.rows].reverse()} />
  ) : (
    <div className="strip" />
  );
}

type Instance = Pick<Output<'listProbeInstances'>, 'testRunId' | 'status' | 'scheduledAt'>;

export function Strip({ projectId, instances }: { projectId: string; instances: readonly Instance[] }) {
  if (instances.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Not executed yet.
      </Text>
    );
  }
  return (
    <div className="strip">
      {instances.map((i) => {
        const says = `${plain(i.status)}, ${i.scheduledAt.slice(0, 19).replace('T', ' ')} UTC`;
        return (
          <Tooltip key={i.testRunId} label={says}>
            <Link
              to="/projects/$projectId/runs/$runId"
              params={{ projectId, runId: i.testRunId }}
              aria-label={says}
              className={toneOfHealth(i.status)}
            />
          </Tooltip>
        );
      })}
    </div>
  );
}
