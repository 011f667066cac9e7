/** A new object gets the given slug, or a free one from its name. */
import { freeSlug, slugOf } from '../../domain/project/slug.ts';
import type { Tx } from '../../store/db.ts';
import { type Slugged, slugsLike } from '../../store/project/slugs.ts';
import { conflict } from '../request/change.ts';

/** A slug that was free a moment ago may be taken in the meantime. */
const ATTEMPTS = 10;

export type WantedSlug = {
  readonly table: Slugged;
  readonly ownerId: string;
  readonly slug: string | undefined;
  readonly name: string;
  /** The slug of a name without a letter or digit. */
  readonly fallback: string;
};

/**
 * `insert` returns false if the slug is taken.
 * @throws ApiError CONFLICT
 */
export async function insertUnderSlug(
  tx: Tx,
  wanted: WantedSlug,
  insert: (slug: string) => Promise<boolean>,
): Promise<void> {
  if (wanted.slug !== undefined) {
    if (await insert(wanted.slug)) return;
    throw conflict(`The slug ${wanted.slug} is taken; choose another one, or leave it out.`);
  }
  const base = slugOf(wanted.name, wanted.fallback);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const there = new Set(await slugsLike(tx, wanted.table, wanted.ownerId, base));
    if (await insert(freeSlug(base, there))) return;
  }
  throw conflict(`No slug could be found for the name ${wanted.name}; give one.`);
}
