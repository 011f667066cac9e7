/**
 * The active policy: read at start, and again when its file has changed or on SIGHUP. If the new one is invalid the old
 * one stays active.
 */
import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { reachPredicate } from './judge.ts';
import { type Policy, readPolicy } from './policy.ts';

/** The file is polled, because a file that is replaced or mounted causes no event. */
const LOOK_MS = 1000;
/** A file that has not changed for this long is complete. */
const SETTLED_MS = 500;

export type PolicyEvents = {
  /**
   * Only a different policy is reported: reporting the same one again would shorten the time in which refused calls may
   * end.
   */
  readonly onPolicy: (policy: Policy) => void;
  /** Called once per reading. */
  readonly onFault: (fault: string) => void;
};

/** Resolves after this many ms. */
type Pause = (ms: number) => Promise<unknown>;
const realPause: Pause = (ms) => sleep(ms, null, { ref: false });

export class CurrentPolicy {
  readonly file: string | null;
  readonly #pause: Pause;
  #policy: Policy;
  #reaches: (address: string) => boolean;
  /** The error in the current file; null: none. */
  fault: string | null = null;
  readonly readings = { taken: 0, refused: 0 };
  #looking: StatsListener | null = null;
  #events: PolicyEvents | null = null;
  #reading: Promise<void> = Promise.resolve();

  private constructor(file: string | null, policy: Policy, pause: Pause) {
    this.file = file;
    this.#pause = pause;
    this.#policy = policy;
    this.#reaches = reachPredicate(policy);
  }

  /** Null: the defaults apply. Rejects with the error of the file, because there is no earlier policy to keep. */
  static async open(file: string | null, pause: Pause = realPause): Promise<CurrentPolicy> {
    const current = new CurrentPolicy(file, await readPolicy(file), pause);
    // The handler must exist before listeners: a signal without a handler ends the process.
    process.on('SIGHUP', current.#again);
    return current;
  }

  get policy(): Policy {
    return this.#policy;
  }

  /** Whether the active policy allows sending to this address. */
  readonly mayReach = (address: string): boolean => this.#reaches(address);

  readonly #again = (): void => {
    const events = this.#events;
    if (events !== null) this.#reading = this.#reading.then(() => this.#read(events));
  };

  watch(events: PolicyEvents): void {
    const { file } = this;
    this.#events = events;
    if (file === null) return;
    this.#looking = (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) this.#again();
    };
    watchFile(file, { interval: LOOK_MS, persistent: false }, this.#looking);
    // The file may have changed since it was opened.
    this.#again();
  }

  close(): void {
    process.off('SIGHUP', this.#again);
    this.#events = null;
    if (this.file !== null && this.#looking !== null) unwatchFile(this.file, this.#looking);
  }

  async #read({ onPolicy, onFault }: PolicyEvents): Promise<void> {
    try {
      if (this.file !== null) await settled(this.file, this.#pause);
      const before = this.#policy;
      const policy = await readPolicy(this.file, before);
      if (this.#events === null) return;
      this.#policy = policy;
      this.#reaches = reachPredicate(policy);
      this.fault = null;
      this.readings.taken++;
      if (!isDeepStrictEqual(before, policy)) onPolicy(policy);
    } catch (error) {
      if (this.#events === null) return;
      this.fault = (error as Error).message;
      this.readings.refused++;
      onFault(this.fault);
    }
  }
}

/** Resolves once two polls were equal: the file is complete. */
async function settled(file: string, pause: Pause): Promise<void> {
  for (let before = await look(file), now = ''; ; before = now) {
    await pause(SETTLED_MS);
    now = await look(file);
    if (now === before) return;
  }
}

/** '': the file cannot be read. */
const look = (file: string): Promise<string> =>
  stat(file).then(
    ({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`,
    () => '',
  );
