/** Which runs a list shows, and in which order. */
import * as z from 'zod';
import { cursorOf, Flag, many } from '../query.ts';
import { RUN_STATUSES } from '../run-status.ts';
import { VERDICTS } from './measured-words.ts';
import { Span } from './trace.ts';
import { LABEL_FILTER } from './words.ts';

const RUN_ORDERS = ['-submittedAt', 'submittedAt', '-endpoints', 'endpoints', 'testName', '-testName'] as const;

export const RunFilter = {
  test_id: z.string().max(100).optional(),
  probe_id: z.string().max(100).optional(),
  is_probe_run: Flag.optional().describe('false: runs of tests only'),
  status: many(z.enum(RUN_STATUSES)).optional(),
  verdict: many(z.enum(VERDICTS)).optional().describe('runs in progress have none'),
  passed: z
    .preprocess((value) => (typeof value === 'boolean' ? String(value) : value), z.enum(['true', 'false', 'none']))
    .optional()
    .describe('null: not judged'),
  label: many(z.string().regex(LABEL_FILTER, 'must be the name of a label, or name=value'))
    .optional()
    .describe('name or name=value; of several all'),
  from: Span.from.describe('submitted at or after'),
  to: Span.to.describe('submitted before'),
  ...cursorOf(RUN_ORDERS),
};
