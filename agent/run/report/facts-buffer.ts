/** Increments of one share's facts, collected between two flushes. */
import { add, count, createHistogram, type Histogram, toSparse } from '@carillon/media/quality/histogram.ts';
import { SipCounts } from '../../capture/endpoint-traffic.ts';
import type { MessageBlock } from '../../capture/message-block.ts';
import { MessageStore } from '../../capture/message-store.ts';
import type { Breach, CallTally } from '../limits/breaker.ts';
import { type Phase, phaseIndex } from '../phases.ts';
import type { ActionsDone, OutcomeFact, PhaseChanges, RegistrationEnd, ReportedState, ShareFacts } from './facts.ts';
import { StrangerCount } from './stranger-count.ts';

/** Messages are reported after this time, or sooner if there are many: a live view must not wait for the end. */
const MESSAGE_HOLD_MS = 1000;

/** Messages of withheld calls are reported only after the end of the call. */
const WITHHELD_HOLD_MS = 5000;

export class FactsBuffer {
  readonly counts = new SipCounts();
  readonly #reported: MessageStore;
  readonly #withheld: MessageStore;
  readonly #owner: number;
  readonly #isReported: (endpoint: number) => boolean;
  #phases = noPhases();
  #progress = noPhases();
  #outcomes: OutcomeFact[] = [];
  #registrations: RegistrationEnd[] = [];
  #messages: MessageBlock[] = [];
  #withheldMessages: MessageBlock[] = [];
  #inviteLateMs: Histogram = createHistogram();
  #actionLateMs: Histogram = createHistogram();
  #planned = 0;
  #started = 0;
  #notStarted = 0;
  #heldBack = 0;
  #noFreeEndpoint = 0;
  #actions = noActions();
  #withheldActions = noActions();
  #breaches: Breach[] = [];
  readonly #strangers = new StrangerCount();
  #tally: CallTally | null = null;
  #state: ReportedState | null = null;
  #reasonCode = '';
  #reason = '';

  /**
   * `localAddress`: the engine's address. `isTold`: whether the detail of a call is reported immediately, whatever its
   * outcome.
   */
  constructor(owner: number, localAddress = '', isTold: (endpoint: number) => boolean = () => true) {
    this.#owner = owner;
    this.#isReported = isTold;
    this.#reported = new MessageStore(localAddress);
    // Few of these messages are ever reported, and only those are masked.
    this.#withheld = new MessageStore(localAddress, false);
  }

  /** The store that keeps the endpoint's messages. */
  storeOf(endpoint: number): MessageStore {
    return this.#isReported(endpoint) ? this.#reported : this.#withheld;
  }

  /** Drops kept detail that was not reported yet. */
  dropMessages(): void {
    this.#reported.take(true);
    this.#withheld.take(true);
  }

  phase(endpoint: number, phase: Phase, atMs: number): void {
    const phases = this.#isReported(endpoint) ? this.#phases : this.#progress;
    phases.endpoint.push(endpoint);
    phases.phase.push(phaseIndex(phase));
    phases.atMs.push(atMs);
  }

  outcome(fact: OutcomeFact): void {
    this.#outcomes.push(fact);
  }

  registrationEnded(fact: RegistrationEnd): void {
    this.#registrations.push(fact);
  }

  /** Takes messages that have waited long enough, or fill a block; with `all`, every message, because no more will arrive. */
  gather(nowMs: number, all: boolean): void {
    this.#messages.push(...this.#reported.take(all || nowMs - this.#reported.sinceMs > MESSAGE_HOLD_MS));
    this.#withheldMessages.push(...this.#withheld.take(all || nowMs - this.#withheld.sinceMs > WITHHELD_HOLD_MS));
  }

  planned(): void {
    this.#planned++;
  }

  started(lateMs: number): void {
    this.#started++;
    add(this.#inviteLateMs, lateMs);
  }

  /** Counts an action that was executed `lateMs` after its instant. */
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
    const actions = this.#isReported(endpoint) ? this.#actions : this.#withheldActions;
    actions.endpoint.push(endpoint);
    actions.failed.push(failed);
    actions.detail.push(detail);
    actions.atMs.push(atMs);
  }

  breach(breach: Breach): void {
    this.#breaches.push(breach);
  }

  stranger(detail: string, atMs: number): void {
    this.#strangers.add(detail, atMs);
  }

  /** Adds the breaker's counts since the last reading; null: no counts. */
  tally(tally: CallTally | null): void {
    this.#tally = tally;
  }

  state(state: ReportedState, reasonCode = '', reason = ''): void {
    this.#state = state;
    this.#reasonCode = reasonCode;
    this.#reason = reason;
  }

  /** Whether a state has changed or a breaker has opened. */
  get isUrgent(): boolean {
    return this.#state !== null || this.#breaches.length > 0;
  }

  /** The facts since the last call; null: there are no new facts. */
  take(nowMs: number): ShareFacts | null {
    const sipCounts = this.counts.take();
    const acted = count(this.#actionLateMs) > 0;
    const strangers = this.#strangers.take(nowMs, this.#state === 'DONE');
    const noise = acted || this.#planned + this.#started + this.#notStarted + this.#heldBack > 0;
    const any =
      noise ||
      this.#state !== null ||
      this.#tally !== null ||
      sipCounts.length > 0 ||
      this.#phases.endpoint.length > 0 ||
      this.#progress.endpoint.length > 0 ||
      this.#outcomes.length > 0 ||
      this.#registrations.length > 0 ||
      this.#messages.length > 0 ||
      this.#withheldMessages.length > 0 ||
      this.#actions.endpoint.length > 0 ||
      this.#withheldActions.endpoint.length > 0 ||
      this.#breaches.length > 0 ||
      strangers !== null;
    if (!any) return null;
    const facts: ShareFacts = {
      owner: this.#owner,
      phases: this.#phases,
      progress: this.#progress,
      outcomes: this.#outcomes,
      registrations: this.#registrations,
      sipCounts,
      messages: this.#messages,
      withheldMessages: this.#withheldMessages,
      actions: this.#actions,
      withheldActions: this.#withheldActions,
      breaches: this.#breaches,
      strangers: strangers === null ? [] : [strangers],
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
    this.#progress = noPhases();
    this.#outcomes = [];
    this.#registrations = [];
    this.#messages = [];
    this.#withheldMessages = [];
    this.#actions = noActions();
    this.#withheldActions = noActions();
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

const noActions = (): ActionsDone => ({ endpoint: [], failed: [], detail: [], atMs: [] });
const noPhases = (): PhaseChanges => ({ endpoint: [], phase: [], atMs: [] });

/** The number of received messages, whether or not they are kept. */
export const receivedMessages = ({ sipCounts }: ShareFacts): number =>
  sipCounts.reduce((sum, c) => sum + (c.sent ? 0 : c.count + c.retransmissions), 0);
