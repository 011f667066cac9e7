/** Members of the organization with their roles, and invitations. */
import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { atLeast, ROLES, type Role } from '../../contract/roles.ts';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMe } from '../me.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { Modal } from '../show/basics/dialog.tsx';
import { ActionsHeading, Answer, Card, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { ShownOnce } from '../show/basics/shown-once.tsx';
import { Time } from '../show/basics/time.tsx';
import { plain } from '../show/basics/words.tsx';
import { invitationLink } from '../show/people/invitation-link.tsx';
import { ProjectChoice } from '../show/project/project-choice.tsx';

const MAY: Readonly<Record<Role, string>> = {
  VIEWER: 'can view everything',
  TESTER: 'can also run tests and probes',
  EDITOR: 'can also create and change them, and use API keys',
  ADMIN: 'can also manage members, agents and projects',
  OWNER: 'can also manage the organization',
};
const rolesFor = (own: Role) =>
  ROLES.filter((r) => atLeast(own, r)).map((r) => ({ value: r, label: `${plain(r)}: ${MAY[r]}` }));

export function MembersPage() {
  const me = useMe();
  const [page, setPage] = useState(1);
  const members = useCall('listMembers', { page });
  const invitations = useCall('listInvitations', { per_page: 100 });
  return (
    <Page title="Members" over={me.organization.name} actions={<Invite />}>
      <Card pad={false}>
        <Answer of={members}>
          {({ rows, pagination }) => (
            <>
              <MemberTable rows={rows} />
              <Pages pagination={pagination} what="members" onPage={setPage} />
            </>
          )}
        </Answer>
      </Card>
      {(invitations.data?.rows.length ?? 0) > 0 && (
        <Card title="Invited" note="A link works once and expires after one week" pad={false}>
          <Table miw={560}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Invited</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Link</Table.Th>
                <ActionsHeading />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.data?.rows.map((i) => (
                <Table.Tr key={i.id}>
                  <Table.Td>
                    <Text fw={600}>{i.email}</Text>
                    <Text size="xs" c="dimmed">
                      by {i.invitedBy ?? 'a former member'}
                    </Text>
                  </Table.Td>
                  <Table.Td>{plain(i.role)}</Table.Td>
                  <Table.Td>
                    expires <Time at={i.expiresAt} relative />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Confirm
                      label="Withdraw"
                      title={`Withdraw the invitation of ${i.email}?`}
                      act={async () => {
                        await call('deleteInvitation', { invitationId: i.id });
                        await queries.invalidateQueries();
                      }}
                    >
                      The link stops working.
                    </Confirm>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
    </Page>
  );
}

function MemberTable({ rows }: { rows: readonly Output<'listMembers'>[] }) {
  const me = useMe();
  return (
    <Table miw={680}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Member</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Projects</Table.Th>
          <Table.Th>Last seen</Table.Th>
          <ActionsHeading />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((m) => (
          <Table.Tr key={m.id}>
            <Table.Td>
              <Text fw={600}>
                {m.name}
                {m.id === me.user.id && ' (you)'}
              </Text>
              <Text size="xs" c="dimmed">
                {m.email}
                {!m.hasPassword && ', has never logged in'}
                {m.hasSecondFactor && ', with a second factor'}
              </Text>
            </Table.Td>
            <Table.Td>{plain(m.role)}</Table.Td>
            <Table.Td>{m.projectIds === null ? 'all' : `${m.projectIds.length} chosen`}</Table.Td>
            <Table.Td>
              <Time at={m.lastSeenAt} none="–" relative />
            </Table.Td>
            <Table.Td>
              {m.id !== me.user.id && atLeast(me.role, m.role) && (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Change member={m} />
                  <Confirm
                    label="Remove"
                    title={`Remove ${m.name}?`}
                    act={async () => {
                      await call('removeMember', { userId: m.id });
                      await queries.invalidateQueries();
                    }}
                  >
                    Sessions and API keys of {m.name} in this organization end at once.
                  </Confirm>
                </Group>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function RoleChoice({ value, onChange }: { readonly value: Role; readonly onChange: (role: Role) => void }) {
  const me = useMe();
  return (
    <Select
      label="Role"
      data={rolesFor(me.role)}
      value={value}
      allowDeselect={false}
      onChange={(role) => onChange(role as Role)}
    />
  );
}

function Change({ member }: { member: Output<'listMembers'> }) {
  const [opened, setOpened] = useState(false);
  const [role, setRole] = useState<Role>(member.role);
  const [projectIds, setProjectIds] = useState(member.projectIds);
  const update = useChange('updateMember', () => setOpened(false));
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Change
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={member.name}>
        <Stack>
          <RoleChoice value={role} onChange={setRole} />
          <ProjectChoice value={projectIds} onChange={setProjectIds} />
          {update.error && <Failed error={update.error} />}
          <Button loading={update.isPending} onClick={() => update.mutate({ userId: member.id, role, projectIds })}>
            Save
          </Button>
        </Stack>
      </Modal>
    </>
  );
}

function Invite() {
  const [opened, setOpened] = useState(false);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('EDITOR');
  const [projectIds, setProjectIds] = useState<string[] | null>(null);
  const create = useChange('createInvitation');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ email, role, projectIds });
  };
  const close = () => {
    setOpened(false);
    setEmail('');
    create.reset();
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Invite
      </Button>
      <ShownOnce title="Invite somebody" size="lg" opened={opened} onClose={close} secret={invitationLink(create.data)}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="E-mail"
              type="email"
              required
              data-autofocus
              value={email}
              onChange={(e) => setEmail(e.target.value)}
              error={faultOf(create.error, 'email')}
            />
            <RoleChoice value={role} onChange={setRole} />
            <ProjectChoice value={projectIds} onChange={setProjectIds} />
            {create.error && <Failed error={create.error} />}
            {create.data?.token === null && <Text>{create.data.email} has an account: the link was mailed there.</Text>}
            <Button type="submit" loading={create.isPending}>
              Make the link
            </Button>
          </Stack>
        </form>
      </ShownOnce>
    </>
  );
}
