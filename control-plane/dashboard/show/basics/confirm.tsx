/** A dialog that asks for confirmation before an irreversible action. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Modal } from './dialog.tsx';
import { Failed } from './page.tsx';

type Props = {
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly size?: 'xs' | 'sm' | 'md' | 'lg';
  readonly disabled?: boolean;
  readonly filled?: boolean;
};

export function Confirm({ label, title, children, act, size = 'xs', disabled, filled }: Props) {
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const go = async () => {
    setBusy(true);
    setError(null);
    try {
      await act();
      setOpened(false);
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size={size}
        variant={filled ? 'filled' : 'default'}
        color={filled ? 'red.8' : undefined}
        disabled={disabled}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={title}>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {error && <Failed error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)}>
              Keep
            </Button>
            <Button color="red.8" loading={busy} onClick={() => void go()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
