/** The link to the chapter of the documentation that explains the page. */
import { ActionIcon } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import { CHAPTERS, type Chapters, chapterOf } from '../../chapters.ts';
import { IconHelpCircle } from './icons.tsx';

const ALL_CHAPTERS = Object.assign({}, CHAPTERS, ...FEATURE_PAGES.map(({ chapters }) => chapters)) as Chapters;

export function Help() {
  const { pathname } = useLocation();
  return (
    <ActionIcon
      component="a"
      href={chapterOf(pathname, ALL_CHAPTERS)}
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
}
