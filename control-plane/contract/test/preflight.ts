/** Would a test run now, and a registrar answer? What is looked at before anything is sent (extensions). */
import * as z from 'zod';
import { Id } from '../envelope.ts';
import { Slug } from '../fields.ts';
import { CHECK_VERDICTS, PREFLIGHT_CHECKS } from '../words.ts';

const Said = {
  verdict: z
    .enum(CHECK_VERDICTS)
    .describe('WARN: it runs, but not exactly as configured, or agents may refuse it for reasons that only they know'),
  message: z.string(),
};
const Check = z.object({
  check: z.enum(PREFLIGHT_CHECKS),
  ...Said,
  places: z
    .array(z.object({ name: z.string(), ...Said }))
    .optional()
    .describe('of servers: each by itself'),
  testRunId: Id.nullable().optional().describe('of servers: the run that asked them last; null: none has'),
});
export type Check = z.infer<typeof Check>;

export const Preflight = z
  .object({
    isReady: z.boolean().describe('no known reason prevents a run now'),
    checks: z.array(Check).describe('each once at most, in the order in which a run meets them'),
  })
  .meta({ id: 'TestPreflight' });

export const RegistrarCheck = {
  region: Slug.default('local').describe('the agent that asks is one of this region'),
  sipAccountId: z.string().max(100).optional().describe('registers with this account; absent: the first one'),
};
