/** The menu of the user's name: their account, the shortcuts, their other organizations, and the log-out. It opens when it is loaded. */
import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { call, forgetAnswers, useChange } from './api.ts';
import { useMe } from './me.tsx';
import { Link, navigate } from './router.tsx';

type Props = { readonly children: ReactElement; readonly onList: () => void };

export default function AccountMenu({ children, onList }: Props) {
  const me = useMe();
  // After a log-out no data remain.
  const change = useChange('switchOrganization', () => window.location.assign('/'));
  const logOut = async () => {
    await call('endSession', { sessionId: me.sessionId });
    forgetAnswers();
    await navigate({ to: '/log-in', search: {} });
  };
  const others = me.organizations.filter((o) => o.id !== me.organization.id);
  return (
    <Menu position="bottom-end" width={250} withinPortal={false} defaultOpened>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="dimmed">
          {me.user.email}
          <br />
          {me.role.toLowerCase()} of {me.organization.name}
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          Password and sessions
        </Menu.Item>
        <Menu.Item aria-haspopup="dialog" onClick={onList}>
          Keyboard shortcuts
        </Menu.Item>
        {others.length > 0 && <Menu.Label c="dimmed">Organizations</Menu.Label>}
        {others.map((o) => (
          <Menu.Item key={o.id} onClick={() => change.mutate({ organizationId: o.id })}>
            Go to {o.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void logOut()}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
