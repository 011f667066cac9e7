/** The user's second factor: it is set up with a QR code, moved to another device, or removed. It has recovery codes. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { call, queries, useChange } from '../../../dashboard/api.ts';
import { useMe } from '../../../dashboard/me.tsx';
import { CodeField } from '../../../dashboard/show/basics/code-field.tsx';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { Copyable } from '../../../dashboard/show/basics/copy.tsx';
import { Modal } from '../../../dashboard/show/basics/dialog.tsx';
import { Fault } from '../../../dashboard/show/basics/fault.tsx';
import { Card, Failed } from '../../../dashboard/show/basics/page.tsx';
import { ShownOnce } from '../../../dashboard/show/basics/shown-once.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';

const OFF = 'With one, logging in takes a code of an authenticator app after the password. API keys need no code.';

/**
 * `onSetUp` is called when the recovery codes have been seen. Secrets shown once stay in place when a factor is added or removed.
 */
export default function SecondFactor({ onSetUp }: { onSetUp?: () => void }) {
  const { secondFactor, organization } = useMe();
  return (
    <Card title="Second factor" note={secondFactor ? <On {...secondFactor} /> : OFF}>
      <Group>
        <SetUp label={secondFactor ? 'Set up another device' : 'Set up a second factor'} onDone={onSetUp} />
        {secondFactor && <Renew />}
        {secondFactor && !organization.needsSecondFactor && (
          <Confirm
            label="Remove"
            size="sm"
            title="Remove the second factor?"
            act={async () => {
              await call('removeSecondFactor', {});
              await queries.invalidateQueries();
            }}
          >
            You will log in with your password only. The recovery codes are deleted, too.
          </Confirm>
        )}
      </Group>
    </Card>
  );
}

const On = ({ confirmedAt, recoveryCodes }: { confirmedAt: string; recoveryCodes: number }) => (
  <>
    An authenticator app, since <Time at={confirmedAt} />.{' '}
    {recoveryCodes === 1 ? 'One recovery code is left.' : `${recoveryCodes} recovery codes are left.`}
  </>
);

/** The recovery codes as users store them, one a line. */
const codesShown = (recoveryCodes: readonly string[]) => ({
  says: 'Store these recovery codes apart from the device. Each code works once, in place of a code from the app. They are shown only once.',
  text: recoveryCodes.join('\n'),
  label: 'the recovery codes',
});

function SetUp({ label, onDone }: { label: string; onDone: (() => void) | undefined }) {
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const offer = useChange('offerSecondFactor');
  const confirm = useChange('confirmSecondFactor', ({ recoveryCodes }) => setCodes(recoveryCodes));
  const close = () => {
    if (codes) onDone?.();
    offer.reset();
    confirm.reset();
    setCode('');
    setCodes(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ code });
  };
  return (
    <Stack gap="sm">
      {/* A button that waits would lose the focus, which returns to it after the dialog. */}
      <Button aria-haspopup="dialog" onClick={() => offer.mutate({})} style={{ alignSelf: 'flex-start' }}>
        {label}
      </Button>
      {offer.error && <Failed error={offer.error} />}
      <ShownOnce
        title={codes ? 'The second factor is set up' : 'Set up a second factor'}
        opened={offer.data !== undefined}
        onClose={close}
        secret={codes && codesShown(codes)}
      >
        {offer.data && (
          <form onSubmit={submit}>
            <Stack>
              <Text size="sm">
                Scan this with an authenticator app, or enter the secret there. It is shown only once.
              </Text>
              <Group justify="center">
                <QRCodeSVG value={offer.data.url} size={208} marginSize={4} title="QR code of the secret" role="img" />
              </Group>
              <Copyable text={offer.data.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} label="the secret" />
              <CodeField code={code} setCode={setCode} error={confirm.error} focused isFirst />
              <Fault error={confirm.error} fields={['code']} />
              <Group justify="flex-end">
                <Button type="submit" loading={confirm.isPending}>
                  Confirm
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </ShownOnce>
    </Stack>
  );
}

function Renew() {
  const renew = useChange('renewRecoveryCodes');
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => renew.mutate({})}>
        New recovery codes
      </Button>
      <Modal opened={renew.error !== null} onClose={renew.reset} title="New recovery codes">
        {renew.error && <Failed error={renew.error} />}
      </Modal>
      <ShownOnce
        title="New recovery codes"
        opened={renew.data !== undefined}
        onClose={renew.reset}
        secret={renew.data && codesShown(renew.data.recoveryCodes)}
      />
    </>
  );
}
