/** A text that the user can copy: a key, a command, a link. */
import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.tsx';

export const Copyable = ({ text, label }: { text: string; label: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon variant="default" size="lg" onClick={copy} aria-label={`Copy ${label}`}>
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </Group>
);
