/** Another agent of the pool has the key of this one: a copy of its state folder. */
import type { Book } from '../run/allocation/book.ts';

/** The first word of it may mean a connection of this host that is dead, which the control plane notices before the second. */
const CERTAIN = 2;

/** `seen` is called at each such answer; `certain` settles when this agent may take another key. */
export function watchCopies(book: Pick<Book, 'isIdle'>): {
  readonly seen: () => void;
  readonly certain: Promise<void>;
} {
  const { promise: certain, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  return {
    seen() {
      if (++seen >= CERTAIN && book.isIdle) resolve();
    },
    certain,
  };
}
