/** The link to the chapter of the documentation that explains the page. */
import { ActionIcon } from '@mantine/core';
import { IconHelpCircle } from './icons.tsx';

/** `chapter`: its address. */
export const Help = ({ chapter }: { chapter: string }) => (
  <ActionIcon
    component="a"
    href={chapter}
    target="_blank"
    variant="subtle"
    color="gray"
    size={34}
    aria-label="Help with this page"
    title="Help with this page"
  >
    <IconHelpCircle size={19} stroke={1.7} />
  </ActionIcon>
);
