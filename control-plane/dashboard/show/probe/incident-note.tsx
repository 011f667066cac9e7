/** The form that acknowledges an incident with a note. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, useChange } from '../../api.ts';
import { useSearch } from '../../router.tsx';
import { Modal } from '../basics/dialog.tsx';
import { Failed } from '../basics/page.tsx';

type Props = { readonly projectId: string; readonly incident: Output<'getProbeIncident'> };

const MAX_CHARACTERS = 2000;

export function IncidentActions({ projectId, incident: i }: Props) {
  const { acknowledge: isAsked } = useSearch() as { acknowledge?: unknown };
  const [note, setNote] = useState('');
  const acknowledges = i.endedAt === null && i.acknowledgedAt === null;
  // The link of a message opens the form.
  const [opened, setOpened] = useState(acknowledges && isAsked !== undefined);
  const close = () => setOpened(false);
  const change = useChange('updateProbeIncident', close);
  const address = { projectId, probeId: i.probeId, incidentId: i.id };
  const open = () => {
    setNote(i.note ?? '');
    change.reset();
    setOpened(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ ...address, note: note.trim() === '' ? null : note, ...(acknowledges && { acknowledged: true }) });
  };
  const noteWord = i.note === null ? 'Add a note' : 'Edit note';
  const does = acknowledges ? 'Acknowledge' : noteWord;
  return (
    <Group gap="xs">
      {i.endedAt === null && i.acknowledgedAt !== null && (
        <Button
          size="xs"
          variant="default"
          loading={change.isPending && !opened}
          onClick={() => change.mutate({ ...address, acknowledged: false })}
        >
          Withdraw acknowledgement
        </Button>
      )}
      <Button
        size={acknowledges ? 'sm' : 'xs'}
        variant={acknowledges ? 'filled' : 'default'}
        aria-haspopup="dialog"
        onClick={open}
      >
        {does}
      </Button>
      {change.error && !opened && <Failed error={change.error} />}
      <Modal opened={opened} onClose={close} title={acknowledges ? 'Acknowledge' : noteWord}>
        <form onSubmit={submit}>
          <Stack>
            {acknowledges && (
              <Text size="sm">
                An acknowledged incident is not escalated. It is resolved automatically when the probe is healthy again.
              </Text>
            )}
            <Textarea
              label="Note"
              description="What is known, and what is being done"
              data-autofocus
              autosize
              minRows={3}
              maxRows={12}
              maxLength={MAX_CHARACTERS}
              value={note}
              onChange={(e) => setNote(e.target.value)}
              error={faultOf(change.error, 'note')}
            />
            {change.error && <Failed error={change.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending}>
                {acknowledges ? 'Acknowledge' : 'Save note'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}
