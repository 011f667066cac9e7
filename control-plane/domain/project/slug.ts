/** Makes slugs of names, different from those in use. Pure. */

const MAX_LENGTH = 63;
/** The length of the name's part; the rest is for a number. */
const MAX_BASE = 56;

/** Letters, digits and hyphens of a name; `fallback` if it has none. */
export function slugOf(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_BASE)
    .replace(/(?<!-)-+$/, '');
  return slug || fallback;
}

/** The slug, or the first free one of slug-2, slug-3 … */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let free = slug;
  for (let n = 2; taken.has(free); n++) free = `${slug}-${n}`.slice(0, MAX_LENGTH);
  return free;
}
