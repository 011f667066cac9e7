/** The form that changes a SIP account. Its credentials can be replaced, but are never shown. */
import { Button, Group, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf, RequestFailed, useChange } from '../../api.ts';
import { Modal } from '../basics/dialog.tsx';
import { Failed } from '../basics/page.tsx';
import { COLUMN_NAMES } from './column-names.ts';
import { readValues, writtenValues } from './own-values.ts';

type Account = Output<'listSipAccounts'>;
type RegistrarIds = { readonly projectId: string; readonly registrarId: string };

const HELD = { PASSWORD: 'Current password', HA1: 'Current HA1', NONE: 'None, as now' } as const;
type Answer = 'KEPT' | 'PASSWORD' | 'HA1' | 'NONE';

export function ChangeAccount({ account, ...place }: RegistrarIds & { readonly account: Account }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Change ${account.username}`}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        Change
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Edit account ${account.username}`}>
        <Form {...place} account={account} onDone={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Form({
  account,
  onDone,
  ...place
}: RegistrarIds & { readonly account: Account; readonly onDone: () => void }) {
  const [form, setForm] = useState({
    username: account.username,
    authName: account.authName ?? '',
    displayName: account.displayName ?? '',
    number: account.number ?? '',
    values: writtenValues(account.values),
  });
  const [answer, setAnswer] = useState<Answer>('KEPT');
  const [secret, setSecret] = useState('');
  const update = useChange('updateSipAccount', onDone);
  const { error } = update;
  const { values, fault } = readValues(form.values);
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault !== null) return;
    update.mutate({
      ...place,
      sipAccountId: account.id,
      username: form.username,
      authName: form.authName || null,
      displayName: form.displayName || null,
      number: form.number || null,
      values,
      ...(answer === 'PASSWORD' && { password: secret }),
      ...(answer === 'HA1' && { ha1: secret }),
      ...(answer === 'NONE' && { password: null, ha1: null }),
    });
  };
  const text = (name: keyof typeof COLUMN_NAMES, description: string, placeholder: string) => (
    <TextInput
      label={COLUMN_NAMES[name]}
      description={description}
      placeholder={placeholder}
      required={name === 'username'}
      value={form[name]}
      onChange={(e) => set({ [name]: e.target.value })}
      error={faultOf(error, name)}
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {text('username', 'The user part of the SIP address.', '')}
        {text('authName', 'Used to answer challenges.', 'the user name')}
        <Select
          label="Authenticates with"
          data={[
            { value: 'KEPT', label: HELD[account.secret] },
            { value: 'PASSWORD', label: 'New password' },
            { value: 'HA1', label: 'Another HA1' },
            ...(account.secret === 'NONE' ? [] : [{ value: 'NONE', label: 'Nothing' }]),
          ]}
          value={answer}
          allowDeselect={false}
          onChange={(next) => {
            setAnswer(next as Answer);
            setSecret('');
          }}
        />
        {(answer === 'PASSWORD' || answer === 'HA1') && (
          <PasswordInput
            label={answer === 'HA1' ? 'HA1' : 'Password'}
            description={
              answer === 'HA1'
                ? 'Hash of "auth name:realm:password": 32 hexadecimal digits (MD5) or 64 (SHA-256).'
                : 'It is never shown again.'
            }
            autoComplete="off"
            required
            value={secret}
            onChange={(e) => setSecret(e.target.value)}
            error={faultOf(error, answer === 'HA1' ? 'ha1' : 'password')}
          />
        )}
        {text(
          'number',
          'The number at which it is called, and the caller number of its calls over a trunk.',
          'the user name',
        )}
        {text('displayName', 'Shown in From, unless the test sets another.', 'none')}
        <Textarea
          label="Custom values"
          description="One per line, for example pin=4711; {{pin}} in a test stands for the value. Do not enter secrets: values are visible."
          autosize
          minRows={2}
          maxRows={8}
          value={form.values}
          onChange={(e) => set({ values: e.target.value })}
          error={fault ?? faultOfValues(error)}
        />
        {error && <Failed error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The error of the values as a whole, or of one of them. */
const faultOfValues = (error: Error | null): string | undefined =>
  error instanceof RequestFailed ? error.details.find(({ path }) => /^values\b/.test(path))?.message : undefined;
