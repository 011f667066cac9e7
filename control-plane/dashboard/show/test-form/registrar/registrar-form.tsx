/** The form of a new or existing registrar or trunk. */
import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { faultOf, useChange } from '../../../api.ts';
import { Failed } from '../../basics/page.tsx';
import { PLAIN_TRANSPORT, type TransportDraft, TransportFields, writtenTransport } from './transport-fields.tsx';

type Registrar = Output<'getRegistrar'>;

const EMPTY = { name: '', uri: 'sip:', register: true, proxy: '', domain: '', gateways: '', source: '' };
type Draft = typeof EMPTY;

const draftOf = (r: Registrar): Draft => ({
  name: r.name,
  uri: r.uri,
  register: r.register,
  proxy: r.outboundProxyUri ?? '',
  domain: r.domain ?? '',
  gateways: r.gateways.join(', '),
  source: r.sourceAddress ?? '',
});

const transportOf = (r: Registrar): TransportDraft => ({
  protocol: r.protocol,
  webSocketPath: r.webSocketPath ?? '',
  verify: r.tls?.verify ?? 'SYSTEM',
  ca: r.tls?.ca ?? '',
  certificate: r.tls?.certificate ?? null,
});

/** A button, and the dialog that it opens; `registrar` null: the registrar is new. */
export function RegistrarButton({ projectId, registrar }: { projectId: string; registrar: Registrar | null }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant={registrar ? 'default' : 'filled'} onClick={() => setOpened(true)}>
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
  const [form, setForm] = useState(registrar ? draftOf(registrar) : EMPTY);
  const [transport, setTransport] = useState(registrar ? transportOf(registrar) : PLAIN_TRANSPORT);
  const create = useChange('createRegistrar', onDone);
  const update = useChange('updateRegistrar', onDone);
  const error = create.error ?? update.error;
  const set = (change: Partial<Draft>) => setForm({ ...form, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { proxy, domain, gateways, source, ...rest } = form;
    const body = {
      projectId,
      ...rest,
      ...writtenTransport(transport),
      outboundProxyUri: proxy || null,
      domain: domain || null,
      sourceAddress: source.trim() || null,
      gateways: gateways.split(/[\s,]+/).filter((one) => one !== ''),
    };
    if (registrar) update.mutate({ ...body, registrarId: registrar.id });
    else create.mutate(body);
  };
  const gatewayFault = Array.from({ length: MAX_GATEWAYS }, (_, i) => faultOf(error, `gateways[${i}]`)).find(Boolean);
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          data-autofocus
          value={form.name}
          onChange={(e) => set({ name: e.target.value })}
          error={faultOf(error, 'name')}
        />
        <TextInput
          label="SIP address"
          description="A host name without a port is looked up in DNS (RFC 3263)."
          placeholder="sip:pbx.example:5060"
          required
          value={form.uri}
          onChange={(e) => set({ uri: e.target.value })}
          error={faultOf(error, 'uri')}
        />
        <TransportFields
          draft={transport}
          onChange={(change) => setTransport({ ...transport, ...change })}
          faultOf={(field) => faultOf(error, field)}
        />
        <Checkbox
          label="Endpoints register before they call"
          description="Off for a trunk: calls go to its address, and challenges are answered with its accounts."
          checked={form.register}
          onChange={(e) => set({ register: e.target.checked })}
        />
        <TextInput
          label="Outbound proxy"
          description="The SIP address that receives all requests first."
          placeholder="none"
          value={form.proxy}
          onChange={(e) => set({ proxy: e.target.value })}
          error={faultOf(error, 'outboundProxyUri')}
        />
        <TextInput
          label="Domain"
          description="Domain of the addresses in From and To."
          placeholder="from the SIP address"
          value={form.domain}
          onChange={(e) => set({ domain: e.target.value })}
          error={faultOf(error, 'domain')}
        />
        <TextInput
          label="Further gateways"
          description="Addresses that are tried in turn if the SIP address does not answer. For a host name, use SRV records instead."
          placeholder="192.0.2.2:5060, 192.0.2.3"
          value={form.gateways}
          onChange={(e) => set({ gateways: e.target.value })}
          error={faultOf(error, 'gateways') ?? gatewayFault}
        />
        <TextInput
          label="Source address"
          description="Of the agent's host: where SIP and media of its calls come from."
          placeholder="the agent's own"
          value={form.source}
          onChange={(e) => set({ source: e.target.value })}
          error={faultOf(error, 'sourceAddress')}
        />
        {error && <Failed error={error} />}
        <Button type="submit" loading={create.isPending || update.isPending}>
          {registrar ? 'Save' : 'Create registrar'}
        </Button>
      </Stack>
    </form>
  );
}

const MAX_GATEWAYS = 20;
