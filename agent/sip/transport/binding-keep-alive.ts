/** Keeps a flow over UDP open and finds out whether it is: a STUN Binding request every 24 to 29 s (RFC 5626, 4.4.2). */
import type { SipTarget } from '../engine.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import type { SendQueue } from './send-queue.ts';
import { bindingRequest } from './stun.ts';

const MIN_MS = 24_000;
const MAX_MS = 29_000;
/** One may be lost on a flow that is well. */
const MAX_UNANSWERED = 2;

export class BindingKeepAlive extends Timed {
  readonly #sendQueue: SendQueue;
  readonly #wheel: TimerWheel;
  readonly #target: SipTarget;
  readonly #onFailed: () => void;
  #transaction = '';
  #unanswered = 0;

  /** `onFailed`: no answer; called once, and nothing is sent afterwards. */
  constructor(sendQueue: SendQueue, wheel: TimerWheel, nowMs: number, target: SipTarget, onFailed: () => void) {
    super();
    this.#sendQueue = sendQueue;
    this.#wheel = wheel;
    this.#target = target;
    this.#onFailed = onFailed;
    this.#await(nowMs);
  }

  onAnswer(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#wheel.clear(this);
    this.#sendQueue.bindings.delete(this.#transaction);
  }

  override onDue(nowMs: number): void {
    this.#sendQueue.bindings.delete(this.#transaction);
    if (this.#unanswered >= MAX_UNANSWERED) {
      this.#onFailed();
      return;
    }
    this.#unanswered++;
    this.#transaction = Array.from({ length: 12 }, () => String.fromCharCode(Math.floor(Math.random() * 256))).join('');
    this.#sendQueue.bindings.set(this.#transaction, this);
    this.#sendQueue.sendDatagram(bindingRequest(this.#transaction), this.#target.address, this.#target.port);
    this.#await(nowMs);
  }

  #await(nowMs: number): void {
    this.#wheel.set(this, nowMs + MIN_MS + Math.random() * (MAX_MS - MIN_MS));
  }
}
