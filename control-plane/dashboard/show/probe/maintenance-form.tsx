/** The dialog that plans or changes a maintenance window. */
import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, useCall, useChange } from '../../api.ts';
import { Modal } from '../basics/dialog.tsx';
import { instantOf } from '../basics/instants.ts';
import { Failed } from '../basics/page.tsx';
import {
  changeOf,
  creationOf,
  draftOfWindow,
  MAINTENANCE_MEANS,
  type MaintenanceWindow,
  newWindow,
  type WindowDraft,
} from './maintenance-words.ts';

type Props = {
  readonly projectId: string;
  /** The initial value for a new window; '': every probe of the project. */
  readonly probeId?: string;
  /** Null: the window is new. */
  readonly window: MaintenanceWindow | null;
  readonly onClose: () => void;
};

export function MaintenanceForm({ projectId, probeId = '', window, onClose }: Props) {
  const [draft, setDraft] = useState<WindowDraft>(window ? draftOfWindow(window) : newWindow(probeId, Date.now()));
  const set = (change: Partial<WindowDraft>) => setDraft({ ...draft, ...change });
  const probes = useCall('listProbes', { projectId, per_page: 100 });
  const create = useChange('createMaintenanceWindow', onClose);
  const update = useChange('updateMaintenanceWindow', onClose);
  const error = create.error ?? update.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (window === null) create.mutate({ projectId, ...creationOf(draft) });
    else update.mutate({ projectId, maintenanceWindowId: window.id, ...changeOf(draft, window) });
  };
  const field = (name: 'startsAt' | 'endsAt', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      required
      description={localWords(draft[name])}
      value={draft[name]}
      onChange={(e) => set({ [name]: e.target.value })}
      error={faultOf(error, name)}
    />
  );
  const every = { value: '', label: 'All probes of the project' };
  const choices = [every, ...(probes.data?.rows ?? []).map((p) => ({ value: p.id, label: p.name }))];
  return (
    <Modal opened onClose={onClose} title={window ? 'Edit maintenance window' : 'Plan maintenance'}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{MAINTENANCE_MEANS}</Text>
          {window === null && (
            <Select
              label="Probe"
              data={choices}
              value={draft.probeId}
              allowDeselect={false}
              searchable
              onChange={(id) => set({ probeId: id ?? '' })}
              error={faultOf(error, 'probeId')}
            />
          )}
          {field('startsAt', 'Starts, UTC')}
          {field('endsAt', 'Ends, UTC')}
          <Textarea
            label="Note"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={draft.note}
            onChange={(e) => set({ note: e.target.value })}
            error={faultOf(error, 'note')}
          />
          {error && <Failed error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || update.isPending}>
              {window ? 'Save' : 'Plan maintenance'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The same instant in the reader's time zone. The fields are in UTC, like all times here. */
function localWords(minute: string): string {
  const at = instantOf(minute);
  if (at === null) return 'Invalid time';
  return `${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })} your time`;
}
