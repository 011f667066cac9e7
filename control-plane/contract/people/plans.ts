/**
 * What an organization's plan includes (docs/decisions.md, Plans), and the file that defines plans (CARILLON_PLANS).
 */
import * as z from 'zod';
import { parseYamlFile } from '../yaml-file.ts';
import { TIERS, type Tier } from './words.ts';

const Limit = z.int().min(0).nullable().describe('null: no limit');

export const PlanLimits = z.strictObject({
  apiAccess: z.boolean(),
  requestsPerMinute: z.int().min(1).max(1_000_000),
  concurrentEndpoints: Limit,
  concurrentRuns: Limit,
  probes: Limit,
  maxRunSeconds: Limit,
  endpointMinutesPerMonth: Limit.describe("the credits of a calendar month (UTC): endpoints times their runs' minutes"),
});
export type PlanLimits = z.output<typeof PlanLimits>;
export type PlanTable = Readonly<Record<Tier, PlanLimits>>;

const limits = (
  apiAccess: boolean,
  requestsPerMinute: number,
  [concurrentEndpoints, concurrentRuns, probes]: readonly [number | null, number | null, number | null],
  maxRunSeconds: number | null,
  endpointMinutesPerMonth: number | null,
): PlanLimits => ({
  apiAccess,
  requestsPerMinute,
  concurrentEndpoints,
  concurrentRuns,
  probes,
  maxRunSeconds,
  endpointMinutesPerMonth,
});

export const DEFAULT_PLANS: PlanTable = {
  FREE: limits(false, 120, [10, 1, 1], 300, 500),
  STARTER: limits(false, 120, [100, 2, 5], 1800, 10_000),
  PRO: limits(true, 120, [1000, 5, 50], 7200, 200_000),
  BUSINESS: limits(true, 600, [10_000, 20, 500], 86_400, 5_000_000),
  UNLIMITED: limits(true, 6000, [null, null, null], null, null),
};

const PlansFile = z.strictObject(
  Object.fromEntries(TIERS.map((plan) => [plan, PlanLimits.partial().optional()])) as Record<
    Tier,
    z.ZodOptional<ReturnType<typeof PlanLimits.partial>>
  >,
);

/**
 * The built-in table of plans, overridden by the file.
 * @throws FileError with all errors, by path and line
 */
export function parsePlansFile(text: string, name: string): PlanTable {
  const file = parseYamlFile(text, { name, schema: PlansFile });
  return Object.fromEntries(TIERS.map((plan) => [plan, { ...DEFAULT_PLANS[plan], ...file[plan] }])) as PlanTable;
}
