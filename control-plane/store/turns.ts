/**
 * Shares connections while the server accepts no more (SQLSTATE 53300): requests use the existing ones in turn. Each
 * second one more connection is tried, apart from any request: once the server accepts it, the pool grows back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Troubles, troubleOf } from './trouble.ts';

const TRY_EVERY_MS = 1_000;
/** The longest wait for a turn; the same as for opening a connection. */
const WAIT_LIMIT_MS = 10_000;

export class ConnectionTurns {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  readonly #troubles: Troubles;
  /** The connections of the pool in normal operation. */
  readonly #most: number;
  readonly #waitMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #refusal: unknown;
  #trying: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, config: pg.ClientConfig, troubles: Troubles, waitMs = WAIT_LIMIT_MS) {
    this.#pool = pool;
    this.#config = config;
    this.#troubles = troubles;
    this.#most = pool.options.max;
    this.#waitMs = waitMs;
  }

  /** @throws the server's error, if no turn came in time */
  async connect(): Promise<pg.PoolClient> {
    if (!this.#isShort) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (!this.#isRefusal(error)) throw error;
      }
    }
    const untilMs = performance.now() + this.#waitMs;
    // Earlier requests time out earlier, so waiting for them always ends in time.
    const mine = this.#last.then(() => this.#turn(untilMs));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  close(): void {
    clearInterval(this.#trying);
  }

  get #isShort(): boolean {
    return this.#troubles.has('CONNECTIONS_SPENT');
  }

  async #turn(untilMs: number): Promise<pg.PoolClient> {
    for (;;) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw this.#refusal;
      const asked = this.#pool.connect();
      const limit = new AbortController();
      const late = sleep(leftMs, null, { signal: limit.signal });
      late.catch(() => undefined);
      try {
        const client = await Promise.race([asked, late]);
        if (client) return client;
        // A connection that opens too late is released for the next request.
        asked.then(
          (tardy) => tardy.release(),
          () => undefined,
        );
      } catch (error) {
        if (!this.#isRefusal(error)) throw error;
        await sleep(Math.min(TRY_EVERY_MS, Math.max(0, untilMs - performance.now())));
      } finally {
        limit.abort();
      }
    }
  }

  /** True if the server refused a connection; the pool then opens no more of them. */
  #isRefusal(error: unknown): boolean {
    if (troubleOf(error) !== 'CONNECTIONS_SPENT') return false;
    this.#refusal = error;
    this.#troubles.note('CONNECTIONS_SPENT');
    this.#pool.options.max = Math.max(1, this.#pool.totalCount);
    this.#trying ??= setInterval(() => void this.#tryOne(), TRY_EVERY_MS).unref();
    return true;
  }

  async #tryOne(): Promise<void> {
    const client = new pg.Client(this.#config);
    client.on('error', () => undefined);
    const isGiven = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (!isGiven || this.#pool.ending) return;
    this.#pool.options.max = Math.min(this.#most, 2 * this.#pool.options.max);
    if (this.#pool.options.max < this.#most) return;
    clearInterval(this.#trying);
    this.#trying = undefined;
    this.#troubles.clear('CONNECTIONS_SPENT');
  }
}
