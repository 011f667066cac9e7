/**
 * sip.js behind the engine port: WebSocket endpoints (RFC 7118), each with a connection of its own, as browsers have. What arrives is
 * read, and what is to be told is told, in `turn` alone. The library's own timers only ever end transactions; what they bring waits
 * for the next turn as well.
 */
import { nowMs } from '../../../clock.ts';
import type {
  SipAddress,
  SipEngine,
  SipEngineCounters,
  SipEngineOptions,
  UserAgent,
  UserAgentOptions,
} from '../../engine.ts';
import { Identifiers } from '../../identifiers.ts';
import { TimerWheel } from '../../timer-wheel.ts';
import type { StackEngine } from '../stack.ts';
import type { LineMaker } from './line.ts';
import { SipJsUserAgent } from './user-agent.ts';
import type { SipWebSocket } from './web-socket.ts';

export type SipJsEngineOptions = Omit<SipEngineOptions, 'port' | 'adapter' | 'tls' | 'onUnclaimedCall'>;

/** How long the line of a closed user agent stays for its goodbyes. */
const LEAVE_MS = 1000;

export const createSipJsEngine = (options: SipJsEngineOptions): SipEngine => new SipJsEngine(options);

export class SipJsEngine implements SipEngine, StackEngine, LineMaker {
  readonly name = 'sip.js';
  readonly local: SipAddress;
  readonly adapter = 'dgram';
  readonly stamps = 'user';
  readonly fallbackReason = null;
  /** Nothing is received but by streams. */
  readonly receiveDrops = 0;
  readonly options: SipJsEngineOptions;
  readonly wheel: TimerWheel;
  readonly clock = nowMs;
  readonly identifiers: Identifiers;
  readonly locator: LineMaker['locator'];
  readonly localAddress: string;
  readonly counts: SipEngineCounters = {
    malformed: 0,
    unmatched: 0,
    unclaimed: 0,
    refusedByPolicy: 0,
    internalErrors: 0,
  };
  /** Calls that have not ended. */
  openCalls = 0;
  readonly #userAgents = new Map<string, SipJsUserAgent>();
  /** Closed ones whose goodbyes are under way, and until when. */
  readonly #leaving = new Map<SipJsUserAgent, number>();
  #awake: SipWebSocket[] = [];
  #toTell: (() => void)[] = [];
  #branches = 0;
  #isClosed = false;

  constructor(options: SipJsEngineOptions) {
    this.options = options;
    this.local = { address: options.address, port: 0 };
    this.localAddress = options.address;
    this.wheel = new TimerWheel(nowMs());
    this.identifiers = new Identifiers(options.address);
    this.locator = options.locator ?? null;
  }

  get counters(): Readonly<SipEngineCounters> {
    return this.counts;
  }

  get busy(): boolean {
    const isLeaving = this.#leaving.size > 0;
    return isLeaving || this.openCalls > 0 || this.wheel.size > 0 || this.#awake.length > 0 || this.#toTell.length > 0;
  }

  listenTls(): Promise<SipAddress> {
    // Nobody connects to WebSocket clients: what is for them comes by the connections that they opened.
    return Promise.resolve(this.local);
  }

  createUserAgent(options: UserAgentOptions): UserAgent {
    if (this.#userAgents.has(options.contactUser)) {
      throw new Error(
        `contact user "${options.contactUser}" belongs to another user agent of this engine: give each its own`,
      );
    }
    const agent = new SipJsUserAgent(this, options);
    this.#userAgents.set(options.contactUser, agent);
    return agent;
  }

  turn(atMs: number): void {
    if (this.#isClosed) return;
    const awake = this.#awake;
    this.#awake = [];
    for (const socket of awake) {
      this.guard(() => socket.poll());
      this.tellAll();
    }
    // The wheel goes on behind what threw when it is called again.
    while (!this.guard(() => this.wheel.advance(atMs)));
    for (const [agent, untilMs] of this.#leaving) {
      if (agent.isIdle || atMs >= untilMs) this.guard(() => agent.abort());
    }
    this.tellAll();
  }

  close(): void {
    if (this.#isClosed) return;
    for (const agent of [...this.#userAgents.values(), ...this.#leaving.keys()]) this.guard(() => agent.abort());
    this.tellAll();
    this.#isClosed = true;
    this.#userAgents.clear();
  }

  wake(socket: SipWebSocket): void {
    this.#awake.push(socket);
  }

  mayReach(address: string): boolean {
    const may = this.options.mayReach(address);
    if (!may) this.counts.refusedByPolicy++;
    return may;
  }

  mayCall(uri: string): boolean {
    return this.options.mayCall?.(uri) ?? true;
  }

  mayDial(uri: string): boolean {
    return this.options.mayDial?.(uri) ?? true;
  }

  branch(): string {
    return `${this.identifiers.branchHead}w${(this.#branches++).toString(36)}`;
  }

  /** A closed user agent goes when its goodbyes are answered. */
  leave(contactUser: string, agent: SipJsUserAgent): void {
    this.#userAgents.delete(contactUser);
    this.#leaving.set(agent, this.clock() + LEAVE_MS);
  }

  left(agent: SipJsUserAgent): void {
    this.#leaving.delete(agent);
  }

  /** Tells when the owner's call, or the library's, has returned. */
  tell(event: () => void): void {
    this.#toTell.push(event);
  }

  /** What was not told yet comes before what wants an answer at once. */
  tellAll(): void {
    while (this.#toTell.length > 0) {
      for (const event of this.#toTell.splice(0)) this.guard(event);
    }
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
