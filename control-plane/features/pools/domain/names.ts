/** Names of a pool's workers by its pattern. Pure. */

const MAX_LENGTH = 63;

type Parts = { readonly pool: string; readonly host: string; readonly n: number };

/** The name that the pattern gives; what a name may not have becomes a hyphen. `again`: the name with the number, if it is taken. */
export function workerNames(
  pattern: string,
  { pool, host, n }: Parts,
): { readonly first: string; readonly again: string } {
  const values: Readonly<Record<string, string>> = { pool, host, n: String(n) };
  const first = plain(pattern.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)) || String(n);
  return { first: first.slice(0, MAX_LENGTH), again: `${first.slice(0, MAX_LENGTH - 1 - String(n).length)}-${n}` };
}

const plain = (text: string): string => text.replace(/[^\w .:-]/g, '-').trim();
