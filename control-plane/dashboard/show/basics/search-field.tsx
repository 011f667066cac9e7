/** A text by which a list is searched. It is in the address. */
import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';

type Props = {
  /** Shown above the field, or read to those who do not see the placeholder. */
  readonly label: string;
  readonly isLabelHidden?: true;
  readonly placeholder: string;
  readonly width: number;
  readonly value: string | undefined;
  readonly fault?: (text: string) => string | null;
  readonly onTake: (text: string | undefined) => void;
};

/** The typed text is applied by Enter, or when the field loses the focus. */
export function SearchField({ label, isLabelHidden, placeholder, width, value, fault, onTake }: Props) {
  const [text, setText] = useState(value ?? '');
  // Something else changed the address.
  useEffect(() => setText(value ?? ''), [value]);
  const typed = text.trim();
  const wrong = typed === '' ? null : (fault?.(typed) ?? null);
  const take = () => {
    if (wrong === null && typed !== (value ?? '')) onTake(typed === '' ? undefined : typed);
  };
  return (
    <TextInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      size="xs"
      w={width}
      value={text}
      onChange={(e) => setText(e.target.value)}
      onBlur={take}
      onKeyDown={(e: KeyboardEvent) => e.key === 'Enter' && take()}
      error={wrong}
    />
  );
}
