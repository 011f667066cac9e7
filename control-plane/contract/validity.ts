/** How far figures may be trusted: a verdict from the agents' own noise (design 8). */
import * as z from 'zod';
import { VERDICTS } from './words.ts';

export const Validity = z
  .object({
    verdict: z.enum(VERDICTS),
    reasons: z.array(
      z.object({
        check: z.string(),
        level: z.enum(['SUSPECT', 'VOID']),
        value: z.number(),
        limit: z.number(),
        unit: z.string(),
        worker: z.string().nullable(),
        message: z.string(),
      }),
    ),
    checks: z.array(
      z.object({
        check: z.string(),
        value: z.number().nullable(),
        suspectAbove: z.number(),
        voidAbove: z.number(),
        unit: z.string(),
        count: z.int().describe('values behind the figure'),
      }),
    ),
  })
  .meta({ id: 'Validity' });
export type Validity = z.infer<typeof Validity>;
