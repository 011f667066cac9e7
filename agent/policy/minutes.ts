/**
 * Minutes of calls in a UTC day, over all threads of the agent, which share the memory; stored, so that a restart does
 * not reset the count.
 */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, writeDraft } from '@carillon/proto/base/files.ts';
import * as z from 'zod';

const Kept = z.object({ day: z.iso.date(), milliseconds: z.number().nonnegative() });
const FILE = 'minutes.json';
const [SPENT, LIMIT] = [0, 1];
const NO_LIMIT = -1n;

/** Reports lost minutes. */
type Complaint = { error(details: object, message: string): void };

const dayOf = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 10);

export class DayMinutes {
  readonly memory: SharedArrayBuffer;
  readonly #ms: BigInt64Array;

  /** `memory`: the memory of another thread's DayMinutes. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
    this.#ms = new BigInt64Array(this.memory);
    if (memory === undefined) Atomics.store(this.#ms, LIMIT, NO_LIMIT);
  }

  /** Null: unlimited. */
  limit(minutes: number | null): void {
    Atomics.store(this.#ms, LIMIT, minutes === null ? NO_LIMIT : BigInt(Math.round(minutes * 60_000)));
  }

  spend(milliseconds: number): void {
    if (milliseconds > 0) Atomics.add(this.#ms, SPENT, BigInt(Math.round(milliseconds)));
  }

  get spentMs(): number {
    return Number(Atomics.load(this.#ms, SPENT));
  }

  set spentMs(milliseconds: number) {
    Atomics.store(this.#ms, SPENT, BigInt(Math.round(milliseconds)));
  }

  /** Why no call may continue; null: minutes are left. */
  get obstacle(): string | null {
    const limit = Atomics.load(this.#ms, LIMIT);
    if (limit === NO_LIMIT || Atomics.load(this.#ms, SPENT) < limit) return null;
    return `the ${Number(limit) / 60_000} minutes of calls per day (UTC) that this host allows are used up`;
  }
}

/** The day's minutes on disk, which are written when they have changed. */
export class MinutesBook {
  readonly minutes = new DayMinutes();
  readonly #file: string;
  #day: string;
  #writtenMs = -1;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, day: string) {
    this.#file = file;
    this.#day = day;
  }

  /**
   * Damage is reported, and the day starts at zero: a host that no longer starts would be worse than a day with too
   * many minutes.
   * @throws Error if a file exists but may not be read: to treat it as empty would undo the limit
   */
  static async open(stateDir: string, unixMs: number, log: Complaint): Promise<MinutesBook> {
    const file = path.join(stateDir, FILE);
    const book = new MinutesBook(file, dayOf(unixMs));
    const text = await readIfThere("The agent's file", file);
    if (text === null) return book;
    try {
      const kept = Kept.parse(JSON.parse(text));
      if (kept.day >= book.#day) {
        // A clock that was set back does not restart the day.
        book.#day = kept.day;
        book.minutes.spentMs = kept.milliseconds;
      }
    } catch {
      log.error({ file }, 'the stored minutes of today are damaged and restart at 0: the host may exceed the policy');
    }
    return book;
  }

  /** Starts a new day at midnight UTC; must be called often. */
  turn(unixMs: number): void {
    const day = dayOf(unixMs);
    if (day <= this.#day) return;
    this.#day = day;
    this.minutes.spentMs = 0;
  }

  /** Rejects if the folder cannot be written. */
  save(): Promise<void> {
    const milliseconds = this.minutes.spentMs;
    const kept = JSON.stringify({ day: this.#day, milliseconds });
    if (milliseconds === this.#writtenMs) return this.#writing;
    this.#writtenMs = milliseconds;
    const draft = `${this.#file}.draft`;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => writeDraft(draft, `${kept}\n`))
      .then(() => rename(draft, this.#file));
    return this.#writing;
  }
}
