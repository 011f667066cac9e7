/** Offset pages that are read from the nearer end of their index: the last page costs the same as the first one. Pure. */
import type { Paged } from '../contract/envelope.ts';

/** `backwards`: rows are read in the opposite order, from the end. */
export type PageWindow = { readonly offset: number; readonly limit: number; readonly backwards: boolean };

/** The range of page `page` of `total` rows; a page beyond the last is empty. */
export function windowOf(total: number, { page, per_page }: Paged): PageWindow {
  const offset = (page - 1) * per_page;
  const limit = Math.max(0, Math.min(per_page, total - offset));
  const behind = total - offset - limit;
  return limit > 0 && behind < offset
    ? { offset: behind, limit, backwards: true }
    : { offset, limit, backwards: false };
}

/** The direction in which to read an index so that the window's rows are first. */
export const reading = (w: PageWindow, direction: 'asc' | 'desc'): 'asc' | 'desc' =>
  w.backwards ? (direction === 'asc' ? 'desc' : 'asc') : direction;
