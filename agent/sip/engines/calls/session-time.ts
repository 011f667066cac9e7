/** The time of a session (RFC 4028) over a library's dialogs: kept by the own core's timer, said in the lines of requests and responses. */
import {
  MIN_SESSION_SECONDS,
  type ServerTerms,
  serverLines,
  sessionExpiresOf,
  type TooShort,
  termsFor,
  tooShortLine,
} from '../../dialog/within/session-expires.ts';
import { SessionTimer, type TimedCall } from '../../dialog/within/session-timer.ts';
import type { CallEvents } from '../../engine.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import type { Reply, StackAgent } from '../stack.ts';

/** The call whose time it is. */
type Owner = {
  readonly agent: Pick<StackAgent, 'signalling' | 'engine'>;
  readonly events: CallEvents;
  readonly peerUpdates: boolean | null;
  hangUp(): void;
};

/** In the form of a stack: each without its line end. */
export const linesOf = (text: string): string[] => text.split('\r\n').filter((line) => line !== '');

/** The response to a request that wants a shorter time than we agree to (RFC 4028, 6). */
export const tooShort = (terms: TooShort): Reply => ({
  statusCode: 422,
  reasonPhrase: 'Session Interval Too Small',
  extraHeaders: linesOf(tooShortLine(terms)),
});

export const termLines = (terms: ServerTerms | null): string[] => (terms === null ? [] : linesOf(serverLines(terms)));

export class StackSessionTime {
  readonly #call: Owner;
  readonly #timed: TimedCall;
  #timer: SessionTimer | null = null;

  /** `refresh` is false if a change is under way: that will do so itself, or the timer asks again. */
  constructor(call: Owner, refresh: (method: 'INVITE' | 'UPDATE') => boolean) {
    this.#call = call;
    const { signalling, engine } = call.agent;
    this.#timed = {
      agent: { signalling, layer: engine },
      events: { onSessionExpired: (atMs) => engine.tell(() => call.events.onSessionExpired?.(atMs)) },
      dialog: call,
      within: { refresh },
      hangUp: () => call.hangUp(),
    };
  }

  /** For our re-INVITE or UPDATE: the roles stay as they are. */
  get requestLines(): string[] {
    return linesOf(this.#timer?.requestLines() ?? '');
  }

  /** What we agree to where the peer asks within the dialog; null: no time is kept. */
  termsFor(request: SipMessage): ServerTerms | TooShort | null {
    return termsFor(request, this.#timer?.options ?? this.#call.agent.signalling.sessionTimer);
  }

  /** Set by our 2xx. */
  promise({ seconds, refresher }: ServerTerms): void {
    this.#agree(seconds, refresher === 'UAS');
  }

  /** A 2xx to our INVITE or UPDATE. True: it restarts the interval. */
  keep(response: SipMessage): boolean {
    if (this.#timer === null && this.#call.agent.signalling.sessionTimer === null) return false;
    const expires = sessionExpiresOf(response);
    if (expires === null) this.#timer?.agree(0, null);
    else this.#agree(Math.max(expires.seconds, MIN_SESSION_SECONDS), expires.refresher !== 'UAS');
    return expires !== null;
  }

  /** A 422 requires this interval; false: that is what was requested. */
  lengthen(minSeconds: number): boolean {
    return this.#timer?.lengthen(minSeconds) ?? false;
  }

  onRefused(status: number): void {
    this.#timer?.onRefused(status);
  }

  stop(): void {
    this.#timer?.stop();
  }

  #agree(seconds: number, weRefresh: boolean): void {
    if (this.#timer === null || this.#timer.state === 'OVER') this.#timer = new SessionTimer(this.#timed);
    this.#timer.agree(seconds, weRefresh);
  }
}
