/** Another agent of the pool has the key of this one: a copy of its state folder. */
import type { Book } from '../run/allocation/book.ts';

/** The first word of it may mean a connection of this host that is dead, which the control plane notices before the second. */
const CERTAIN = 2;

/**
 * `seen` is called at each such answer; `certain` resolves when this agent may take another key, and rejects with the reason if the
 * agent ends before.
 */
export function watchCopies(
  book: Pick<Book, 'isIdle'>,
  ended: Promise<Error>,
): {
  readonly seen: () => void;
  readonly certain: Promise<void>;
} {
  const { promise: certain, resolve, reject } = Promise.withResolvers<void>();
  void ended.then(reject);
  // An agent need not wait for a copy of itself.
  certain.catch(() => undefined);
  let seen = 0;
  return {
    seen() {
      if (++seen >= CERTAIN && book.isIdle) resolve();
    },
    certain,
  };
}
