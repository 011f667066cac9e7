/**
 * A cache of recent reads: keys with their permissions, and answers about ended runs. It is valid while the database
 * reports every change (NOTIFY, 0023), and not longer than the maximum age, which bounds the effect of a lost
 * notification. After its own changes this process calls `forget` before they are confirmed.
 */
import { sql } from 'kysely';
import type { ConnectionConfig, Tx } from './db.ts';
import { type Listener, listen } from './listen.ts';
import { Recent } from './recent.ts';
import type { EndpointRange } from './run/instances.ts';

/** Migration 0023 uses the same name. The payload is a run's id, or empty, which means that anything may have changed. */
const CHANGE_CHANNEL = 'carillon_change';

/** A key revoked at another replica is refused after this time, even if the notification is lost. */
export const ACCESS_AGE_MS = 2000;
const MAX_ACCESSES = 10_000;
/** After a lost notification, an answer about an ended run is at most as old as this. */
export const ANSWER_AGE_MS = 60_000;
/** The bytes of JSON; the parsed values take about four times as much. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_RANGES = 10_000;

export class Memory {
  /** The endpoints of instances, by the instance's id: they never change, so no change of the database concerns them. */
  readonly ranges = new Recent<EndpointRange>(Number.POSITIVE_INFINITY, MAX_RANGES);
  readonly #nowMs: () => number;
  readonly #access = new Recent<object>(ACCESS_AGE_MS, MAX_ACCESSES);
  readonly #answers = new Recent<object>(ANSWER_AGE_MS, MAX_ANSWER_BYTES);
  #takesEvent = false;
  /** The number of changes: a read that a change overlaps is not cached. */
  #changes = 0;
  #changedAtMs: number;

  constructor(nowMs = (): number => performance.now()) {
    this.#nowMs = nowMs;
    this.#changedAtMs = nowMs();
  }

  /** The result of `read`, or a recent one; missing values are read again each time. */
  access<T extends object>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#recall(this.#access, key, read, (found) => (found === undefined ? null : 1));
  }

  /** @param key starts with the run's id. @param bytes the size of the answer; null: it may still change */
  answer<T extends object>(key: string, read: () => Promise<T>, bytes: (answer: T) => number | null): Promise<T> {
    return this.#recall(this.#answers, key, read, bytes);
  }

  /** The time of the last change that is known, or of the start, in the clock of `nowMs`. */
  get changedAtMs(): number {
    return this.#changedAtMs;
  }

  /** Invalidates everything read so far. */
  forget(): void {
    this.#change();
    this.#access.clear();
    this.#answers.clear();
  }

  forgetRun(runId: string): void {
    this.#change();
    this.#answers.forget(runId);
  }

  /** Sets whether the database reports changes. */
  believe(takesEvent: boolean): void {
    this.#takesEvent = takesEvent;
    this.forget();
  }

  #change(): void {
    this.#changes++;
    this.#changedAtMs = this.#nowMs();
  }

  async #recall<T extends object | undefined>(
    recent: Recent<object>,
    key: string,
    read: () => Promise<T>,
    weigh: (value: T) => number | null,
  ): Promise<T> {
    const nowMs = this.#nowMs();
    const found = recent.get(key, nowMs);
    if (found !== undefined) return found as T;
    const changes = this.#changes;
    const value = await read();
    if (!this.#takesEvent || this.#changes !== changes || value === undefined) return value;
    const weight = weigh(value);
    if (weight !== null) recent.put(key, value, weight, nowMs);
    return value;
  }
}

/** Keeps `memory` consistent with the database until it is closed. */
export const watchChanges = (memory: Memory, config: ConnectionConfig, onLost: (error: Error) => void): Listener =>
  listen(config, CHANGE_CHANNEL, {
    onNotify: (runId) => (runId === '' ? memory.forget() : memory.forgetRun(runId)),
    onConnected: () => memory.believe(true),
    onLost: (error) => {
      memory.believe(false);
      onLost(error);
    },
  });

/** Announces a change that no trigger of 0023 sees. */
export const announceChange = (tx: Tx): Promise<unknown> => sql`select pg_notify(${CHANGE_CHANNEL}, '')`.execute(tx);
