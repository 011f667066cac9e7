/** A secret that is shown only once, with its purpose, the text to copy, and a button to close. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable } from './copy.tsx';
import { Modal } from './dialog.tsx';

type Secret = {
  /** The name of the secret, and the note that it is shown once. */
  readonly says: ReactNode;
  readonly text: string;
  /** The name of the text to copy: `the key`. */
  readonly label: string;
};

type Props = {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Undefined: the secret is not created yet, and `children`, its form, are shown. */
  readonly secret: Secret | undefined;
  readonly size?: string;
  readonly children?: ReactNode;
};

/** A form that ends in a secret. While the secret is shown, a click beside the window does not close it. */
export const ShownOnce = ({ title, opened, onClose, secret, size, children }: Props) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={title}
    {...(size && { size })}
    closeOnClickOutside={!secret}
    closeOnEscape={!secret}
  >
    {secret ? (
      <Stack>
        <Text size="sm" component="div">
          {secret.says}
        </Text>
        <Copyable text={secret.text} label={secret.label} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    ) : (
      children
    )}
  </Modal>
);
