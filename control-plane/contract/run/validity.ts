/** How far figures may be trusted: a verdict from the agents' own noise (docs/decisions.md, Verdict). */
import * as z from 'zod';
import { VERDICTS } from '../words.ts';

const Crossed = z.object({
  check: z.string(),
  value: z.number(),
  limit: z.number(),
  unit: z.string(),
  worker: z.string().nullable(),
  message: z.string(),
});

export const Validity = z
  .object({
    verdict: z.enum(VERDICTS),
    sentence: z.string().describe('the verdict and its first reason, in one plain sentence'),
    reasons: z
      .array(
        Crossed.extend({
          level: z.enum(['SUSPECT', 'VOID']),
          touches: z.string().describe('the figures that it makes doubtful'),
        }),
      )
      .describe('VOID first: only what the agents did or failed to do makes a verdict'),
    explanations: z.array(Crossed).describe('what may be the cause of that; by itself it makes no verdict'),
    checks: z.array(
      z.object({
        check: z.string(),
        kind: z.enum(['EFFECT', 'CAUSE']).describe('EFFECT: it makes the verdict; CAUSE: it explains one'),
        value: z.number().nullable().describe('of the worst worker; null: not measured'),
        suspectAbove: z.number(),
        voidAbove: z.number().nullable().describe('null: it makes no run VOID'),
        unit: z.string(),
        count: z.int().describe('values behind the figure'),
      }),
    ),
  })
  .meta({ id: 'Validity' });
export type Validity = z.infer<typeof Validity>;
