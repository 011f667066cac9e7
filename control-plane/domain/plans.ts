/** What the limits of a plan permit, and what a run uses of them. Pure. */
import { ApiError } from '../contract/errors.ts';
import type { PlanLimits, PlanTable } from '../contract/people/plans.ts';
import { TIERS, type Tier } from '../contract/people/words.ts';
import type { RunRefusal } from './run/preflight/needs.ts';
import { TEARDOWN_SECONDS } from './run/run-machine.ts';

/** Says how to get what the plan lacks: the next plan that has it. */
function wayUp(plans: PlanTable, plan: Tier, has: (limits: PlanLimits) => boolean): string {
  const up = TIERS.slice(TIERS.indexOf(plan) + 1).find((name) => has(plans[name]));
  return up ? `upgrade to ${up} or above (dashboard: Organization, Plan)` : 'ask the operator of this installation';
}

/** @throws ApiError FORBIDDEN that names the plan and the upgrade path (docs/contract.md, Keys) */
export function requireApiAccess(plans: PlanTable, plan: Tier): void {
  if (plans[plan].apiAccess) return;
  const way = wayUp(plans, plan, (limits) => limits.apiAccess);
  throw new ApiError('FORBIDDEN', `The plan ${plan} does not include API access; to use this key, ${way}.`);
}

/** @throws ApiError FORBIDDEN: the plan allows no further probe */
export function requireProbeRoom(plans: PlanTable, plan: Tier, present: number): void {
  const { probes } = plans[plan];
  if (fits(probes, present + 1)) return;
  const way = wayUp(plans, plan, (limits) => fits(limits.probes, present + 1));
  const has = `the organization has ${present}`;
  throw new ApiError(
    'FORBIDDEN',
    `The plan ${plan} includes ${plural(probes ?? 0, 'probe')}; ${has}. Delete one, or ${way}.`,
  );
}

/** The reason why a file may not leave `after` probes of `before` existing ones; null: it may. Existing ones always stay. */
export function probesRefusal(plans: PlanTable, plan: Tier, before: number, after: number): string | null {
  const { probes } = plans[plan];
  if (after <= before || fits(probes, after)) return null;
  const up = TIERS.slice(TIERS.indexOf(plan) + 1).find((name) => fits(plans[name].probes, after));
  const had = before > 0 ? `, ${before} of them before it` : '';
  return `the plan ${plan} includes ${plural(probes ?? 0, 'probe')}; with this file the organization would have ${after}${had}. Remove some${up ? `, or give it the plan ${up} or above` : ''}`;
}

export type RunSize = {
  readonly endpoints: number;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
  readonly maxExecutionSeconds: number;
};

/** No run is longer than its plan allows. */
export const longestRun = (limits: PlanLimits, maxExecutionSeconds: number): number =>
  Math.min(maxExecutionSeconds, limits.maxRunSeconds ?? Number.POSITIVE_INFINITY);

/** The credits that a run will need, as far as they can be known in advance. */
const endpointSeconds = (run: RunSize): number =>
  run.endpoints * Math.min(run.buildupSeconds + run.durationSeconds + TEARDOWN_SECONDS, run.maxExecutionSeconds);

/** The credits that open runs will need. */
export const heldSeconds = (open: readonly RunSize[]): number => open.reduce((n, r) => n + endpointSeconds(r), 0);

/** The credits that a run has used. */
export const usedSeconds = (endpoints: number, startedAt: Date, endedAt: Date): number =>
  Math.ceil((endpoints * Math.max(0, endedAt.getTime() - startedAt.getTime())) / 1000);

export type PlanUse = {
  /** Admitted runs that have not ended: their needs are reserved. */
  readonly open: readonly RunSize[];
  /** Credits of the month that ended runs used. */
  readonly usedEndpointSeconds: number;
};

/** True if the plan counts anything. */
export const isLimited = (l: PlanLimits): boolean =>
  l.concurrentEndpoints !== null || l.concurrentRuns !== null || l.endpointMinutesPerMonth !== null;

/** The reason why this run cannot be admitted in addition to the current use; null: it can. */
export function planRefusal(plans: PlanTable, plan: Tier, use: PlanUse, run: RunSize, at: Date): RunRefusal | null {
  const { concurrentEndpoints, concurrentRuns, endpointMinutesPerMonth } = plans[plan];
  const way = (key: 'concurrentEndpoints' | 'concurrentRuns' | 'endpointMinutesPerMonth', needed: number) =>
    wayUp(plans, plan, (limits) => fits(limits[key], needed));

  const inUse = use.open.reduce((n, r) => n + r.endpoints, 0);
  if (!fits(concurrentEndpoints, inUse + run.endpoints)) {
    const instead = fits(concurrentEndpoints, run.endpoints) ? 'Wait until other runs end' : 'Make the test smaller';
    return {
      code: 'PLAN_ENDPOINT_LIMIT',
      message: `The plan ${plan} includes ${concurrentEndpoints} endpoints at once; open runs use ${inUse}, and this one needs ${run.endpoints}. ${instead}, or ${way('concurrentEndpoints', inUse + run.endpoints)}.`,
    };
  }
  if (!fits(concurrentRuns, use.open.length + 1)) {
    return {
      code: 'PLAN_RUN_LIMIT',
      message: `The plan ${plan} includes ${plural(concurrentRuns ?? 0, 'run')} at once; ${use.open.length} ${use.open.length === 1 ? 'is' : 'are'} open. Wait until one ends, or ${way('concurrentRuns', use.open.length + 1)}.`,
    };
  }
  const taken = use.usedEndpointSeconds + heldSeconds(use.open);
  const needed = endpointSeconds(run);
  if (!fits(endpointMinutesPerMonth, (taken + needed) / 60)) {
    const month = at.toISOString().slice(0, 7);
    return {
      code: 'CREDITS_EXHAUSTED',
      message: `The plan ${plan} includes ${endpointMinutesPerMonth} endpoint minutes a month; in ${month} (UTC) ${minutes(taken)} are used or held by open runs, and this one needs ${minutes(needed)}. Wait for the next month, make the test shorter or smaller, or ${way('endpointMinutesPerMonth', (taken + needed) / 60)}.`,
    };
  }
  return null;
}

const fits = (limit: number | null, needed: number): boolean => limit === null || needed <= limit;
const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
/** The value is rounded to a tenth. */
export const minutes = (seconds: number): number => Math.round(seconds / 6) / 10;
