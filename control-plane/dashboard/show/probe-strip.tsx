/** A probe's last executions, one mark each, oldest first. */
import { Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCall } from '../api.ts';
import { plain, toneOfHealth } from './words.tsx';

export function ProbeStrip({ projectId, probeId }: { projectId: string; probeId: string }) {
  const instances = useCall('listProbeInstances', { projectId, probeId, per_page: 40 }, { everyMs: 10_000 });
  const rows = [...(instances.data?.rows ?? [])].reverse();
  if (instances.data && rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Not executed yet.
      </Text>
    );
  }
  return (
    <div className="strip" style={{ gap: 3 }}>
      {rows.map((i) => {
        const says = `${plain(i.status)}, ${i.scheduledAt.slice(0, 19).replace('T', ' ')} UTC`;
        return (
          <Tooltip key={i.id} label={says}>
            <Link
              to="/projects/$projectId/runs/$runId"
              params={{ projectId, runId: i.testRunId }}
              aria-label={says}
              className={toneOfHealth(i.status)}
              style={{ width: 8, borderRadius: 2, background: 'var(--mark)' }}
            />
          </Tooltip>
        );
      })}
    </div>
  );
}
