/** Maintenance windows with times, probes and reasons. Authorized users can change, end and delete them. */
import { Button, Group, Table } from '@mantine/core';
import { useState } from 'react';
import { call, queries, useChange } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Confirm } from '../basics/confirm.tsx';
import { Failed } from '../basics/page.tsx';
import { Time } from '../basics/time.tsx';
import { Mark } from '../basics/words.tsx';
import { MaintenanceForm } from './maintenance-form.tsx';
import { type MaintenanceWindow, WINDOW } from './maintenance-words.ts';

type Props = { readonly projectId: string; readonly rows: readonly MaintenanceWindow[] };

export function MaintenanceTable({ projectId, rows }: Props) {
  const may = useMay(projectId)('EDITOR');
  const [changed, setChanged] = useState<MaintenanceWindow | null>(null);
  return (
    <div className="stack-box">
      <Table className="stacks">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Of</Table.Th>
            <Table.Th>Note</Table.Th>
            {may && (
              <Table.Th>
                <span className="skip">Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((w) => (
            <Table.Tr key={w.id}>
              <Table.Td data-whole>
                <Mark tone={WINDOW[w.state][0]} moving={w.state === 'CURRENT'}>
                  {WINDOW[w.state][1]}
                </Mark>
                <div className="quiet">
                  <Time at={w.startsAt} /> to <Time at={w.endsAt} />
                </div>
              </Table.Td>
              <Table.Td data-whole className="long">
                {w.probeName ?? 'All probes of the project'}
              </Table.Td>
              <Table.Td data-whole className="long">
                {w.note}
                {w.createdBy !== null && <div className="quiet">by {w.createdBy}</div>}
              </Table.Td>
              {may && (
                <Table.Td data-whole>
                  <Actions projectId={projectId} window={w} onChange={() => setChanged(w)} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {changed && <MaintenanceForm projectId={projectId} window={changed} onClose={() => setChanged(null)} />}
    </div>
  );
}

type ActionsProps = { readonly projectId: string; readonly window: MaintenanceWindow; readonly onChange: () => void };

function Actions({ projectId, window: w, onChange }: ActionsProps) {
  const end = useChange('updateMaintenanceWindow');
  const address = { projectId, maintenanceWindowId: w.id };
  return (
    <Group gap="xs" wrap="nowrap" className="row-actions">
      {w.state === 'CURRENT' && (
        <Button
          size="xs"
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate({ ...address, endsAt: new Date().toISOString() })}
        >
          End it now
        </Button>
      )}
      {w.state !== 'PAST' && (
        <Button size="xs" variant="default" aria-haspopup="dialog" onClick={onChange}>
          Change
        </Button>
      )}
      <Confirm
        label="Delete"
        title="Delete this maintenance window?"
        act={async () => {
          await call('deleteMaintenanceWindow', address);
          await queries.invalidateQueries();
        }}
      >
        {w.state === 'PLANNED'
          ? 'Alarms are not suppressed then.'
          : 'Executions in the window stay marked and are not counted.'}
      </Confirm>
      {end.error && <Failed error={end.error} />}
    </Group>
  );
}
