/** Checks the ids that filters name: an empty list would look like an answer although the id is mistyped. */
import { notFound } from '../../contract/errors.ts';
import type { Tx } from '../../store/db.ts';
import { isUuid } from '../../store/new-id.ts';
import { isThere, type NamedKind } from '../../store/project/named.ts';

/** @throws ApiError NOT_FOUND: one of these is not of the project */
export async function requireNamed(
  tx: Tx,
  projectId: string,
  ids: { readonly [W in NamedKind]?: string | undefined },
): Promise<void> {
  for (const [what, id] of Object.entries(ids) as [NamedKind, string | undefined][]) {
    if (id !== undefined && !(isUuid(id) && (await isThere(tx, what, projectId, id)))) throw notFound(what, id);
  }
}
