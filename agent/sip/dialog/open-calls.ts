/** The open calls of one user agent, as a linked list: a removed call leaves no trace (see text-table.ts). */
import type { BaseCall } from './base-call.ts';

export class OpenCalls {
  #first: BaseCall | null = null;

  add(call: BaseCall): void {
    call.nextOpen = this.#first;
    if (this.#first !== null) this.#first.previousOpen = call;
    this.#first = call;
  }

  /** False: it was not there. */
  delete(call: BaseCall): boolean {
    const { nextOpen, previousOpen } = call;
    if (previousOpen === null && this.#first !== call) return false;
    if (previousOpen === null) this.#first = nextOpen;
    else previousOpen.nextOpen = nextOpen;
    if (nextOpen !== null) nextOpen.previousOpen = previousOpen;
    call.nextOpen = null;
    call.previousOpen = null;
    return true;
  }

  /** Visits the calls of this moment: `visit` may let calls end. */
  forEach(visit: (call: BaseCall) => void): void {
    const calls: BaseCall[] = [];
    for (let call = this.#first; call !== null; call = call.nextOpen) calls.push(call);
    for (const call of calls) visit(call);
  }
}
