/** A secret that is told now and never again: what it is for, the text to take along, and the way out. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable } from './copy.tsx';

type Secret = {
  /** What it is, and that it is shown once. */
  readonly says: ReactNode;
  readonly text: string;
  /** Names what is copied: `the key`. */
  readonly label: string;
};

type Props = {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** undefined: it is not made yet, and `children`, its form, are shown. */
  readonly secret: Secret | undefined;
  readonly size?: string;
  readonly children?: ReactNode;
};

/** A form that ends in a secret. While the secret is shown a click beside the window does not lose it. */
export const ToldOnce = ({ title, opened, onClose, secret, size, children }: Props) => (
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
