/** The policy that holds: read at start, and again when its file has changed or SIGHUP comes. What is wrong in a new one leaves the old in force. */
import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { type Policy, readPolicy } from './policy.ts';

/** By looking: a file that is replaced, or mounted, tells nobody. */
const LOOK_MS = 1000;

export type PolicyEvents = {
  readonly onPolicy: (policy: Policy) => void;
  /** Once for each reading. */
  readonly onFault: (fault: string) => void;
};

export class StandingPolicy {
  readonly file: string | null;
  #policy: Policy;
  /** What is wrong in the file as it is now; null: nothing. */
  fault: string | null = null;
  readonly readings = { taken: 0, refused: 0 };
  #looking: StatsListener | null = null;
  #hup: (() => void) | null = null;
  #reading: Promise<void> = Promise.resolve();

  private constructor(file: string | null, policy: Policy) {
    this.file = file;
    this.#policy = policy;
  }

  /** Null: the defaults. Rejects with what is wrong in it: there is none before it to hold. */
  static async open(file: string | null): Promise<StandingPolicy> {
    return new StandingPolicy(file, await readPolicy(file));
  }

  get policy(): Policy {
    return this.#policy;
  }

  watch(events: PolicyEvents): void {
    const { file } = this;
    const again = (): void => {
      this.#reading = this.#reading.then(() => this.#read(events));
    };
    this.#hup = again;
    process.on('SIGHUP', again);
    if (file === null) return;
    this.#looking = (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) again();
    };
    watchFile(file, { interval: LOOK_MS, persistent: false }, this.#looking);
  }

  close(): void {
    if (this.#hup !== null) process.off('SIGHUP', this.#hup);
    if (this.file !== null && this.#looking !== null) unwatchFile(this.file, this.#looking);
  }

  async #read({ onPolicy, onFault }: PolicyEvents): Promise<void> {
    try {
      this.#policy = await readPolicy(this.file);
      this.fault = null;
      this.readings.taken++;
      onPolicy(this.#policy);
    } catch (error) {
      this.fault = (error as Error).message;
      this.readings.refused++;
      onFault(this.fault);
    }
  }
}
