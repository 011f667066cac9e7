/** Increments of one share's facts, gathered between two flushes. */
import { add, count, createHistogram, type Histogram, toSparse } from '@carillon/media/quality/histogram.ts';
import { SipCounts } from '../../capture/endpoint-traffic.ts';
import type { MessageBlock } from '../../capture/message-block.ts';
import { MessageStore } from '../../capture/message-store.ts';
import type { Breach, CallTally } from '../limits/breaker.ts';
import { indexOf, type Phase } from '../phases.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from './facts.ts';

/** Messages are sent along after this, or sooner where they are many: a live view must not wait for the end. */
const MESSAGE_HOLD_MS = 1000;

export class FactsBuffer {
  readonly counts = new SipCounts();
  readonly store: MessageStore;
  readonly #owner: number;
  #phases = noPhases();
  #outcomes: OutcomeFact[] = [];
  #messages: MessageBlock[] = [];
  #inviteLateMs: Histogram = createHistogram();
  #actionLateMs: Histogram = createHistogram();
  #planned = 0;
  #started = 0;
  #notStarted = 0;
  #heldBack = 0;
  #noFreeEndpoint = 0;
  #actions = noActions();
  #breaches: Breach[] = [];
  #tally: CallTally | null = null;
  #state: ReportedState | null = null;
  #reasonCode = '';
  #reason = '';

  /** `localAddress`: the engine's. */
  constructor(owner: number, localAddress = '') {
    this.#owner = owner;
    this.store = new MessageStore(localAddress);
  }

  phase(endpoint: number, phase: Phase, atMs: number): void {
    this.#phases.endpoint.push(endpoint);
    this.#phases.phase.push(indexOf(phase));
    this.#phases.atMs.push(atMs);
  }

  outcome(fact: OutcomeFact): void {
    this.#outcomes.push(fact);
  }

  /** Messages that have waited long enough, or fill a block; `all` of them where no more will come. */
  gather(nowMs: number, all: boolean): void {
    this.#messages.push(...this.store.take(all || nowMs - this.store.sinceMs > MESSAGE_HOLD_MS));
  }

  planned(): void {
    this.#planned++;
  }

  started(lateMs: number): void {
    this.#started++;
    add(this.#inviteLateMs, lateMs);
  }

  /** Something was done that was due `lateMs` before. */
  acted(lateMs: number): void {
    add(this.#actionLateMs, lateMs);
  }

  notStarted(): void {
    this.#notStarted++;
  }

  /** The breaker kept a call from being started. */
  heldBack(): void {
    this.#heldBack++;
  }

  /** A call was due while every endpoint had one. */
  noFreeEndpoint(): void {
    this.#planned++;
    this.#noFreeEndpoint++;
  }

  action(endpoint: number, failed: boolean, detail: string, atMs: number): void {
    this.#actions.endpoint.push(endpoint);
    this.#actions.failed.push(failed);
    this.#actions.detail.push(detail);
    this.#actions.atMs.push(atMs);
  }

  breach(breach: Breach): void {
    this.#breaches.push(breach);
  }

  /** What was counted since the facts were taken last; null: nothing. */
  tally(tally: CallTally | null): void {
    this.#tally = tally;
  }

  state(state: ReportedState, reasonCode = '', reason = ''): void {
    this.#state = state;
    this.#reasonCode = reasonCode;
    this.#reason = reason;
  }

  /** What has gathered since the last call; null if nothing has. */
  take(nowMs: number): ShareFacts | null {
    const sipCounts = this.counts.take();
    const acted = count(this.#actionLateMs) > 0;
    const noise = acted || this.#planned + this.#started + this.#notStarted + this.#heldBack > 0;
    const any =
      noise ||
      this.#state !== null ||
      this.#tally !== null ||
      sipCounts.length > 0 ||
      this.#phases.endpoint.length > 0 ||
      this.#outcomes.length > 0 ||
      this.#messages.length > 0 ||
      this.#actions.endpoint.length > 0 ||
      this.#breaches.length > 0;
    if (!any) return null;
    const facts: ShareFacts = {
      owner: this.#owner,
      phases: this.#phases,
      outcomes: this.#outcomes,
      sipCounts,
      messages: this.#messages,
      actions: this.#actions,
      breaches: this.#breaches,
      tally: this.#tally,
      startNoise: noise
        ? {
            atMs: nowMs,
            inviteLateMs: toSparse(this.#inviteLateMs),
            actionLateMs: toSparse(this.#actionLateMs),
            planned: this.#planned,
            started: this.#started,
            notStarted: this.#notStarted,
            heldBack: this.#heldBack,
            noFreeEndpoint: this.#noFreeEndpoint,
          }
        : null,
      state: this.#state,
      reasonCode: this.#reasonCode,
      reason: this.#reason,
    };
    this.#phases = noPhases();
    this.#outcomes = [];
    this.#messages = [];
    this.#actions = noActions();
    this.#breaches = [];
    this.#tally = null;
    this.#heldBack = 0;
    this.#noFreeEndpoint = 0;
    if (noise) this.#inviteLateMs = createHistogram();
    if (acted) this.#actionLateMs = createHistogram();
    this.#planned = 0;
    this.#started = 0;
    this.#notStarted = 0;
    this.#state = null;
    return facts;
  }
}

const noActions = () => ({
  endpoint: [] as number[],
  failed: [] as boolean[],
  detail: [] as string[],
  atMs: [] as number[],
});
const noPhases = () => ({ endpoint: [] as number[], phase: [] as number[], atMs: [] as number[] });

/** Messages that came in, whether or not they are kept. */
export const receivedMessages = ({ sipCounts }: ShareFacts): number =>
  sipCounts.reduce((sum, c) => sum + (c.sent ? 0 : c.count + c.retransmissions), 0);
