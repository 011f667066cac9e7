/** Where calls go through: the built-in registrar, PBXs to register with, trunks; and the SIP accounts of each. */
import { Anchor, Button, Checkbox, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { count } from '../show/basics/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';
import { COLUMN_NAMES } from '../show/people/column-names.ts';
import { NewAccounts } from '../show/people/new-accounts.tsx';
import { RegistrarCheck } from '../show/test/registrar-check.tsx';
import { PLAIN_TRANSPORT, TransportFields, writtenTransport } from '../show/test/transport-fields.tsx';

export function RegistrarsPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const may = useMay(projectId);
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  return (
    <Page title="Registrars" actions={may('EDITOR') && <NewRegistrar projectId={projectId} />}>
      <Card pad={false}>
        <Answer of={registrars}>
          {({ rows }) => (
            <Table miw={720}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Registrar</Table.Th>
                  <Table.Th>Address</Table.Th>
                  <Table.Th>Transport</Table.Th>
                  <Table.Th>Kind</Table.Th>
                  <Table.Th ta="right">SIP accounts</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((r) => (
                  <Table.Tr key={r.id}>
                    <Table.Td>
                      {r.isCloud ? (
                        <Text fw={600}>{r.name}</Text>
                      ) : (
                        <Anchor component={Link} to={`/projects/${projectId}/registrars/${r.id}`} fw={600}>
                          {r.name}
                        </Anchor>
                      )}
                    </Table.Td>
                    <Table.Td className="long">{r.isCloud ? '–' : r.uri}</Table.Td>
                    <Table.Td>{r.isCloud ? '–' : r.protocol}</Table.Td>
                    <Table.Td>
                      {r.isCloud ? 'built in: agents call each other' : r.register ? 'registers' : 'trunk'}
                    </Table.Td>
                    <Table.Td ta="right">{r.isCloud ? '–' : count(r.sipAccountCount)}</Table.Td>
                    <Table.Td ta="right">
                      {!r.isCloud && may('EDITOR') && (
                        <Confirm
                          label="Delete"
                          title={`Delete ${r.name}?`}
                          act={async () => {
                            await call('deleteRegistrar', { projectId, registrarId: r.id });
                            await queries.invalidateQueries();
                          }}
                        >
                          Its SIP accounts go with it.
                        </Confirm>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Answer>
      </Card>
    </Page>
  );
}

const EMPTY = {
  name: '',
  uri: 'sip:',
  register: true,
  proxy: '',
  domain: '',
  gateways: '',
};

function NewRegistrar({ projectId }: { projectId: string }) {
  const [opened, setOpened] = useState(false);
  const [form, setForm] = useState(EMPTY);
  const [transport, setTransport] = useState(PLAIN_TRANSPORT);
  const create = useChange('createRegistrar', () => setOpened(false));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { proxy, domain, gateways, ...rest } = form;
    create.mutate({
      projectId,
      ...rest,
      ...writtenTransport(transport),
      outboundProxyUri: proxy || null,
      domain: domain || null,
      gateways: gateways.split(/[\s,]+/).filter((one) => one !== ''),
    });
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>New registrar</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="New registrar or trunk">
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              data-autofocus
              value={form.name}
              onChange={(e) => setForm({ ...form, name: e.target.value })}
              error={faultOf(create.error, 'name')}
            />
            <TextInput
              label="SIP address"
              placeholder="sip:pbx.example:5060"
              required
              value={form.uri}
              onChange={(e) => setForm({ ...form, uri: e.target.value })}
              error={faultOf(create.error, 'uri')}
            />
            <TransportFields
              draft={transport}
              onChange={(change) => setTransport({ ...transport, ...change })}
              faultOf={(field) => faultOf(create.error, field)}
            />
            <Checkbox
              label="Endpoints register before they call"
              description="Off: a trunk, calls go to its address; challenges are answered with its accounts"
              checked={form.register}
              onChange={(e) => setForm({ ...form, register: e.target.checked })}
            />
            <TextInput
              label="Outbound proxy"
              placeholder="none"
              value={form.proxy}
              onChange={(e) => setForm({ ...form, proxy: e.target.value })}
              error={faultOf(create.error, 'outboundProxyUri')}
            />
            <TextInput
              label="Domain"
              description="Of the addresses in From and To"
              placeholder="as the SIP address says"
              value={form.domain}
              onChange={(e) => setForm({ ...form, domain: e.target.value })}
              error={faultOf(create.error, 'domain')}
            />
            <TextInput
              label="Further gateways"
              description="Addresses that requests go to in turn where the SIP address does not answer; a name has its own in the DNS (SRV)"
              placeholder="192.0.2.2:5060, 192.0.2.3"
              value={form.gateways}
              onChange={(e) => setForm({ ...form, gateways: e.target.value })}
              error={faultOf(create.error, 'gateways') ?? faultOf(create.error, 'gateways[0]')}
            />
            {create.error && <Failed error={create.error} />}
            <Button type="submit" loading={create.isPending}>
              Make the registrar
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

const SECRETS = { PASSWORD: 'a password', HA1: 'an HA1', NONE: 'nothing' } as const;

export function RegistrarPage() {
  const { projectId, registrarId } = useParams({ strict: false }) as { projectId: string; registrarId: string };
  const may = useMay(projectId);
  const [page, setPage] = useState(1);
  const registrar = useCall('getRegistrar', { projectId, registrarId });
  const accounts = useCall('listSipAccounts', { projectId, registrarId, page, per_page: 50 });
  const makes = may('EDITOR');
  return (
    <Answer of={registrar}>
      {(r) => (
        <Page
          title={r.name}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/registrars`} size="sm">
              Registrars
            </Anchor>
          }
          actions={makes && <NewAccounts projectId={projectId} registrarId={registrarId} />}
        >
          <Text c="dimmed">
            {r.uri} · {r.protocol}
            {r.webSocketPath && ` at ${r.webSocketPath}`} · {r.register ? 'endpoints register' : 'trunk'}
            {r.outboundProxyUri && ` · by way of ${r.outboundProxyUri}`}
            {r.domain !== null && ` · domain ${r.domain}`}
            {r.gateways.length > 0 && ` · then ${r.gateways.join(', ')}`}
          </Text>
          {may('TESTER') && <RegistrarCheck projectId={projectId} registrar={r} />}
          <Card title="SIP accounts" note="Passwords and HA1 are never shown" pad={false}>
            <Answer of={accounts}>
              {({ rows, pagination }) =>
                rows.length === 0 ? (
                  <Empty title="No SIP account yet">
                    {r.register
                      ? 'Each endpoint that registers takes an account of its own.'
                      : 'Endpoints take them in turn: for the answer to a challenge, and as the numbers that call.'}{' '}
                    Add them one by one, or many from a CSV file.
                  </Empty>
                ) : (
                  <>
                    <Table>
                      <Table.Thead>
                        <Table.Tr>
                          <Table.Th>{COLUMN_NAMES.username}</Table.Th>
                          <Table.Th>{COLUMN_NAMES.number}</Table.Th>
                          <Table.Th>{COLUMN_NAMES.displayName}</Table.Th>
                          <Table.Th>Answers with</Table.Th>
                          <Table.Th>Own values</Table.Th>
                          <Table.Th>Made</Table.Th>
                          <Table.Th />
                        </Table.Tr>
                      </Table.Thead>
                      <Table.Tbody>
                        {rows.map((a) => (
                          <Table.Tr key={a.id}>
                            <Table.Td className="long">{a.username}</Table.Td>
                            <Table.Td className="long">{a.number ?? '–'}</Table.Td>
                            <Table.Td className="long">{a.displayName ?? '–'}</Table.Td>
                            <Table.Td className="long">
                              {SECRETS[a.secret]}
                              {a.authName !== null && `, as ${a.authName}`}
                            </Table.Td>
                            <Table.Td className="long">
                              {Object.entries(a.values)
                                .map(([name, value]) => `${name} ${value}`)
                                .join(', ') || '–'}
                            </Table.Td>
                            <Table.Td>
                              <Time at={a.createdAt} relative />
                            </Table.Td>
                            <Table.Td ta="right">
                              {makes && (
                                <Confirm
                                  label="Delete"
                                  title={`Delete the account ${a.username}?`}
                                  act={async () => {
                                    await call('deleteSipAccount', { projectId, registrarId, sipAccountId: a.id });
                                    await queries.invalidateQueries();
                                  }}
                                >
                                  Tests that name it keep it from being deleted.
                                </Confirm>
                              )}
                            </Table.Td>
                          </Table.Tr>
                        ))}
                      </Table.Tbody>
                    </Table>
                    <Pages pagination={pagination} what="accounts" onPage={setPage} />
                  </>
                )
              }
            </Answer>
          </Card>
        </Page>
      )}
    </Answer>
  );
}
