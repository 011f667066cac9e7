/**
 * Our reliable provisional responses to an INVITE (RFC 3262, 3): one at a time, retransmitted from T1, doubling without
 * a limit, until its PRACK or for 64 T1; later responses wait. Only calls with 100rel have this.
 */
import type { Machine } from '@carillon/proto/base/machine.ts';
import { takeStep } from '../../steps.ts';
import { digits } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import { T1_MS } from '../timers.ts';

export type ReliableState = 'ACKNOWLEDGED' | 'SENT' | 'OVER';
export type ReliableEvent =
  | 'SEND'
  | 'PRACK'
  /** 64 T1 without one. */
  | 'NO_PRACK'
  /** The INVITE is answered finally. */
  | 'FINAL';

export const RELIABLE_RESPONSES: Machine<ReliableState, ReliableEvent> = {
  initial: 'ACKNOWLEDGED',
  finals: ['OVER'],
  transitions: {
    ACKNOWLEDGED: { SEND: 'SENT', FINAL: 'OVER' },
    SENT: { PRACK: 'ACKNOWLEDGED', NO_PRACK: 'OVER', FINAL: 'OVER' },
    OVER: {},
  },
  heldBy: { ACKNOWLEDGED: 'USER', SENT: 'TIMER', OVER: 'NOBODY' },
};

/** Option tag (RFC 3262, 8.1). */
export const RELIABLE = '100rel';

/** Whether the sender of a message supports or requires an option tag. */
export const knowsOption = (message: SipMessage, option: string): boolean =>
  requiresOption(message, option) || hasMember(message, 'supported', option);

export const requiresOption = (message: SipMessage, option: string): boolean => hasMember(message, 'require', option);

function hasMember(message: SipMessage, header: string, option: string): boolean {
  for (const one of message.headerMembers(header)) if (one.toLowerCase() === option) return true;
  return false;
}

type Progress = { readonly status: number; readonly reason: string; readonly headers: string; readonly body: string };

/** The first RSeq is a random one of the lower half, as numbers may not wrap (RFC 3262, 3). */
const FIRST_RSEQ_BELOW = 2 ** 31;

type Layer = { readonly wheel: TimerWheel; readonly clock: () => number };

/** The INVITE's, on whichever engine. */
export interface Responding {
  /** `headers` are whole lines. */
  respond(status: number, reason: string, headers: string, body: string): void;
  /** Retransmits the last provisional response. */
  repeat1xx(): void;
}

export class ReliableResponses extends Timed {
  readonly #layer: Layer;
  readonly #transaction: Responding;
  readonly #cseq: number;
  readonly #onNoPrack: { onNoPrack(atMs: number): void };
  #state: ReliableState = RELIABLE_RESPONSES.initial;
  #rseq = 1 + Math.floor(Math.random() * (FIRST_RSEQ_BELOW / 2));
  readonly #waiting: Progress[] = [];
  #hasBody = false;
  #intervalMs = T1_MS;
  #deadlineMs = 0;

  /** `cseq` is the INVITE's. */
  constructor(layer: Layer, transaction: Responding, cseq: number, onNoPrack: { onNoPrack(atMs: number): void }) {
    super();
    this.#layer = layer;
    this.#transaction = transaction;
    this.#cseq = cseq;
    this.#onNoPrack = onNoPrack;
  }

  /** A description of the session is on its way, or waits: no 2xx before its PRACK (RFC 3262, 3). */
  get isDescribing(): boolean {
    return this.isUnderWay || this.#waiting.some(({ body }) => body !== '');
  }

  /** One that describes the session is sent, and not acknowledged. */
  get isUnderWay(): boolean {
    return this.#state === 'SENT' && this.#hasBody;
  }

  /** Sends the response now, or after those that are not acknowledged. `headers` are complete lines. */
  send(status: number, reason: string, headers: string, body: string): void {
    this.#waiting.push({ status, reason, headers, body });
    this.#sendNext();
  }

  /** Is `rack` (RAck: RSeq, CSeq, method) the acknowledgement that is waited for? `acknowledge` follows. */
  isAwaited(rack: string): boolean {
    const [rseq = '', cseq = '', method] = rack.trim().split(/\s+/);
    return (
      method === 'INVITE' &&
      digits(cseq, 0, cseq.length) === this.#cseq &&
      digits(rseq, 0, rseq.length) === this.#rseq &&
      (this.#state === 'SENT' || (this.#state === 'OVER' && this.#deadlineMs > 0))
    );
  }

  /** True: the acknowledged response had a body. */
  acknowledge(): boolean {
    const described = this.isUnderWay;
    this.#hasBody = false;
    if (!this.#move('PRACK')) {
      // After the final response: acknowledged once (RFC 3262, 3).
      this.#deadlineMs = 0;
      return false;
    }
    this.#layer.wheel.clear(this);
    this.#sendNext();
    return described;
  }

  /** The INVITE has a final response: no more retransmissions. */
  stop(): void {
    if (this.#state === 'ACKNOWLEDGED') this.#deadlineMs = 0;
    if (this.#move('FINAL')) this.#layer.wheel.clear(this);
    this.#waiting.length = 0;
  }

  override onDue(nowMs: number): void {
    if (nowMs >= this.#deadlineMs) {
      if (this.#move('NO_PRACK')) this.#onNoPrack.onNoPrack(nowMs);
      return;
    }
    this.#transaction.repeat1xx();
    this.#intervalMs *= 2;
    this.#layer.wheel.set(this, Math.min(nowMs + this.#intervalMs, this.#deadlineMs));
  }

  #sendNext(): void {
    const next = this.#waiting[0];
    if (next === undefined || !this.#move('SEND')) return;
    this.#waiting.shift();
    this.#rseq++;
    this.#hasBody = next.body !== '';
    const lines = `Require: 100rel\r\nRSeq: ${this.#rseq}\r\n${next.headers}`;
    this.#transaction.respond(next.status, next.reason, lines, next.body);
    const nowMs = this.#layer.clock();
    this.#intervalMs = T1_MS;
    this.#deadlineMs = nowMs + 64 * T1_MS;
    this.#layer.wheel.set(this, nowMs + T1_MS);
  }

  #move(event: ReliableEvent): boolean {
    const next = takeStep('reliable responses', RELIABLE_RESPONSES.transitions, this.#state, event);
    if (next === null) return false;
    this.#state = next;
    return true;
  }
}
