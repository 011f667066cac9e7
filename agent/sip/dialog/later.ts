/** Reports in the next turn what is known immediately: the caller must return first. */
import { Timed } from '../timer-wheel.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';

export class Later extends Timed {
  readonly #act: (nowMs: number) => void;

  constructor({ wheel, clock }: TransactionLayer, act: (nowMs: number) => void) {
    super();
    this.#act = act;
    wheel.set(this, clock());
  }

  override onDue(nowMs: number): void {
    this.#act(nowMs);
  }
}
