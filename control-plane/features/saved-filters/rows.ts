/** The operations about the saved filters of a person. */
import * as z from 'zod';
import { Deleted, Page } from '../../contract/envelope.ts';
import type { OperationRow } from '../../contract/row.ts';
import { MAX_FILTERS, NewSavedFilter, SavedFilter } from './contract/saved-filter.ts';

const projectId = z.string().describe('project id');

/** They are of people: keys have none. */
const row = { by: 'SESSION', role: 'VIEWER', extension: true } as const;

export const ROWS = {
  listSavedFilters: {
    ...row,
    method: 'GET',
    path: '/projects/{projectId}/saved-filters',
    summary: 'Your saved filters of lists of the project',
    input: z.object({ projectId, ...Page }),
    output: SavedFilter,
    answers: 'list',
    status: 200,
  },
  saveFilter: {
    ...row,
    method: 'POST',
    path: '/projects/{projectId}/saved-filters',
    summary: `Save a filter for yourself, or change the one of this name; at most ${MAX_FILTERS} in a project`,
    input: z.object({ projectId, ...NewSavedFilter }),
    output: SavedFilter,
    answers: 'single',
    status: 201,
  },
  deleteSavedFilter: {
    ...row,
    method: 'DELETE',
    path: '/projects/{projectId}/saved-filters/{savedFilterId}',
    summary: 'Delete one of your saved filters',
    input: z.object({ projectId, savedFilterId: z.string() }),
    output: Deleted,
    answers: 'single',
    status: 200,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { saveFilter: { list: 'RUNS', name: 'Failed today', query: 'status=FAILED&period=day' } };

type SavedFilterRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends SavedFilterRows {}
}
