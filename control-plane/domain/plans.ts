/** What a plan refuses. Pure. */
import { ApiError } from '../contract/errors.ts';
import type { PlanTable } from '../contract/plans.ts';
import { PLANS, type Plan } from '../contract/words.ts';

/** @throws ApiError FORBIDDEN that names the plan and the upgrade path (spec section 5, rule 6) */
export function requireApiAccess(plans: PlanTable, plan: Plan): void {
  if (plans[plan].apiAccess) return;
  const up = PLANS.find((name) => plans[name].apiAccess);
  const way = up ? `upgrade to ${up} or above (dashboard: Organization, Plan)` : 'ask whoever runs this installation';
  throw new ApiError('FORBIDDEN', `The plan ${plan} does not include API access; to use this key, ${way}.`);
}
