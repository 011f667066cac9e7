/**
 * Retransmits our 2xx to an INVITE until its ACK: at T1, doubling up to T2, for 64 T1 (RFC 3261, 13.3.1.4). This
 * belongs to the call, not to the transaction, because it ends with the ACK, which is a separate transaction.
 */
import { Timed } from '../timer-wheel.ts';
import { T1_MS, T2_MS } from '../timers.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';

export class AnswerRepeater extends Timed {
  /** The INVITE's; its ACK has the same. */
  readonly cseq: number;
  readonly #layer: TransactionLayer;
  readonly #transaction: ServerTransaction;
  readonly #onNoAck: { onNoAck(atMs: number): void };
  readonly #deadlineMs: number;
  #intervalMs = T1_MS;

  constructor(
    layer: TransactionLayer,
    transaction: ServerTransaction,
    cseq: number,
    onNoAck: { onNoAck(atMs: number): void },
  ) {
    super();
    this.#layer = layer;
    this.#transaction = transaction;
    this.cseq = cseq;
    this.#onNoAck = onNoAck;
    const nowMs = layer.clock();
    this.#deadlineMs = nowMs + 64 * T1_MS;
    layer.wheel.set(this, nowMs + T1_MS);
  }

  stop(): void {
    this.#transaction.forget2xx();
    this.#layer.wheel.clear(this);
  }

  override onDue(nowMs: number): void {
    if (nowMs >= this.#deadlineMs) {
      this.#onNoAck.onNoAck(nowMs);
      return;
    }
    this.#transaction.repeat2xx();
    this.#intervalMs = Math.min(this.#intervalMs * 2, T2_MS);
    this.#layer.wheel.set(this, Math.min(nowMs + this.#intervalMs, this.#deadlineMs));
  }
}
