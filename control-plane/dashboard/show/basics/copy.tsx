/** A text that the user can copy: a key, a command, a link. */
import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { useState } from 'react';
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

/** Copies a text beside it, in rows of which there are many. Browsers let a page copy only over HTTPS, or from this host. */
export function CopyMark({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  if (navigator.clipboard === undefined) return null;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button
      type="button"
      className="copy-mark"
      title={isCopied ? 'Copied' : `Copy ${label}`}
      aria-label={isCopied ? `${label} copied` : `Copy ${label}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </button>
  );
}
