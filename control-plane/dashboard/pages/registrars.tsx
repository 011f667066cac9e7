/** Registrars: the built-in one, PBXs, trunks; and the SIP accounts of each. */
import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { call, queries, useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { Link, useParams } from '../router.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { onceOpened } from '../show/basics/dialog.tsx';
import { count } from '../show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';
import { ChangeAccount } from '../show/sip-accounts/change-account.tsx';
import { COLUMN_NAMES } from '../show/sip-accounts/column-names.ts';
import { RegistrarButton } from '../show/test-form/registrar/registrar-button.tsx';
import { RegistrarCheck } from '../show/test-form/registrar/registrar-check.tsx';

const NewAccounts = onceOpened(async () => (await import('../show/sip-accounts/new-accounts.tsx')).NewAccounts);

export function RegistrarsPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId);
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const make = may('EDITOR') && <RegistrarButton projectId={projectId} registrar={null} />;
  return (
    <Page title="Registrars" actions={registrars.data?.rows.some((r) => !r.isCloud) && make}>
      <Card pad={false}>
        <Answer of={registrars}>
          {({ rows }) => (
            <>
              <Table miw={720}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Registrar</Table.Th>
                    <Table.Th>Address</Table.Th>
                    <Table.Th>Transport</Table.Th>
                    <Table.Th>Kind</Table.Th>
                    <Table.Th ta="right">SIP accounts</Table.Th>
                    <ActionsHeading />
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
                            Its SIP accounts are deleted with it.
                          </Confirm>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {rows.every((r) => r.isCloud) && (
                <Empty title="No PBX or trunk yet" action={make}>
                  Tests that call another system need its address, and the accounts that register there.
                </Empty>
              )}
            </>
          )}
        </Answer>
      </Card>
    </Page>
  );
}

const SECRETS = { PASSWORD: 'a password', HA1: 'an HA1', NONE: 'nothing' } as const;

export function RegistrarPage() {
  const { projectId, registrarId } = useParams() as { projectId: string; registrarId: string };
  const may = useMay(projectId);
  const [page, setPage] = useState(1);
  const registrar = useCall('getRegistrar', { projectId, registrarId });
  const accounts = useCall('listSipAccounts', { projectId, registrarId, page, per_page: 50 });
  const makes = may('EDITOR');
  const add = <AddAccounts projectId={projectId} registrarId={registrarId} />;
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
          actions={
            makes && (
              <>
                <RegistrarButton projectId={projectId} registrar={r} />
                {(accounts.data?.rows.length ?? 0) > 0 && add}
              </>
            )
          }
        >
          <Text c="dimmed">
            {r.uri} · {r.protocol}
            {r.webSocketPath && ` at ${r.webSocketPath}`} · {r.register ? 'endpoints register' : 'trunk'}
            {r.outboundProxyUri && ` · via ${r.outboundProxyUri}`}
            {r.domain !== null && ` · domain ${r.domain}`}
            {r.gateways.length > 0 && ` · then ${r.gateways.join(', ')}`}
            {r.sourceAddress !== null && ` · from ${r.sourceAddress}`}
          </Text>
          {may('TESTER') && <RegistrarCheck projectId={projectId} registrar={r} />}
          <Card title="SIP accounts" note="Passwords and HA1 are never shown" pad={false}>
            <Answer of={accounts}>
              {({ rows, pagination }) =>
                rows.length === 0 ? (
                  <Empty title="No SIP account yet" action={makes && add}>
                    {r.register
                      ? 'Each endpoint that registers uses one account.'
                      : 'Endpoints use them in turn, to answer challenges and as caller numbers.'}{' '}
                    Add them one by one, or many from a CSV file.
                  </Empty>
                ) : (
                  <>
                    <div className="stack-box">
                      <Table className="stacks accounts">
                        <Table.Thead>
                          <Table.Tr>
                            <Table.Th>{COLUMN_NAMES.username}</Table.Th>
                            <Table.Th>{COLUMN_NAMES.number}</Table.Th>
                            <Table.Th>{COLUMN_NAMES.displayName}</Table.Th>
                            <Table.Th>Authenticates with</Table.Th>
                            <Table.Th>Custom values</Table.Th>
                            <Table.Th>Made</Table.Th>
                            <ActionsHeading />
                          </Table.Tr>
                        </Table.Thead>
                        <Table.Tbody>
                          {rows.map((a) => (
                            <Table.Tr key={a.id}>
                              <Table.Td data-head className="long">
                                {a.username}
                              </Table.Td>
                              <Table.Td data-half data-column={COLUMN_NAMES.number}>
                                {a.number ?? '–'}
                              </Table.Td>
                              <Table.Td data-half data-column={COLUMN_NAMES.displayName}>
                                {a.displayName ?? '–'}
                              </Table.Td>
                              <Table.Td data-half data-column="Authenticates with">
                                {SECRETS[a.secret]}
                                {a.authName !== null && `, as ${a.authName}`}
                              </Table.Td>
                              <Table.Td data-half data-column="Custom values">
                                {Object.entries(a.values)
                                  .map(([name, value]) => `${name} ${value}`)
                                  .join(', ') || '–'}
                              </Table.Td>
                              <Table.Td data-half data-column="Made">
                                <Time at={a.createdAt} relative />
                              </Table.Td>
                              <Table.Td ta="right" data-last>
                                {makes && (
                                  <Group gap="xs" wrap="nowrap" className="row-actions">
                                    <ChangeAccount projectId={projectId} registrarId={registrarId} account={a} />
                                    <Confirm
                                      label="Delete"
                                      title={`Delete the account ${a.username}?`}
                                      act={async () => {
                                        await call('deleteSipAccount', { projectId, registrarId, sipAccountId: a.id });
                                        await queries.invalidateQueries();
                                      }}
                                    >
                                      A registrar that a test uses cannot be deleted.
                                    </Confirm>
                                  </Group>
                                )}
                              </Table.Td>
                            </Table.Tr>
                          ))}
                        </Table.Tbody>
                      </Table>
                    </div>
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

function AddAccounts(of: { readonly projectId: string; readonly registrarId: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Add SIP accounts
      </Button>
      <NewAccounts {...of} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
