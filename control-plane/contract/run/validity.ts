/** How far figures can be trusted: a verdict based on the agents' own noise (docs/decisions.md, Verdict). */
import * as z from 'zod';
import { VERDICTS } from './measured-words.ts';

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
          touches: z.string().describe('the figures that become doubtful'),
        }),
      )
      .describe("VOID first; only the agents' own behaviour affects the verdict"),
    explanations: z.array(Crossed).describe('possible causes; they do not affect the verdict'),
    checks: z.array(
      z.object({
        check: z.string(),
        kind: z.enum(['EFFECT', 'CAUSE']).describe('EFFECT: affects the verdict; CAUSE: explains it'),
        value: z.number().nullable().describe('of the worst worker; null: not measured'),
        suspectAbove: z.number(),
        voidAbove: z.number().nullable().describe('null: never makes a run VOID'),
        unit: z.string(),
        count: z.int().describe('number of values'),
      }),
    ),
  })
  .meta({ id: 'Validity' });
export type Validity = z.infer<typeof Validity>;
