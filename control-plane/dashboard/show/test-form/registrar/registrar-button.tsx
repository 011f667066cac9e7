/** The button of the form of a registrar or trunk, which is loaded when it is opened. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { onceOpened } from '../../basics/dialog.tsx';

const RegistrarForm = onceOpened(async () => (await import('./registrar-form.tsx')).RegistrarForm);

type Props = { readonly projectId: string; readonly registrar: Output<'getRegistrar'> | null };

/** `registrar` null: the registrar is new. */
export function RegistrarButton({ projectId, registrar }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant={registrar ? 'default' : 'filled'} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {registrar ? 'Change' : 'New registrar'}
      </Button>
      <RegistrarForm opened={opened} onClose={() => setOpened(false)} projectId={projectId} registrar={registrar} />
    </>
  );
}
