/** The request budget of a key or a session: one window of a minute in the database, shared by REST, MCP and every replica (docs/decisions.md, Request budget). */
import { ApiError } from '../../contract/errors.ts';
import type { Ports } from '../../ports.ts';
import { countRequest } from '../../store/people/rate-windows.ts';
import type { Actor } from './actor.ts';

export const WINDOW_MS = 60_000;
/** A page asks for several things a second while a run goes on; the plan is about keys. */
const SESSION_REQUESTS_PER_MINUTE = 1200;

export type Budget = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

export class BudgetSpent extends ApiError {
  readonly budget: Budget;
  constructor(budget: Budget) {
    const { limit, resetSeconds } = budget;
    super(
      'RATE_LIMITED',
      `This key has used its ${limit} requests a minute. Try again in ${resetSeconds} s.`,
      [],
      resetSeconds,
    );
    this.budget = budget;
  }
}

/**
 * Takes one request from the budget.
 * @throws BudgetSpent
 */
export async function spend(ports: Ports, actor: Actor): Promise<Budget> {
  const nowMs = ports.now().getTime();
  const startMs = nowMs - (nowMs % WINDOW_MS);
  const limit =
    actor.by === 'SESSION' ? SESSION_REQUESTS_PER_MINUTE : ports.settings.plans[actor.plan].requestsPerMinute;
  const used = await countRequest(ports.database.db, actor.credentialId, new Date(startMs));
  const budget = {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil((startMs + WINDOW_MS - nowMs) / 1000)),
  };
  if (used > limit) throw new BudgetSpent(budget);
  return budget;
}
