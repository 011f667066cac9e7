/** What a group expects of its calls beyond being answered: by it, findings are faults or not. */
import { FAULT_KINDS } from '@carillon/proto/findings.ts';
import * as z from 'zod';

export const Expectations = z
  .strictObject({
    farEndHangsUp: z
      .boolean()
      .default(false)
      .describe(
        'the far end ends the call, whenever it likes: an announcement, a test number. Then ENDED_EARLY is not found',
      ),
    toleratedFindings: z
      .array(z.enum(FAULT_KINDS))
      .max(FAULT_KINDS.length)
      .refine((kinds) => new Set(kinds).size === kinds.length, 'each finding may stand once')
      .default([])
      .describe('faults that do not make a call fail. They are found, counted and shown all the same'),
  })
  .meta({ id: 'Expectations' });
export type Expectations = z.output<typeof Expectations>;

export const NO_EXPECTATIONS: Expectations = { farEndHangsUp: false, toleratedFindings: [] };
