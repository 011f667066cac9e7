/** What a group expects of its calls beyond an answer. This decides which findings are faults. */
import { FAULT_KINDS } from '@carillon/proto/words/findings.ts';
import * as z from 'zod';

export const Expectations = z
  .strictObject({
    farEndHangsUp: z
      .boolean()
      .default(false)
      .describe(
        'the far end may end the call at any time, for example an announcement. ENDED_EARLY is then not reported',
      ),
    farEndMayPause: z
      .boolean()
      .default(false)
      .describe(
        'the far end may send no audio for a while, for example a menu that waits, or a hold without music. Silence before its first packet and after its last one is then a pause, too (SENDER_PAUSED)',
      ),
    toleratedFindings: z
      .array(z.enum(FAULT_KINDS))
      .max(FAULT_KINDS.length)
      .refine((kinds) => new Set(kinds).size === kinds.length, 'each finding must be unique')
      .default([])
      .describe('faults that do not make a call fail. They are still counted and shown'),
  })
  .meta({ id: 'Expectations' });
export type Expectations = z.output<typeof Expectations>;

export const NO_EXPECTATIONS: Expectations = { farEndHangsUp: false, farEndMayPause: false, toleratedFindings: [] };
