/** The form of a new project's name and description. It then opens the project. */
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, useChange } from '../../api.ts';
import { navigate } from '../../router.tsx';
import { Modal } from '../basics/dialog.tsx';
import { Failed } from '../basics/page.tsx';

export default function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useChange('createProject', ({ id }) => {
    onClose();
    void navigate({ to: '/projects/$projectId', params: { projectId: id } });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name, description });
  };
  return (
    <Modal opened onClose={onClose} title="New project">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={(e) => setName(e.target.value)}
            error={faultOf(create.error, 'name')}
          />
          <TextInput
            label="Description"
            value={description}
            onChange={(e) => setDescription(e.target.value)}
            error={faultOf(create.error, 'description')}
          />
          {create.error && <Failed error={create.error} />}
          <Button type="submit" loading={create.isPending}>
            Create project
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
