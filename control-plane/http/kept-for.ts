/** An answer that is made once for all clients that ask within some time. */

/** @param ms the time from the request; a failure is not kept */
export function keptFor<K, T>(ms: number, now: () => Date, make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const answers = new Map<K, { readonly atMs: number; readonly answer: Promise<T> }>();
  return (key) => {
    const found = answers.get(key);
    if (found && now().getTime() - found.atMs < ms) return found.answer;
    const answer = make(key);
    answers.set(key, { atMs: now().getTime(), answer });
    answer.catch(() => answers.delete(key));
    return answer;
  };
}
