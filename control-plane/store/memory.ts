/**
 * What was read a moment ago, for those who ask again: whose key it is and what it reaches, answers about runs that have ended. It is
 * believed only while the database tells of every change (NOTIFY, 0023), and no longer than its age: that is what a lost notification
 * costs. A change that this process makes is followed by `forget` before it is confirmed to anybody.
 */
import { sql } from 'kysely';
import type { ConnectionConfig, Tx } from './db.ts';
import { type Listener, listen } from './listen.ts';
import { Recent } from './recent.ts';

/** Of 0023, too: the payload is a run's id, or empty: anything may have changed. */
const CHANGE_CHANNEL = 'carillon_change';

/** A key that was revoked at another replica is refused after this, whatever happens to notifications. */
export const ACCESS_AGE_MS = 2000;
const MOST_ACCESSES = 10_000;
/** An answer about an ended run is as old as this, where a notification was lost. */
export const ANSWER_AGE_MS = 60_000;
/** Bytes of JSON; what they are made of takes about four times as much. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

export class Memory {
  readonly #nowMs: () => number;
  readonly #access = new Recent<object>(ACCESS_AGE_MS, MOST_ACCESSES);
  readonly #answers = new Recent<object>(ANSWER_AGE_MS, MOST_ANSWER_BYTES);
  #isTold = false;
  /** Goes up with each change: what was read across one is not kept. */
  #changes = 0;

  constructor(nowMs = (): number => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** What `read` gives, or gave not long ago; what there is not is asked for again each time. */
  access<T extends object>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#recall(this.#access, key, read, (found) => (found === undefined ? null : 1));
  }

  /** @param key begins with the run's id. @param bytes of the answer; null: it may still change */
  answer<T extends object>(key: string, read: () => Promise<T>, bytes: (answer: T) => number | null): Promise<T> {
    return this.#recall(this.#answers, key, read, bytes);
  }

  /** Nothing that was read up to now is believed any more. */
  forget(): void {
    this.#changes++;
    this.#access.clear();
    this.#answers.clear();
  }

  forgetRun(runId: string): void {
    this.#changes++;
    this.#answers.forget(runId);
  }

  /** Does the database tell of changes? */
  believe(isTold: boolean): void {
    this.#isTold = isTold;
    this.forget();
  }

  async #recall<T extends object | undefined>(
    kept: Recent<object>,
    key: string,
    read: () => Promise<T>,
    weigh: (value: T) => number | null,
  ): Promise<T> {
    const nowMs = this.#nowMs();
    const found = kept.get(key, nowMs);
    if (found !== undefined) return found as T;
    const changes = this.#changes;
    const value = await read();
    if (!this.#isTold || this.#changes !== changes || value === undefined) return value;
    const weight = weigh(value);
    if (weight !== null) kept.put(key, value, weight, nowMs);
    return value;
  }
}

/** Keeps `memory` true to the database until it is closed. */
export const watchChanges = (memory: Memory, config: ConnectionConfig, onLost: (error: Error) => void): Listener =>
  listen(config, CHANGE_CHANNEL, {
    onNotify: (runId) => (runId === '' ? memory.forget() : memory.forgetRun(runId)),
    onConnected: () => memory.believe(true),
    onLost: (error) => {
      memory.believe(false);
      onLost(error);
    },
  });

/** Of what no trigger of 0023 sees. */
export const announceChange = (tx: Tx): Promise<unknown> => sql`select pg_notify(${CHANGE_CHANNEL}, '')`.execute(tx);
