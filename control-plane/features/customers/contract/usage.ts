/** What the projects of an organization have used of its plan, by month. */
import * as z from 'zod';
import { Id } from '../../../contract/envelope.ts';
import { TIERS } from '../../../contract/people/words.ts';

export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, like 2026-11')
  .describe('a calendar month (UTC)');

/** The most months of one answer. */
export const MAX_MONTHS = 36;

export const Months = {
  first_month: Month.optional().describe('default: eleven months before the last one'),
  last_month: Month.optional().describe(`default: the present one; at most ${MAX_MONTHS} months`),
};

export const Usage = z
  .object({
    firstMonth: z.string(),
    lastMonth: z.string(),
    rows: z
      .array(
        z.object({
          month: z.string(),
          organizationId: Id,
          organizationName: z.string(),
          projectId: Id.nullable().describe(
            'null: deleted projects, and runs that were deleted before use was counted by project',
          ),
          projectName: z.string().nullable(),
          runs: z.int().describe('that ended in the month'),
          endpointMinutes: z.number(),
          plan: z.enum(TIERS).describe('the present one of the organization'),
          endpointMinutesPerMonth: z.int().nullable().describe("the plan's limit; null: none"),
        }),
      )
      .describe('the last month first'),
  })
  .meta({ id: 'Usage' });
