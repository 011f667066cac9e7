/**
 * Writes facts that wait for the control plane to disk before the process ends. If the disk accepts no data (full, a
 * quota, read-only), the agent continues and reports what would be lost: in its log and, while connected, in the events
 * of its runs.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeDraft } from '@carillon/proto/base/files.ts';
import type { Outbox } from '../link/outbox.ts';
import type { Log } from '../log.ts';

const CHECK_MS = 30_000;
const PROBE = 'room.check';
/** More bytes than a file system stores within the inode. */
const PROBE_BYTES = 64 * 1024;
const CURE = 'free space there, or set CARILLON_AGENT_DIR';

/** `ENOSPC: no space left on device`, without the call and the file. */
const causeOf = (error: unknown): string => (error as Error).message.split(',')[0] as string;

export class Storage {
  #fault = '';
  /** Facts should be on disk, but are not yet. */
  #owed = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #outbox: Pick<Outbox, 'save' | 'depth' | 'contents'>;
  readonly #stateDir: string;
  readonly #log: Pick<Log, 'info' | 'error'>;
  #onChange: (fault: string) => void = () => undefined;

  constructor(outbox: Pick<Outbox, 'save' | 'depth' | 'contents'>, stateDir: string, log: Pick<Log, 'info' | 'error'>) {
    this.#outbox = outbox;
    this.#stateDir = stateDir;
    this.#log = log;
  }

  /** Why nothing can be written; '': writing works. */
  get fault(): string {
    return this.#fault;
  }

  /** Checks the disk from time to time; `onChange` reports a fault, and its end (''). */
  watch(onChange: (fault: string) => void): void {
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  async check(): Promise<void> {
    try {
      if (this.#owed) await this.#outbox.save(this.#stateDir);
      else await this.#probe();
      this.#owed = false;
      this.#enter('');
    } catch (error) {
      this.#enter(causeOf(error));
    }
  }

  /** Writes the facts that wait; if that fails, the next check tries again. */
  save(): Promise<void> {
    this.#owed = true;
    return this.check();
  }

  /** Saves the facts when the process ends. @throws Error that names the loss, if the facts cannot be written */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#outbox.save(this.#stateDir);
    } catch (error) {
      const message = `${this.#stateDir}: ${causeOf(error)}`;
      throw new Error(
        `${this.#words()} could not be delivered and cannot be stored: they are lost. ${message}: ${CURE}.`,
      );
    }
  }

  #words(): string {
    const { outcomes = 0, samples = 0, messages = 0 } = this.#outbox.contents();
    return `The ends of ${outcomes} calls, ${samples} samples and ${messages} SIP messages (${this.#outbox.depth} batches)`;
  }

  async #probe(): Promise<void> {
    const file = path.join(this.#stateDir, PROBE);
    try {
      await writeDraft(file, Buffer.alloc(PROBE_BYTES));
    } finally {
      await rm(file, { force: true });
    }
  }

  #enter(fault: string): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    if (fault === '') this.#log.info({ folder: this.#stateDir }, 'facts can be written to disk again');
    else
      this.#log.error(
        { folder: this.#stateDir, error: fault, waiting: this.#outbox.contents() },
        `measurements cannot be stored on disk: they are lost if this process ends before the control plane has received them; ${CURE}`,
      );
    this.#onChange(fault);
  }
}
