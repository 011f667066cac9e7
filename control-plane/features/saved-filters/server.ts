/** What saved filters add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import { deleteSavedFilter, listSavedFilters, saveFilter } from './operations/saved-filters.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { listSavedFilters, saveFilter, deleteSavedFilter };
