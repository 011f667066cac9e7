/**
 * An engine on a third-party library: user agents by name, timers, and pending events. The library runs at any time;
 * the owner gets events only in `turn`.
 */
import { nowMs } from '../../clock.ts';
import type { Announced, SipEngineCounters, SipEngineOptions, UserAgent, UserAgentOptions } from '../engine.ts';
import { Identifiers } from '../identifiers.ts';
import { TimerWheel } from '../timer-wheel.ts';

export type LibraryEngineOptions = Pick<
  SipEngineOptions,
  'userAgentName' | 'announced' | 'mayReach' | 'mayLeave' | 'mayName' | 'onInternalError'
>;

type Agent = UserAgent & { abort(): void };

/** The engine, as its user agents and their calls know it. */
export type LibraryHost = Pick<
  LibraryEngine<Agent>,
  'options' | 'clock' | 'identifiers' | 'counts' | 'openCalls' | 'maySend' | 'mayName' | 'tell' | 'tellAll' | 'guard'
>;

export abstract class LibraryEngine<A extends Agent> {
  readonly adapter = 'dgram';
  readonly stamps = 'user';
  readonly fallbackReason = null;
  readonly needsLoop = true;
  /** No sockets of ours that could drop data. */
  readonly receiveDrops = 0;
  abstract readonly options: LibraryEngineOptions;
  get announced(): Announced | null {
    return this.options.announced ?? null;
  }
  readonly wheel = new TimerWheel(nowMs());
  readonly clock = nowMs;
  readonly identifiers: Identifiers;
  readonly counts: SipEngineCounters = {
    malformed: 0,
    unmatched: 0,
    unclaimed: 0,
    withheld: 0,
    refusedByPolicy: 0,
    internalErrors: 0,
  };
  /** Calls that have not ended. */
  openCalls = 0;
  /** The user agents by the user part of their Contact. */
  protected readonly userAgents = new Map<string, A>();
  protected isClosed = false;
  #toTell: (() => void)[] = [];

  /** `host`: part of unique identifiers. */
  constructor(host: string) {
    this.identifiers = new Identifiers(host);
  }

  protected abstract newUserAgent(options: UserAgentOptions): A;
  /** Everything to be notified when the engine closes. */
  protected everyone(): Iterable<A> {
    return this.userAgents.values();
  }
  /** Received messages, first in each turn. */
  protected read(): void {
    // Nothing: events come from the event loop.
  }
  /** Ended objects, last in each turn. */
  protected tidy(_atMs: number): void {
    // Nothing.
  }
  protected abstract onClosed(): void;

  get counters(): Readonly<SipEngineCounters> {
    return this.counts;
  }

  get obstacle(): string | null {
    return null;
  }

  get busy(): boolean {
    return this.openCalls > 0 || this.wheel.size > 0 || this.#toTell.length > 0;
  }

  createUserAgent(options: UserAgentOptions): A {
    if (this.userAgents.has(options.contactUser)) {
      throw new Error(
        `contact user "${options.contactUser}" belongs to another user agent of this engine: give each its own`,
      );
    }
    const agent = this.newUserAgent(options);
    this.userAgents.set(options.contactUser, agent);
    return agent;
  }

  /** A library gets its data from the event loop, independent of turns. */
  turn(atMs: number): number {
    if (this.isClosed) return 0;
    this.read();
    // The wheel continues after an exception when it is called again.
    while (!this.guard(() => this.wheel.advance(atMs)));
    this.tidy(atMs);
    this.tellAll();
    return 0;
  }

  close(): void {
    if (this.isClosed) return;
    for (const agent of this.everyone()) this.guard(() => agent.abort());
    this.tellAll();
    this.isClosed = true;
    this.onClosed();
  }

  /** May a message go there? What ends a call or a registration may where it has gone before, for a while. */
  maySend(isEnding: boolean, host: string): boolean {
    const { mayReach, mayLeave } = this.options;
    const may = mayReach(host) || (isEnding && mayLeave?.(host, this.clock()) === true);
    if (!may) this.counts.refusedByPolicy++;
    return may;
  }

  mayName(host: string): boolean {
    return this.options.mayName?.(host) ?? true;
  }

  /** Reports after the owner's call, or the library's, has returned. */
  tell(event: () => void): void {
    this.#toTell.push(event);
  }

  /** Pending events come before one that needs an immediate answer. */
  tellAll(): void {
    while (this.#toTell.length > 0) for (const event of this.#toTell.splice(0)) this.guard(event);
  }

  /** Neither the library nor a listener may end the process. False: it threw, and that was counted. */
  guard(what: () => void): boolean {
    try {
      what();
      return true;
    } catch (error) {
      this.counts.internalErrors++;
      this.options.onInternalError?.(error);
      return false;
    }
  }
}
