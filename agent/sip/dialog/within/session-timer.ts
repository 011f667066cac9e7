/**
 * Session timers (RFC 4028): the refresher sends UPDATE or re-INVITE when half of the interval has passed; the other
 * side sends BYE shortly before its end if none came (10).
 */
import { takeStep } from '../../../steps.ts';
import type { CallEvents, SignallingOptions } from '../../engine.ts';
import { Timed, type TimerWheel } from '../../timer-wheel.ts';
import type { SessionTime } from './dialog-call.ts';
import { clientLines, type SessionTimerOptions } from './session-expires.ts';
import { SESSION_TIMER, type SessionTimerEvent, type SessionTimerState } from './within-tables.ts';

/** After a refusal: not immediately, and never later than this before the end. */
const MIN_PAUSE_MS = 2000;

/** How long before its end a session is hung up (RFC 4028, 10). */
export const marginMs = (seconds: number): number => Math.min(32_000, (seconds * 1000) / 3);

/** A call with a session timer, on any engine. */
export type TimedCall = {
  readonly agent: {
    readonly signalling: Pick<SignallingOptions, 'sessionTimer'>;
    readonly layer: { readonly wheel: TimerWheel; readonly clock: () => number };
  };
  readonly events: Pick<CallEvents, 'onSessionExpired'>;
  readonly dialog: { readonly peerUpdates: boolean | null } | null;
  readonly within: { refresh(method: 'INVITE' | 'UPDATE'): boolean } | null;
  hangUp(): void;
};

export class SessionTimer extends Timed implements SessionTime {
  state: SessionTimerState = SESSION_TIMER.initial;
  readonly #call: TimedCall;
  #seconds = 0;
  #minSeconds: number;
  #weRefresh = false;
  /** When the session is hung up. */
  #lateAtMs = 0;

  constructor(call: TimedCall) {
    super();
    this.#call = call;
    this.#minSeconds = call.agent.signalling.sessionTimer?.minSeconds ?? 90;
  }

  /** A 2xx sets the session interval, and the refresher; null: no timer any more. */
  agree(seconds: number, weRefresh: boolean | null): void {
    if (!this.#move(weRefresh === null ? 'OFF' : weRefresh ? 'OURS' : 'THEIRS')) return;
    const { wheel, clock } = this.#call.agent.layer;
    if (weRefresh === null) {
      wheel.clear(this);
      return;
    }
    this.#seconds = seconds;
    this.#weRefresh = weRefresh;
    this.#lateAtMs = clock() + seconds * 1000 - marginMs(seconds);
    wheel.set(this, weRefresh ? clock() + seconds * 500 : this.#lateAtMs);
  }

  lengthen(minSeconds: number): boolean {
    if (minSeconds <= this.#seconds) return false;
    this.#minSeconds = Math.max(minSeconds, this.#minSeconds);
    this.#seconds = minSeconds;
    return true;
  }

  /** Our agreement when the peer refreshes: not more than the current interval; null: no timer wanted. */
  get options(): SessionTimerOptions | null {
    const { sessionTimer } = this.#call.agent.signalling;
    if (this.state === 'OVER' || sessionTimer === null) return sessionTimer;
    return { ...sessionTimer, expiresSeconds: this.#seconds };
  }

  requestLines(): string {
    if (this.state === 'OVER') return '';
    return clientLines(this.#seconds, this.#weRefresh ? 'UAC' : 'UAS', this.#minSeconds);
  }

  override onDue(nowMs: number): void {
    if (nowMs < this.#lateAtMs && this.#move('HALF')) {
      this.#call.agent.layer.wheel.set(this, this.#lateAtMs);
      this.#refresh();
    } else if (this.#move('LATE')) {
      try {
        this.#call.events.onSessionExpired?.(nowMs);
      } finally {
        this.#call.hangUp();
      }
    }
  }

  onRefused(status: number): void {
    const { dialog, agent } = this.#call;
    if ((status === 405 || status === 501) && dialog?.peerUpdates === false && this.state === 'REFRESHING') {
      this.#refresh();
      return;
    }
    const { wheel, clock } = agent.layer;
    const pauseMs = (this.#lateAtMs - clock()) / 2;
    if (pauseMs > MIN_PAUSE_MS && this.#move('FAILED')) wheel.set(this, clock() + pauseMs);
  }

  stop(): void {
    if (this.state !== 'OVER') this.#move('STOPPED');
    this.#call.agent.layer.wheel.clear(this);
  }

  /** UPDATE where the peer says that it knows it: it cannot be mistaken for a new offer (7.4). A change under way refreshes as well. */
  #refresh(): void {
    const { within, dialog } = this.#call;
    const begun = within?.refresh(dialog?.peerUpdates === true ? 'UPDATE' : 'INVITE') ?? false;
    if (!begun) this.onRefused(0);
  }

  #move(event: SessionTimerEvent): boolean {
    const next = takeStep('session timer', SESSION_TIMER.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    return true;
  }
}
