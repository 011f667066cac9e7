/**
 * A long form: its parts one below the other, of which some are folded and say in a line what is set, and its buttons, which stay
 * in view.
 */
import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconChevronDown } from './icons.tsx';
import { REFUSED } from './refused.ts';

export const FormSections = ({ children }: { readonly children: ReactNode }) => (
  <div className="card form-sections">{children}</div>
);

type SectionProps = { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode };

export function FormSection({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title id={id} order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  );
}

type FoldedProps = {
  readonly title: string;
  /** What is set, in one line. */
  readonly summary: string;
  /** The server's answer to the last attempt. */
  readonly error: Error | null;
  readonly children: ReactNode;
};

/** It opens by itself if one of its fields is refused, by the server or by the browser. */
export function FoldedSection({ title, summary, error, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const id = useId();
  // Only what is drawn shows which fields were refused.
  useEffect(() => {
    if (error && fields.current?.querySelector(REFUSED)) setOpen(true);
  }, [error]);
  return (
    <section aria-labelledby={`${id}-title`}>
      <div className="fold">
        <Title order={2} size="h4">
          <button
            id={`${id}-title`}
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-describedby={`${id}-set`}
            onClick={() => setOpen(!isOpen)}
          >
            {title}
          </button>
        </Title>
        <Text id={`${id}-set`} size="sm" c="dimmed">
          {summary}
        </Text>
        <IconChevronDown size={18} />
      </div>
      {/* The browser focuses a field right after it has refused it, which it can only if the field is shown. */}
      <div
        id={id}
        ref={fields}
        hidden={!isOpen}
        className="fold-fields"
        onInvalidCapture={() => flushSync(() => setOpen(true))}
      >
        {children}
      </div>
    </section>
  );
}

export const FormButtons = ({ children }: { readonly children: ReactNode }) => (
  <div className="form-buttons">{children}</div>
);
