/** The key figures of a test from run to run (extensions). */
import * as z from 'zod';
import { Id, Timestamp } from '../../../contract/envelope.ts';
import { MOS_SCALES, VERDICTS } from '../../../contract/run/measured-words.ts';
import { Labels } from '../../../contract/run/start.ts';
import { RUN_STATUSES } from '../../../contract/run-status.ts';

const Figure = z.object({ value: z.number().nullable().describe('null: not measured'), count: z.int() });

export const TrendRun = z
  .object({
    testRunId: Id,
    submittedAt: Timestamp,
    status: z.enum(RUN_STATUSES),
    labels: Labels,
    isBaseline: z.boolean(),
    verdict: z.enum(VERDICTS),
    passed: z.boolean().nullable(),
    figures: z.object({
      successShare: Figure.describe('percent of calls'),
      asr: Figure.describe('percent of calls'),
      setupP50Ms: Figure.describe('of answered calls'),
      setupP95Ms: Figure.describe('of answered calls'),
      avgMos: Figure.extend({ scale: z.enum(MOS_SCALES).nullable() }).describe('mean over streams'),
      packetLossPercent: Figure.describe('mean over streams'),
    }),
  })
  .meta({ id: 'TestTrendRun' });
