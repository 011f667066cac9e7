/** One execution of a probe: its result, why, and how long each step took. */
import * as z from 'zod';
import { FEATURE_EXECUTION_FIELDS } from '../../feature-sums/fields.ts';
import { Id, Timestamp } from '../envelope.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import { PARTIES } from '../run-status.ts';
import { ThresholdResult } from '../threshold.ts';

const STEPS = [
  'dnsMs',
  'connectMs',
  'registerMs',
  'tryingMs',
  'ringingMs',
  'answerMs',
  'firstMediaMs',
  'byeMs',
  'optionsMs',
] as const;
/** Trying, ringing and answer are measured from INVITE on, media from the answer on. */
export type ExecutionSteps = { readonly [step in (typeof STEPS)[number]]: number | null };

export const ExecutionSteps = z
  .record(z.string(), z.number().nullable())
  .describe(`milliseconds of ${STEPS.join(', ')}; null: not measured`);

export const ProbeInstance = z
  .object({
    id: Id,
    status: z.enum(HEALTH_STATES),
    testRunId: Id,
    scheduledAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    thresholdResults: z.array(ThresholdResult).describe('empty for a run that was never graded'),
    repeatedTestRunId: Id.nullable().describe(
      'the failed run of another worker that this run repeated to confirm the failure',
    ),
    steps: ExecutionSteps.nullable(),
    message: z.string().nullable().describe('result in one sentence; null: not graded yet'),
    cause: z.string().nullable().describe('cause of the failure, as failure.cause of the endpoint'),
    party: z.enum(PARTIES).nullable(),
    workerName: z.string().nullable(),
    inMaintenance: z.boolean().describe('it was in a maintenance window, so it is not counted'),
    ...FEATURE_EXECUTION_FIELDS,
  })
  .meta({ id: 'ProbeInstance' });
