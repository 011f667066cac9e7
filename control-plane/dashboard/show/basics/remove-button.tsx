/** The button that takes an item out of a list. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconX } from './icons.tsx';

type Props = {
  /** The accessible name: what is removed. */
  readonly name: string;
  /** True: it is beside fields, below the height of their labels. */
  readonly isBesideFields?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
};

export const RemoveButton = ({ name, isBesideFields = false, ...rest }: Props) => (
  <Tooltip label="Remove">
    <ActionIcon
      variant="default"
      {...(isBesideFields && { size: 36, mt: 25 })}
      style={{ flex: 'none' }}
      aria-label={name}
      {...rest}
    >
      <IconX size={16} />
    </ActionIcon>
  </Tooltip>
);
