/** The form of a new or existing registrar or trunk. */
import { Button, Group, Radio, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { REGISTRAR_KINDS } from '../../../../contract/form-fields.ts';
import { useChange } from '../../../api.ts';
import { Modal } from '../../basics/dialog.tsx';
import { Fields } from '../../basics/fields.tsx';
import { type Form as FormOf, formOf } from '../../basics/form.ts';
import { FormButtons } from '../../basics/form-sections.tsx';
import { Failed } from '../../basics/page.tsx';
import { draftOf, EMPTY, type RegistrarDraft, writtenRegistrar } from './registrar-draft.ts';
import { transportRows } from './transport-fields.tsx';

type Registrar = Output<'getRegistrar'>;

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly projectId: string;
  /** Null: a new one. */
  readonly registrar: Registrar | null;
};

export const RegistrarForm = ({ opened, onClose, projectId, registrar }: Props) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={registrar ? `Change ${registrar.name}` : 'New registrar or trunk'}
    size="lg"
  >
    <Form projectId={projectId} registrar={registrar} onDone={onClose} />
  </Modal>
);

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
      <Stack gap="sm">
        <Kind form={form} />
        <Fields
          form={form}
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
              hint: 'Tried in turn if the SIP address does not answer. For a host name, use SRV records instead.',
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
        <FormButtons>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {registrar ? 'Save' : 'Create registrar'}
          </Button>
        </FormButtons>
      </Stack>
    </form>
  );
}

const Kind = ({ form }: { readonly form: FormOf<RegistrarDraft> }) => (
  <Radio.Group
    aria-label="Kind"
    value={form.values.register ? 'REGISTRAR' : 'TRUNK'}
    onChange={(kind) => form.set({ register: kind === 'REGISTRAR' })}
  >
    <Group align="flex-start" grow>
      <Radio
        value="REGISTRAR"
        label="Registrar"
        description="Endpoints register with their accounts before they call."
      />
      <Radio value="TRUNK" label="Trunk" description="Calls go to its address; its accounts answer challenges." />
    </Group>
  </Radio.Group>
);
