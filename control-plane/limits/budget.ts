/**
 * The request budget of a key or a session: one window of a minute in the database, shared by REST, MCP and every
 * replica (docs/decisions.md, Request budget). A replica takes its requests from it in blocks.
 */
import { ApiError } from '../contract/errors.ts';
import type { Tier } from '../contract/people/words.ts';
import type { Ports } from '../ports.ts';
import type { Database } from '../store/db.ts';
import { takeRequests } from '../store/people/windows.ts';
import { LIMITS } from './limits.ts';
import { windowAt } from './windows.ts';

export type Budget = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

export const budgetHeaders = ({ limit, remaining, resetSeconds }: Budget): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});

export class BudgetSpent extends ApiError {
  readonly budget: Budget;
  constructor(budget: Budget) {
    const { limit, resetSeconds } = budget;
    const message = `This key has used its ${limit} requests a minute. Try again in ${resetSeconds} s.`;
    super('RATE_LIMITED', message, [], resetSeconds);
    this.budget = budget;
  }
}

/** The requests of one key in one window, as this replica knows them. */
class Share {
  /** Counts this many requests in the database; returns the number of all replicas. */
  readonly #count: (requests: number) => Promise<number>;
  /** The count over all replicas, at this replica's last block. */
  #taken = 0;
  /** The unused requests of this replica's blocks. */
  #left = 0;
  /** The requests that wait for a block. */
  #waiting = 0;
  #taking: Promise<void> | null = null;

  constructor(count: (requests: number) => Promise<number>) {
    this.#count = count;
  }

  /** Returns the number of requests in the window, including this one; above `limit` it is refused. */
  async take(limit: number): Promise<number> {
    while (this.#left === 0 && this.#taken < limit) {
      this.#waiting++;
      this.#taking ??= this.#takeBlock(limit).finally(() => {
        this.#taking = null;
      });
      await this.#taking.finally(() => this.#waiting--);
    }
    if (this.#left === 0) return limit + 1;
    this.#left--;
    return this.#taken - this.#left;
  }

  /**
   * The limit is never exceeded, for any number of replicas. A replica may hold an unused block: then up to a hundredth
   * of the limit per other replica is refused too early, none if the limit is below 200.
   */
  async #takeBlock(limit: number): Promise<void> {
    // Concurrent requests share the query.
    await null;
    const block = Math.max(this.#waiting, 1, Math.floor(limit / 100));
    const taken = await this.#count(block);
    this.#left = Math.max(0, Math.min(block, limit - (taken - block)));
    this.#taken = Math.min(taken, limit);
  }
}

type Shares = { readonly startMs: number; readonly byCredential: Map<string, Share> };
/** The shares of the present window. */
const present = new WeakMap<Database, Shares>();

function sharesAt(database: Database, startMs: number): Shares['byCredential'] {
  const found = present.get(database);
  if (found?.startMs === startMs) return found.byCredential;
  const byCredential = new Map<string, Share>();
  present.set(database, { startMs, byCredential });
  return byCredential;
}

export type Spender = { readonly by: 'KEY' | 'SESSION'; readonly credentialId: string; readonly plan: Tier };

/**
 * Takes one request from the budget.
 * @throws BudgetSpent
 */
export async function spend({ database, now, settings }: Ports, { by, credentialId, plan }: Spender): Promise<Budget> {
  const { max, withinMs } = LIMITS.sessionRequests;
  const { start, secondsLeft: resetSeconds } = windowAt(now().getTime(), withinMs);
  // A page sends several requests per second during a run; the plan's limit is for keys.
  const limit = by === 'SESSION' ? max : settings.plans[plan].requestsPerMinute;
  const shares = sharesAt(database, start.getTime());
  const share = shares.get(credentialId) ?? new Share((n) => takeRequests(database.db, credentialId, start, n));
  shares.set(credentialId, share);
  const used = await share.take(limit);
  const budget = { limit, remaining: Math.max(0, limit - used), resetSeconds };
  if (used > limit) throw new BudgetSpent(budget);
  return budget;
}
