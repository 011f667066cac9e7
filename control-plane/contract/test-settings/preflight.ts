/** Whether a test would run now, and whether a registrar would answer: the checks before anything is sent (extensions). */
import { MAX_CALLS_PER_SECOND } from '@carillon/proto/load/shapes/shape.ts';
import * as z from 'zod';
import { Id } from '../envelope.ts';
import { MAX_ENDPOINTS, Slug } from '../fields.ts';
import { decimal, whole } from '../query.ts';
import { CalleeUri } from './caller.ts';

/** The checks before a test runs, which are defined in domain/run/preflight/preflight.ts. */
const PREFLIGHT_CHECKS = [
  'RESOURCES',
  'SIP_ACCOUNTS',
  'CALLS_FROM',
  'DESTINATIONS',
  'PLAN',
  'WORKERS',
  'CAPACITY',
  'POLICY',
  'SIP_SERVERS',
  'WEB_SOCKETS',
  'GATEWAYS',
  'STUN_SERVERS',
] as const;

const CHECK_VERDICTS = ['PASS', 'WARN', 'FAIL'] as const;

const CheckFields = {
  verdict: z
    .enum(CHECK_VERDICTS)
    .describe('WARN: it runs, but not exactly as configured, or agents may refuse it for reasons known only to them'),
  message: z.string(),
};
const Check = z.object({
  check: z.enum(PREFLIGHT_CHECKS),
  ...CheckFields,
  places: z
    .array(z.object({ name: z.string(), ...CheckFields }))
    .optional()
    .describe('of servers: one entry per server'),
  testRunId: Id.nullable().optional().describe('of servers: the last run that checked them; null: none'),
});
export type Check = z.infer<typeof Check>;

const BlastRadius = z
  .object({
    calls: z.int().describe('calls, or single requests such as OPTIONS, that it starts, at most'),
    callsPerSecond: z.number().describe('starts in its busiest second'),
    callsAtOnce: z.int(),
    callMinutes: z.int().describe('if every call is answered and lasts as long as configured'),
    audioBitsPerSecond: z.int().describe('each way at its peak, with headers; video is not included'),
    mediaPorts: z.int().describe('UDP ports on the hosts of agents at its peak'),
    sipAccounts: z.int().describe('accounts that it uses'),
    destinations: z.array(z.string()).describe('SIP URIs of its targets; empty: only endpoints of the test'),
    moreDestinations: z.int(),
    allowed: z
      .object({
        callsPerSecond: z.number().describe('of all agents that may carry it together'),
        durationSeconds: z.int(),
        minutesADay: z.number().nullable().describe('of the strictest host; null: no limit'),
      })
      .nullable()
      .describe("limits of the policies of the agents' hosts; null: no agent may carry it"),
  })
  .meta({ id: 'BlastRadius' });
export type BlastRadius = z.infer<typeof BlastRadius>;

/** A run's overrides as query parameters. The whole load is too long for them. */
export const PREFLIGHT_OVERRIDES = {
  calls_per_second: decimal(0.01, MAX_CALLS_PER_SECOND).optional(),
  seconds: whole(1, 86_400).optional(),
  calls: whole(1).optional(),
  buildup: whole(0, 86_400).optional(),
  duration_seconds: whole(1, 86_400).optional(),
  endpoints: whole(1, MAX_ENDPOINTS).optional(),
  callee_uri: CalleeUri.optional(),
};

export const Preflight = z
  .object({
    isReady: z.boolean().describe('no known reason prevents a run now'),
    checks: z.array(Check).describe('each at most once, in the order of a run'),
    blastRadius: BlastRadius.describe('what a run sends, and its targets'),
  })
  .meta({ id: 'TestPreflight' });

export const RegistrarCheck = {
  region: Slug.default('local').describe('region of the agent that performs the check'),
  sipAccountId: z.string().max(100).optional().describe('registers with this account; absent: the first one'),
};
