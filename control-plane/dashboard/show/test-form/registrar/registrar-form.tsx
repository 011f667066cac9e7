/** The form of a new or existing registrar or trunk. */
import { Button, Modal, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { REGISTRAR_KINDS } from '../../../../contract/form-fields.ts';
import { useChange } from '../../../api.ts';
import { Fields } from '../../basics/fields.tsx';
import { formOf } from '../../basics/form.ts';
import { Failed } from '../../basics/page.tsx';
import { draftOf, EMPTY, writtenRegistrar } from './registrar-draft.ts';
import { transportRows } from './transport-fields.tsx';

type Registrar = Output<'getRegistrar'>;

/** A button, and the dialog that it opens; `registrar` null: the registrar is new. */
export function RegistrarButton({ projectId, registrar }: { projectId: string; registrar: Registrar | null }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant={registrar ? 'default' : 'filled'} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {registrar ? 'Change' : 'New registrar'}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={registrar ? `Change ${registrar.name}` : 'New registrar or trunk'}
      >
        <Form projectId={projectId} registrar={registrar} onDone={() => setOpened(false)} />
      </Modal>
    </>
  );
}

type FormProps = { projectId: string; registrar: Registrar | null; onDone: () => void };

function Form({ projectId, registrar, onDone }: FormProps) {
  const [values, setValues] = useState(registrar ? draftOf(registrar) : EMPTY);
  const create = useChange('createRegistrar', onDone);
  const update = useChange('updateRegistrar', onDone);
  const error = create.error ?? update.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { projectId, ...writtenRegistrar(values) };
    if (registrar) update.mutate({ ...body, registrarId: registrar.id });
    else create.mutate(body);
  };
  const form = formOf(REGISTRAR_KINDS, values, error, '', setValues);
  return (
    <form onSubmit={submit}>
      <Stack>
        <Fields
          form={form}
          cols={1}
          rows={[
            { key: 'name', label: 'Name', focus: true },
            {
              key: 'uri',
              label: 'SIP address',
              hint: 'A host name without a port is looked up in DNS (RFC 3263).',
              placeholder: 'sip:pbx.example:5060',
            },
            ...transportRows(form),
            {
              key: 'register',
              label: 'Endpoints register before they call',
              hint: 'Off for a trunk: calls go to its address, and challenges are answered with its accounts.',
            },
            {
              key: 'outboundProxyUri',
              label: 'Outbound proxy',
              hint: 'The SIP address that receives all requests first.',
              placeholder: 'none',
            },
            {
              key: 'domain',
              label: 'Domain',
              hint: 'Domain of the addresses in From and To.',
              placeholder: 'from the SIP address',
            },
            {
              key: 'gateways',
              label: 'Further gateways',
              hint: 'Addresses that are tried in turn if the SIP address does not answer. For a host name, use SRV records instead.',
              placeholder: '192.0.2.2:5060, 192.0.2.3',
            },
            {
              key: 'sourceAddress',
              label: 'Source address',
              hint: "Of the agent's host: where SIP and media of its calls come from.",
              placeholder: "the agent's own",
            },
          ]}
        />
        {error && <Failed error={error} />}
        <Button type="submit" loading={create.isPending || update.isPending}>
          {registrar ? 'Save' : 'Create registrar'}
        </Button>
      </Stack>
    </form>
  );
}
