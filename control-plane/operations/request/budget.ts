/**
 * The request budget of a key or a session: one window of a minute in the database, shared by REST, MCP and every replica (docs/decisions.md,
 * Request budget). A replica takes its requests from there in blocks.
 */
import { ApiError } from '../../contract/errors.ts';
import type { Ports } from '../../ports.ts';
import type { Database } from '../../store/db.ts';
import { takeRequests } from '../../store/people/rate-windows.ts';
import type { Actor } from './actor.ts';

export const WINDOW_MS = 60_000;
/** A page sends several requests per second during a run; the plan's limit is for keys. */
const SESSION_REQUESTS_PER_MINUTE = 1200;

export type Budget = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** As answers say it. */
export const budgetHeaders = ({ limit, remaining, resetSeconds }: Budget): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});

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

/** A window, as this replica knows it. */
type Window = {
  /** Count over all replicas, at this one's last block. */
  taken: number;
  /** Left of our blocks. */
  left: number;
  /** Requests that wait for a block that is being taken. */
  waiting: number;
  taking: Promise<void> | null;
};

/**
 * The limit is never exceeded, for any number of replicas. A replica may hold an unused block: then up to a hundredth
 * of the limit per other replica is refused too early, none if the limit is below 200.
 */
const blockOf = (limit: number): number => Math.max(1, Math.floor(limit / 100));

class Windows {
  readonly #database: Database;
  #startMs = 0;
  #windows = new Map<string, Window>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Requests of this window including this one; more than `limit`: it is refused. */
  async take(credentialId: string, limit: number, startMs: number): Promise<number> {
    if (startMs !== this.#startMs) {
      this.#startMs = startMs;
      this.#windows = new Map();
    }
    const window = this.#windows.get(credentialId) ?? { taken: 0, left: 0, waiting: 0, taking: null };
    this.#windows.set(credentialId, window);
    while (window.left === 0 && window.taken < limit) {
      window.waiting++;
      window.taking ??= this.#takeBlock(window, credentialId, limit, startMs).finally(() => {
        window.taking = null;
      });
      await window.taking.finally(() => window.waiting--);
    }
    if (window.left === 0) return limit + 1;
    window.left--;
    return window.taken - window.left;
  }

  async #takeBlock(window: Window, credentialId: string, limit: number, startMs: number): Promise<void> {
    // Concurrent requests share the query.
    await null;
    const block = Math.max(window.waiting, blockOf(limit));
    const taken = await takeRequests(this.#database.db, credentialId, new Date(startMs), block);
    window.left = Math.max(0, Math.min(block, limit - (taken - block)));
    window.taken = Math.min(taken, limit);
  }
}

const windows = new WeakMap<Database, Windows>();

function windowsOf(database: Database): Windows {
  const found = windows.get(database) ?? new Windows(database);
  windows.set(database, found);
  return found;
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
  const used = await windowsOf(ports.database).take(actor.credentialId, limit, startMs);
  const budget = {
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil((startMs + WINDOW_MS - nowMs) / 1000)),
  };
  if (used > limit) throw new BudgetSpent(budget);
  return budget;
}
