/** Log-in, the first owner's link, invitations. The secret of a link follows a #, so no server receives it. */
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { faultOf, forgetAnswers, RequestFailed, useCall, useChange } from '../api.ts';
import { Link, navigate, useSearch } from '../router.tsx';
import { CodeField, useCodeRequest } from '../show/basics/code-field.tsx';
import { Door, linkSecret } from '../show/basics/door.tsx';
import { Fault } from '../show/basics/fault.tsx';
import { Answer } from '../show/basics/page.tsx';
import { OtherWays } from '../show/people/other-ways.tsx';

const WAYS = FEATURE_PAGES.flatMap(({ waysIn = [] }) => waysIn);
const LINKS = FEATURE_PAGES.flatMap(({ logInLinks = [] }) => logInLinks);

/** Anonymous data are removed after log-in. */
function useEnter() {
  const to = useNext();
  return () => {
    forgetAnswers();
    void navigate({ to });
  };
}

/** The path, if it is on this host. */
function useNext(): string {
  const { next } = useSearch() as { next?: string };
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}

export function LogInPage() {
  const entrance = useCall('getEntrance', {});
  const enter = useEnter();
  const next = useNext();
  const logIn = useChange('logIn', enter);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const asked = useCodeRequest(logIn.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    logIn.mutate({ email, password, ...(asked.isAsked && { code: asked.code }) });
  };
  if (asked.isAsked)
    return (
      <Door title="Log in">
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{email} has a second factor.</Text>
            <CodeField code={asked.code} setCode={asked.setCode} error={logIn.error} focused />
            <Fault error={asked.fault} fields={['code']} />
            <Button type="submit" loading={logIn.isPending}>
              Log in
            </Button>
            <Anchor component="button" type="button" size="sm" ta="left" onClick={asked.startAgain}>
              Use another account
            </Anchor>
            <Text size="xs" c="dimmed">
              Without the device and the recovery codes, ask the operator of this installation to remove the second
              factor.
            </Text>
          </Stack>
        </form>
      </Door>
    );
  return (
    <Door title="Log in">
      {entrance.data?.isSetUp === false && (
        <Alert color="indigo" variant="outline" title="No account exists yet">
          When the service started, it printed a link for creating the owner&apos;s account. Open that link. Each
          restart prints a new one.
        </Alert>
      )}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            required
            autoComplete="username"
            value={email}
            onChange={(e) => setEmail(e.target.value)}
            error={faultOf(logIn.error, 'email')}
          />
          <PasswordInput
            label="Password"
            required
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.target.value)}
          />
          <Fault error={asked.fault} fields={['email']} />
          <Button type="submit" loading={logIn.isPending}>
            Log in
          </Button>
          {LINKS.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
        </Stack>
      </form>
      <OtherWays
        verb="Log in"
        ways={WAYS}
        entrance={entrance.data}
        act={async (way) => {
          if (await way.logIn(next)) enter();
        }}
      />
    </Door>
  );
}

export function SetUpPage() {
  const entrance = useCall('getEntrance', {});
  return (
    <Door title="Create the owner’s account" chapter="/docs/guide/get-started">
      <Answer of={entrance}>
        {({ isSetUp, organizationName }) =>
          isSetUp ? (
            <Text>
              This installation already has an owner. <a href="/log-in">Log in</a>, or ask for an invitation.
            </Text>
          ) : (
            <SetUpForm organizationName={organizationName} />
          )
        }
      </Answer>
    </Door>
  );
}

function SetUpForm({ organizationName }: { organizationName: string | null }) {
  const enter = useEnter();
  const setUp = useChange('setUp', enter);
  const [form, setForm] = useState({ organizationName: organizationName ?? '', name: '', email: '', password: '' });
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (e: { target: { value: string } }) => setForm({ ...form, [name]: e.target.value }),
    error: faultOf(setUp.error, name),
    required: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate({ ...form, token: linkSecret() });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {organizationName === null ? (
          <TextInput
            label="Organization"
            description="Your company or team. You can change it later."
            {...field('organizationName')}
          />
        ) : (
          <Text size="sm">You become the owner of {organizationName}.</Text>
        )}
        <TextInput label="Your name" autoComplete="name" {...field('name')} />
        <TextInput label="E-mail" type="email" autoComplete="username" {...field('email')} />
        <PasswordInput
          label="Password"
          description="At least 12 characters."
          autoComplete="new-password"
          {...field('password')}
        />
        <Fault error={setUp.error} fields={['organizationName', 'name', 'email', 'password']} />
        <Button type="submit" loading={setUp.isPending}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

export function InvitationPage() {
  const open = useChange('openInvitation');
  const { mutate } = open;
  useEffect(() => mutate({ token: linkSecret() }), [mutate]);
  return (
    <Door title="Accept your invitation">
      {open.error && <Fault error={open.error} fields={[]} />}
      {open.data && <AcceptForm {...open.data} />}
    </Door>
  );
}

function AcceptForm(invited: { organizationName: string; email: string; role: string; hasAccount: boolean }) {
  const enter = useEnter();
  const accept = useChange('acceptInvitation', enter);
  const asked = useCodeRequest(accept.error);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = asked.isAsked ? { code: asked.code } : {};
    accept.mutate({ token: linkSecret(), password, ...(!invited.hasAccount && { name }), ...code });
  };
  const isLimited = accept.error instanceof RequestFailed && accept.error.status === 429;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          <b>{invited.email}</b> is invited to <b>{invited.organizationName}</b> as {invited.role.toLowerCase()}.
        </Text>
        {!invited.hasAccount && (
          <TextInput
            label="Your name"
            required
            autoComplete="name"
            value={name}
            onChange={(e) => setName(e.target.value)}
            error={faultOf(accept.error, 'name')}
          />
        )}
        <PasswordInput
          label="Password"
          required
          description={invited.hasAccount ? 'The password of your existing account.' : 'At least 12 characters.'}
          autoComplete={invited.hasAccount ? 'current-password' : 'new-password'}
          value={password}
          onChange={(e) => setPassword(e.target.value)}
          error={faultOf(accept.error, 'password')}
        />
        {asked.isAsked && <CodeField code={asked.code} setCode={asked.setCode} error={accept.error} focused />}
        <Fault error={asked.fault} fields={['name', 'password', 'code']} />
        <Button type="submit" loading={accept.isPending} disabled={isLimited}>
          Accept
        </Button>
      </Stack>
    </form>
  );
}

/** It is shown in the frame of the pages before log-in, because a visitor may have no account. */
export const NotFoundPage = () => (
  <Door title="Page not found" chapter="/docs/">
    <Text>Nothing is at this address. What was here may have been deleted.</Text>
    <Anchor component={Link} to="/">
      To the first page
    </Anchor>
  </Door>
);
