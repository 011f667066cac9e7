/** The orders on their way to one agent: those that it has not acknowledged, each once on its connection. */
import { encodeControlFrame } from '@carillon/proto';
import type { Order } from '../domain/run/orders/orders.ts';
import { acknowledgeOrder, openOrders, refuseOrder } from '../operations/agents/orders.ts';
import type { Ports } from '../ports.ts';
import { encodeOrder } from './wire/encode-order.ts';

type OrderDeliveryParts = {
  readonly ports: Ports;
  readonly send: (frame: Uint8Array) => void;
  /** True if the connection is ready for orders. */
  readonly isWelcomed: () => boolean;
  /** Called with the reason if orders cannot be read. */
  readonly onFailure: (why: string) => void;
};

export class OrderDelivery {
  readonly #parts: OrderDeliveryParts;
  /** Orders that were sent on this connection and are not acknowledged yet. */
  readonly #sent = new Set<number>();
  #isDelivering = false;
  #deliverAgain = false;

  constructor(parts: OrderDeliveryParts) {
    this.#parts = parts;
  }

  /** Sends the orders that the agent has not acknowledged and that were not sent on this connection. */
  deliver(workerId: string): void {
    if (!this.#parts.isWelcomed()) return;
    if (this.#isDelivering) {
      this.#deliverAgain = true;
      return;
    }
    this.#isDelivering = true;
    this.#deliverOpen(workerId)
      .catch((error: Error) => this.#parts.onFailure(`orders cannot be read: ${error.message}`))
      .finally(() => {
        this.#isDelivering = false;
        if (this.#deliverAgain) {
          this.#deliverAgain = false;
          this.deliver(workerId);
        }
      });
  }

  async acknowledged(workerId: string, id: number): Promise<void> {
    await acknowledgeOrder(this.#parts.ports, workerId, id);
    this.#sent.delete(id);
  }

  async #deliverOpen(workerId: string): Promise<void> {
    const orders = await openOrders(this.#parts.ports, workerId, [...this.#sent]);
    for (const { id, order } of orders) {
      const frame = this.#framed(workerId, id, order);
      if (frame) this.#parts.send(frame);
      else await refuseOrder(this.#parts.ports, workerId, id, order);
      this.#sent.add(id);
    }
    if (orders.length > 0) this.#deliverAgain = true;
  }

  /** Null: it cannot be encoded for any agent; the agent must still get the others. */
  #framed(workerId: string, id: number, order: Order): Uint8Array | null {
    try {
      return encodeControlFrame({ command: encodeOrder(id, order) });
    } catch (error) {
      const { message } = error as Error;
      this.#parts.ports.log.error({ workerId, order: id, error: message }, 'order cannot be encoded');
      return null;
    }
  }
}
