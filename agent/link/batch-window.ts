/** Batches on their way to the control plane: a few at a time, in order, each until it is committed. */
import { nowMs } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbox } from './outbox.ts';
import type { Quarantine } from './quarantine.ts';

/** Most batches in flight without a commit: a window that protects a slow database. */
const WINDOW = 8;

type Batch = ReturnType<Outbox['from']>[number];

type BatchWindowParts = {
  readonly outbox: Outbox;
  readonly quarantine: Quarantine;
  readonly log: Log;
  readonly send: (batch: Batch) => void;
};

export class BatchWindow {
  readonly #outbox: Outbox;
  readonly #quarantine: Quarantine;
  readonly #log: Log;
  readonly #send: (batch: Batch) => void;
  #next = 1;
  #inFlight = 0;

  constructor({ outbox, quarantine, log, send }: BatchWindowParts) {
    this.#outbox = outbox;
    this.#quarantine = quarantine;
    this.#log = log;
    this.#send = send;
  }

  /** Sends batches of the outbox within the window. */
  pump(): void {
    const room = WINDOW - this.#inFlight;
    if (room <= 0) return;
    for (const batch of this.#outbox.from(this.#next, room)) {
      this.#send(batch);
      this.#next = Number(batch.number) + 1;
      this.#inFlight++;
    }
  }

  /**
   * A new connection: the control plane asks for this batch next. If it had committed it, its database was reset to an
   * older state. Null: all batches from there on are kept. Otherwise some are lost, the outbox is a new one, and the
   * numbers of uncommitted batches are lower by the result.
   */
  resume(nextBatch: number): number | null {
    const outbox = this.#outbox;
    const { last } = outbox;
    const committed = outbox.first - 1;
    const isWhole = outbox.resume(nextBatch);
    this.#next = nextBatch;
    this.#inFlight = 0;
    if (nextBatch <= committed) {
      const requested = { from: nextBatch, to: committed };
      this.#log.warn(
        requested,
        'the database of the control plane was restored to an older state: committed batches are sent again',
      );
    }
    if (isWhole) return null;
    this.#log.error({ ...outbox.forgotten }, 'some of them are no longer stored: their data is lost');
    return last - outbox.last;
  }

  /** Batches up to `number` are committed. */
  committed(number: number): void {
    const before = this.#outbox.depth;
    this.#outbox.acknowledge(number);
    this.#inFlight = Math.max(0, this.#inFlight - (before - this.#outbox.depth));
  }

  /** Frames are handled in order, so a refusal concerns the oldest batch in flight, if any. */
  refused(): void {
    const number = this.#outbox.first;
    if (number >= this.#next) return;
    const reduction = this.#quarantine.refused(number, nowMs());
    const dropped = reduction && this.#outbox.reduce(number, reduction);
    if (dropped)
      this.#log.error({ batch: number, left: reduction, dropped }, 'a batch was refused repeatedly: facts are dropped');
  }
}
