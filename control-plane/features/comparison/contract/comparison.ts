/** A comparison of two runs: significant improvements and regressions (extensions). */
import * as z from 'zod';
import { Id } from '../../../contract/envelope.ts';
import { VERDICTS } from '../../../contract/run/measured-words.ts';

const Interval = z.object({ from: z.number(), to: z.number() }).describe('of 95 %');
const Side = z.object({
  value: z.number().nullable().describe('null: not measured'),
  count: z.int(),
  interval: Interval.nullable().describe('of a share; null: of timings'),
});

const COMPARISON_VERDICTS = ['BETTER', 'WORSE', 'NO_DIFFERENCE', 'TOO_LITTLE_DATA'] as const;

const ComparedRun = z.object({ testRunId: Id, testName: z.string(), verdict: z.enum(VERDICTS).nullable() });

export const RunComparison = z
  .object({
    run: ComparedRun,
    baseline: ComparedRun,
    verdict: z
      .enum([...COMPARISON_VERDICTS, 'NOT_COMPARABLE'])
      .describe('WORSE if one figure is WORSE. NOT_COMPARABLE: a run is VOID or did not complete'),
    sentence: z.string(),
    warnings: z.array(z.string()).describe('reservations about the comparison, such as a SUSPECT run'),
    figures: z.array(
      z.object({
        key: z.string(),
        displayName: z.string(),
        unit: z.string(),
        higherIsBetter: z.boolean(),
        baseline: Side,
        run: Side,
        by: z.number().nullable().describe('percentage points of shares, percent of the baseline of timings'),
        interval: Interval.nullable().describe('of `by`'),
        leastEffect: z.number().describe('smallest relevant difference, in the unit of `by`'),
        p: z.number().nullable().describe('p-value, corrected for all figures (Holm); null: not tested'),
        verdict: z.enum(COMPARISON_VERDICTS).describe('BETTER and WORSE: p below 0.05, and by at least leastEffect'),
      }),
    ),
  })
  .meta({ id: 'TestRunComparison' });
