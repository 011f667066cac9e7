/** The maintenance windows of a probe, including those of its whole project: current and planned. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link } from '../../router.tsx';
import { Answer, Card } from '../basics/page.tsx';
import { MaintenanceForm } from './maintenance-form.tsx';
import { MaintenanceTable } from './maintenance-table.tsx';

type Props = { readonly projectId: string; readonly probeId: string };

export function ProbeMaintenance({ projectId, probeId }: Props) {
  const windows = useCall(
    'listMaintenanceWindows',
    { projectId, probe_id: probeId, per_page: 100 },
    { everyMs: 10_000 },
  );
  const [isPlanning, setPlanning] = useState(false);
  return (
    <Card
      title="Maintenance"
      note="Now and planned"
      pad={false}
      actions={
        <Group gap="md">
          <Anchor component={Link} to={`/projects/${projectId}/probes/maintenance`} size="sm">
            All windows
          </Anchor>
          {useMay(projectId)('EDITOR') && (
            <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setPlanning(true)}>
              Plan maintenance
            </Button>
          )}
        </Group>
      }
    >
      <Answer of={windows}>
        {({ rows }) => {
          const ahead = rows.filter((w) => w.state !== 'PAST');
          return ahead.length === 0 ? (
            <Text c="dimmed" size="sm" px={18} pb={16}>
              None. Failed executions count and can raise an alarm.
            </Text>
          ) : (
            <MaintenanceTable projectId={projectId} rows={ahead} />
          );
        }}
      </Answer>
      {isPlanning && (
        <MaintenanceForm projectId={projectId} probeId={probeId} window={null} onClose={() => setPlanning(false)} />
      )}
    </Card>
  );
}
