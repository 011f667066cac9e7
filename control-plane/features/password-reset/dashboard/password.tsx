/**
 * Password reset: the user requests a link, and sets a new password with it. The link's secret follows a #, so no server receives
 * it.
 */
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, useCall, useChange } from '../../../dashboard/api.ts';
import { Link } from '../../../dashboard/router.tsx';
import { Door, linkSecret } from '../../../dashboard/show/basics/door.tsx';
import { Fault } from '../../../dashboard/show/basics/fault.tsx';
import { Answer } from '../../../dashboard/show/basics/page.tsx';

const ToLogIn = () => (
  <Anchor component={Link} to="/log-in" size="sm">
    Log in
  </Anchor>
);

export function PasswordLinkPage() {
  const entrance = useCall('getEntrance', {});
  return (
    <Door title="Forgot password">
      <Answer of={entrance}>
        {({ mailsPasswords }) =>
          mailsPasswords ? (
            <RequestForm />
          ) : (
            <Stack>
              <Text size="sm">
                This installation sends no mail. Ask its operator for a link that sets a new password; on its host this
                command makes one, of the package or in a checkout:
              </Text>
              <Text ff="monospace" size="sm">
                carillon-control-plane account reset you@example.com
              </Text>
              <Text ff="monospace" size="sm">
                npm run account -- reset you@example.com
              </Text>
              <ToLogIn />
            </Stack>
          )
        }
      </Answer>
    </Door>
  );
}

function RequestForm() {
  const [email, setEmail] = useState('');
  const request = useChange('requestPassword');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate({ email });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={(e) => setEmail(e.target.value)}
          error={faultOf(request.error, 'email')}
        />
        <Fault error={request.error} fields={['email']} />
        {request.isSuccess && (
          <Alert color="teal" variant="outline" role="status">
            If there is an account with this address, we have sent it a link. The link expires after 30 minutes.
          </Alert>
        )}
        <Button type="submit" loading={request.isPending}>
          Send me a link
        </Button>
        <ToLogIn />
      </Stack>
    </form>
  );
}

export function NewPasswordPage() {
  const [password, setPassword] = useState('');
  const set = useChange('setNewPassword');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate({ token: linkSecret(), password });
  };
  return (
    <Door title="Set a new password">
      {set.data ? (
        <Stack>
          <Alert color="teal" variant="outline" role="status">
            The password of {set.data.email} is set. All sessions of the account have ended.
          </Alert>
          <ToLogIn />
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <PasswordInput
              label="New password"
              description="At least 12 characters."
              required
              autoComplete="new-password"
              value={password}
              onChange={(e) => setPassword(e.target.value)}
              error={faultOf(set.error, 'password')}
            />
            <Fault error={set.error} fields={['password']} />
            <Button type="submit" loading={set.isPending}>
              Set password
            </Button>
          </Stack>
        </form>
      )}
    </Door>
  );
}
