/** One handler serves many links: the rows of long lists are drawn again while they scroll. */

import type { MouseEvent } from 'react';
import { navigate } from '../../router.tsx';

/** For the element around plain links to pages of the dashboard: a plain click goes there without a new load. */
export function useLinkClicks(): (event: MouseEvent<HTMLElement>) => void {
  return (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: link.pathname, search: Object.fromEntries(new URLSearchParams(link.search)) });
  };
}
