/** Filters of a list that people keep for themselves under a name. */
import * as z from 'zod';
import { Id } from '../../../contract/envelope.ts';
import { Text } from '../../../contract/fields.ts';
import { INVISIBLE, isVisible } from '../../../contract/visible.ts';

/** The number of filters of a person in a project. */
export const MAX_FILTERS = 50;

const List = z.enum(['RUNS', 'CALLS']);

export const SavedFilter = z
  .object({
    id: Id,
    list: List,
    name: z.string(),
    query: z.string().describe("as in the address of the list's page, without `?`"),
  })
  .meta({ id: 'SavedFilter' });

export const NewSavedFilter = {
  list: List,
  name: Text.trim().min(1).max(60).refine(isVisible, INVISIBLE),
  query: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[\w.%+*=&-]+$/, 'must be a query as in an address, without ?')
    .describe("as in the address of the list's page"),
};
