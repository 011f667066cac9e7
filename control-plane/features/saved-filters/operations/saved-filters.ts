/** Filters of lists that people keep for themselves: nobody else reads them. */
import { notFound } from '../../../contract/errors.ts';
import { changing, conflict } from '../../../operations/request/change.ts';
import { byId, type Handler } from '../../../operations/request/perform.ts';
import { newId } from '../../../store/new-id.ts';
import { MAX_FILTERS } from '../contract/saved-filter.ts';
import { filtersOf, lockFilters, putFilter, removeFilter } from '../store/saved-filters.ts';

export const listSavedFilters: Handler<'listSavedFilters'> = async (
  { ports, actor },
  { projectId, page, per_page },
) => {
  const all = await filtersOf(ports.database.db, { projectId, userId: actor.userId });
  return { rows: all.slice((page - 1) * per_page, page * per_page), total: all.length };
};

export const saveFilter = changing<'saveFilter'>(async ({ actor }, tx, { projectId, ...filter }) => {
  const own = { projectId, userId: actor.userId };
  await lockFilters(tx, own);
  const all = await filtersOf(tx, own);
  const isNew = !all.some(({ list, name }) => list === filter.list && name === filter.name);
  if (isNew && all.length >= MAX_FILTERS)
    throw conflict(`You have ${MAX_FILTERS} saved filters in this project: delete one that you do not need.`);
  return putFilter(tx, own, { id: newId(), ...filter });
});

export const deleteSavedFilter = changing<'deleteSavedFilter'>(async ({ actor }, tx, { projectId, savedFilterId }) => {
  const own = { projectId, userId: actor.userId };
  const isGone = await byId(savedFilterId, () => removeFilter(tx, own, savedFilterId));
  if (!isGone) throw notFound('saved filter', savedFilterId);
  return { id: savedFilterId, deleted: true };
});
