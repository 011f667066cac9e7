/** Options of a run's start: labels, and overrides of the test's values. */
import * as z from 'zod';
import { Buildup, Endpoints, Line, Seconds } from '../fields.ts';
import { CalleeUri } from '../test/caller.ts';
import { Load, MOST_CALLS } from '../test/scenario.ts';
import { CanaryStart } from './canary.ts';

const MOST_LABELS = 20;

/** `=` ends a name in a filter. */
const LabelName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_./-]{0,62}$/,
    'the name of a label begins with a letter; letters, digits and _ . / - follow, at most 63 characters',
  );

export const Labels = z
  .record(LabelName, Line.min(1).max(200))
  .refine((labels) => Object.keys(labels).length <= MOST_LABELS, `a run has ${MOST_LABELS} labels at most`)
  .describe(`of the run, as { "commit": "4f2a9c1", "branch": "main" }; at most ${MOST_LABELS}`)
  .meta({ id: 'Labels' });
export type Labels = z.output<typeof Labels>;

const OF_LOAD = ['callsPerSecond', 'seconds', 'calls'] as const;

export const RunOverrides = z
  .strictObject({
    load: Load.optional().describe('in place of the whole load; callers place as many calls as it asks for'),
    callsPerSecond: z
      .number()
      .min(0.01)
      .max(10_000)
      .optional()
      .describe('of the load; a load of shape BUILDUP or STEPS becomes one of shape RATE'),
    seconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .describe('how long calls are started; callers place as many calls as the load asks for'),
    calls: z
      .int()
      .min(1)
      .max(MOST_CALLS)
      .optional()
      .describe('how many calls are started; callers place as many calls as the load asks for'),
    buildup: Buildup.optional().describe('of a load of shape BUILDUP'),
    durationSeconds: Seconds.optional().describe('how long a call lasts'),
    maxExecutionSeconds: Seconds.optional(),
    endpoints: Endpoints.optional().describe(
      'callers in all: sub-populations keep their shares, and groups that they call have as many callees as they need',
    ),
    calleeUri: CalleeUri.optional().describe('whom all groups call that call an address outside of the test'),
  })
  .refine((o) => o.load === undefined || OF_LOAD.every((name) => o[name] === undefined), {
    path: ['load'],
    message: `goes without ${OF_LOAD.join(', ')}: it says them itself`,
  })
  .refine((o) => o.seconds === undefined || o.calls === undefined, {
    path: ['calls'],
    message: 'goes without seconds: a load has one length',
  })
  .describe('for this run only, in place of what the test says')
  .meta({ id: 'RunOverrides' });
export type RunOverrides = z.output<typeof RunOverrides>;

/** Beside what names the test. */
export const RUN_START = {
  overload: z.boolean().optional().describe('true: without the circuit breaker, whatever the test says'),
  labels: Labels.optional(),
  overrides: RunOverrides.optional(),
  canary: CanaryStart.optional(),
};
