/** One handler for many links: a link of the router costs more than the rest of a row, each time it becomes visible. */
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** For the element around plain links to pages of the dashboard: a plain click goes there without a new load. */
export function useLinkClicks(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: link.pathname, search: Object.fromEntries(new URLSearchParams(link.search)) });
  };
}
