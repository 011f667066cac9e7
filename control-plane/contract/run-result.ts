/** The result of a run. An ended run is not necessarily good. */
import { FINDING_KINDS } from '@carillon/proto/words/findings.ts';
import * as z from 'zod';
import { HEALTH_STATES, VERDICTS } from './run/measured-words.ts';

export const RunResult = z
  .object({
    endpoints: z.int(),
    calls: z.int().describe('as callTiming.totalCalls'),
    successful: z.int().describe('as callQuality.successful'),
    failed: z.int().describe('as callQuality.failed: with successful, they are the calls'),
    answeredFailed: z.int().describe('of those, calls that were answered, and not heard or ended early'),
    failures: z.int().describe('endpoints that failed, in a call or before one'),
    findings: z
      .array(z.object({ finding: z.enum(FINDING_KINDS), count: z.int() }))
      .describe('faults of answered calls, most frequent first'),
    verdict: z.enum(VERDICTS).describe('as validity.verdict'),
    passed: z
      .boolean()
      .nullable()
      .describe("by the test's thresholds; null: it has none, or the run is VOID or did not complete"),
    health: z.enum(HEALTH_STATES).nullable().describe("of a probe's execution, by its thresholds; else null"),
  })
  .meta({ id: 'TestRunResult' });
export type RunResult = z.infer<typeof RunResult>;
