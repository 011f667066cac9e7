/** A canary (extensions): a probe that is executed before and during a load, and its results. */
import * as z from 'zod';
import { Id, Timestamp } from '../../../contract/envelope.ts';
import { PROBE_MODES } from '../../../contract/test-settings/words.ts';
import { CANARY_PHASES, CANARY_RESULTS } from './words.ts';

export const CanaryStart = z
  .strictObject({
    probeId: z.string().max(100).describe('a probe of the project'),
    calls: z
      .int()
      .min(1)
      .max(20)
      .default(3)
      .describe('executions before the load, one after another; the run is PENDING until they have ended'),
    everySeconds: z
      .int()
      .min(1)
      .max(3600)
      .default(5)
      .describe(
        'from the start of an execution to that of the next while the load is on; never two at once, and no more than about 200',
      ),
  })
  .describe('a probe that is executed before and during the load, to measure the effect on other callers')
  .meta({ id: 'CanaryStart' });
export type CanaryStart = z.output<typeof CanaryStart>;

const Spread = z
  .object({
    count: z.int().describe('executions with a value'),
    min: z.number().nullable().describe('null: not measured'),
    median: z.number().nullable(),
    max: z.number().nullable(),
  })
  .describe('of single executions; exact');

const Phase = z
  .object({
    executions: z.int().describe('that have ended'),
    notJudged: z
      .int()
      .describe('of these, executions without a result: problem of the agent, or no capacity; not in the other counts'),
    good: z.int(),
    failed: z.int(),
    notHeard: z.int().describe('answered, but without the expected audio; included in failed'),
    setUpMs: Spread,
    mos: Spread,
  })
  .meta({ id: 'CanaryPhase' });

export const Canary = z
  .object({
    probeId: Id,
    probeName: z.string(),
    mode: z.enum(PROBE_MODES),
    calls: z.int(),
    everySeconds: z.int(),
    idle: Phase.describe('before the load'),
    loaded: Phase.describe('started during call starts of the load or, if all start together, during the calls'),
    setUpRatio: z
      .number()
      .nullable()
      .describe('ratio of the median set-up times during and before the load; null: too few values'),
    sentences: z.array(z.string()).describe('the result in words'),
    executions: z
      .array(
        z.object({
          testRunId: Id,
          phase: z.enum(CANARY_PHASES),
          startedAt: Timestamp.nullable(),
          result: z.enum(CANARY_RESULTS).nullable().describe('null: it has not ended'),
          setUpMs: z
            .number()
            .nullable()
            .describe(
              'post-dial delay of a call that was answered or is good; of mode REGISTER and OPTIONS the round trip. null: not measured',
            ),
          mos: z.number().nullable(),
          heard: z.boolean().nullable().describe('null: no audio was expected'),
          message: z.string().nullable(),
        }),
      )
      .describe('oldest first'),
  })
  .meta({ id: 'Canary' });
export type Canary = z.output<typeof Canary>;
