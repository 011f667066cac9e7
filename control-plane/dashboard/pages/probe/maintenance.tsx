/** Maintenance windows of a project's probes: planned, current and past. */
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link, navigate, useParams, useSearch } from '../../router.tsx';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { MaintenanceForm } from '../../show/probe/maintenance-form.tsx';
import { MaintenanceTable } from '../../show/probe/maintenance-table.tsx';
import { MAINTENANCE_MEANS } from '../../show/probe/maintenance-words.ts';

export function MaintenancePage() {
  const { projectId } = useParams() as { projectId: string };
  const { page } = useSearch() as { page?: string };
  const windows = useCall('listMaintenanceWindows', { projectId, page: Number(page ?? 1) }, { everyMs: 10_000 });
  const [isPlanning, setPlanning] = useState(false);
  const plan = useMay(projectId)('EDITOR') && (
    <Button aria-haspopup="dialog" onClick={() => setPlanning(true)}>
      Plan maintenance
    </Button>
  );
  return (
    <Page
      title="Maintenance"
      over={
        <Anchor component={Link} to={`/projects/${projectId}/probes`} size="sm">
          Probes
        </Anchor>
      }
      actions={(windows.data?.rows.length ?? 0) > 0 && plan}
    >
      <Text c="dimmed">{MAINTENANCE_MEANS} They are marked, here and on the probe.</Text>
      <Card pad={false}>
        <Answer of={windows}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No maintenance is planned" action={plan}>
                Plan a window before you change the system that the probes call. Probes raise no alarm during the
                window.
              </Empty>
            ) : (
              <>
                <MaintenanceTable projectId={projectId} rows={rows} />
                <Pages
                  pagination={pagination}
                  what="windows"
                  onPage={(n) => void navigate({ to: '.', search: { page: String(n) }, resetScroll: false })}
                />
              </>
            )
          }
        </Answer>
      </Card>
      {isPlanning && <MaintenanceForm projectId={projectId} window={null} onClose={() => setPlanning(false)} />}
    </Page>
  );
}
