/** The field that pools add to a worker. */
import * as z from 'zod';

export const WORKER_FIELDS = { pool: z.string().nullable().describe('name of its pool; null: it is in none') };
