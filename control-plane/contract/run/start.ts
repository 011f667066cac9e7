/** The options of a run's start: labels, and overrides of the test's values. */
import { CALLS_PER_SECOND, LENGTH } from '@carillon/proto/load/shapes/shape.ts';
import { hasOneRate, LOAD_SHAPES } from '@carillon/proto/load/shapes/shapes.ts';
import * as z from 'zod';
import { FEATURE_RUN_START_FIELDS } from '../../feature-sums/fields.ts';
import { Buildup, Endpoints, Seconds, VisibleLine } from '../fields.ts';
import { CalleeUri } from '../test-settings/caller.ts';
import { anyOf, Load, numberOf } from '../test-settings/load.ts';
import { MAX_LABELS } from './words.ts';

/** `=` ends a name in a filter, so a name cannot contain it. */
const LabelName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_./-]{0,62}$/,
    'the name of a label begins with a letter; letters, digits and _ . / - follow, at most 63 characters',
  );

export const Labels = z
  .record(LabelName, VisibleLine.min(1).max(200))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `a run has ${MAX_LABELS} labels at most`)
  .describe(`of the run, as { "commit": "4f2a9c1", "branch": "main" }; at most ${MAX_LABELS}`)
  .meta({ id: 'Labels' });
export type Labels = z.output<typeof Labels>;

const WITHOUT_ONE_RATE = LOAD_SHAPES.filter((shape) => !hasOneRate(shape));
const OF_LOAD = ['callsPerSecond', 'seconds', 'calls'] as const;

export const RunOverrides = z
  .strictObject({
    load: Load.optional().describe('replaces the whole load; callers place as many calls as it requires'),
    callsPerSecond: numberOf(CALLS_PER_SECOND)
      .optional()
      .describe(`of the load; a load of shape ${anyOf(WITHOUT_ONE_RATE)} becomes one of shape RATE`),
    seconds: numberOf(LENGTH.seconds)
      .optional()
      .describe('duration of call starts; callers place as many calls as the load requires'),
    calls: numberOf(LENGTH.calls)
      .optional()
      .describe('number of calls started; callers place as many calls as the load requires'),
    buildup: Buildup.optional().describe('of a load of shape BUILDUP'),
    durationSeconds: Seconds.optional().describe('duration of a call'),
    maxExecutionSeconds: Seconds.optional(),
    endpoints: Endpoints.optional().describe(
      'total number of callers: sub-populations keep their shares, and called groups get as many callees as needed',
    ),
    calleeUri: CalleeUri.optional().describe('the callee of all groups that call an address outside of the test'),
  })
  .refine((o) => o.load === undefined || OF_LOAD.every((name) => o[name] === undefined), {
    path: ['load'],
    message: `cannot be combined with ${OF_LOAD.join(', ')}, which it contains`,
  })
  .refine((o) => o.seconds === undefined || o.calls === undefined, {
    path: ['calls'],
    message: 'cannot be combined with seconds: a load has one length',
  })
  .describe('overrides the test, for this run only')
  .meta({ id: 'RunOverrides' });
export type RunOverrides = z.output<typeof RunOverrides>;

/** The fields of a run's start, besides those that name the test. */
export const RUN_START = {
  overload: z.boolean().optional().describe('true: without the circuit breaker, even if the test has one'),
  labels: Labels.optional(),
  overrides: RunOverrides.optional(),
  ...FEATURE_RUN_START_FIELDS,
};
