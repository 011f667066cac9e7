/**
 * sip.js with the engine interface: WebSocket endpoints (RFC 7118), each with its own connection, like browsers. Data
 * are read and events reported only in `turn`. The library's own timers only end transactions; their events wait for
 * the next turn as well.
 */
import type { SipAddress, SipEngine, SipEngineOptions, UserAgentOptions } from '../../engine.ts';
import { LibraryEngine } from '../library-engine.ts';
import { type SipJsHost, SipJsUserAgent } from './user-agent.ts';
import type { SipWebSocket } from './web-socket.ts';

export type SipJsEngineOptions = Omit<SipEngineOptions, 'port' | 'adapter' | 'tls' | 'onUnclaimedCall' | 'onStranger'>;

/** How long the line of a closed user agent stays open for its BYEs. */
const LEAVE_MS = 1000;

export const createSipJsEngine = (options: SipJsEngineOptions): SipEngine => new SipJsEngine(options);

export class SipJsEngine extends LibraryEngine<SipJsUserAgent> implements SipEngine, SipJsHost {
  readonly name = 'sip.js';
  readonly local: SipAddress;
  readonly options: SipJsEngineOptions;
  readonly locator: SipJsHost['locator'];
  readonly localAddress: string;
  /** Closed ones whose BYEs are in progress, and until when. */
  readonly #leaving = new Map<SipJsUserAgent, number>();
  #awake: SipWebSocket[] = [];
  #branches = 0;

  constructor(options: SipJsEngineOptions) {
    super(options.address);
    this.options = options;
    this.local = { address: options.address, port: 0 };
    this.localAddress = options.address;
    this.locator = options.locator ?? null;
  }

  override get busy(): boolean {
    return super.busy || this.#leaving.size > 0 || this.#awake.length > 0;
  }

  listenTls(): Promise<SipAddress> {
    // WebSocket clients accept no connections: messages for them come over the connections that they opened.
    return Promise.resolve(this.local);
  }

  protected override newUserAgent(options: UserAgentOptions): SipJsUserAgent {
    return new SipJsUserAgent(this, options);
  }

  protected override *everyone(): Iterable<SipJsUserAgent> {
    yield* [...this.userAgents.values(), ...this.#leaving.keys()];
  }

  protected override read(): void {
    const awake = this.#awake;
    this.#awake = [];
    for (const socket of awake) {
      this.guard(() => socket.poll());
      this.tellAll();
    }
  }

  protected override tidy(atMs: number): void {
    for (const [agent, untilMs] of this.#leaving) {
      if (agent.isIdle || atMs >= untilMs) this.guard(() => agent.abort());
    }
  }

  protected override onClosed(): void {
    this.userAgents.clear();
  }

  wake(socket: SipWebSocket): void {
    this.#awake.push(socket);
  }

  branch(): string {
    return `${this.identifiers.branchHead}w${(this.#branches++).toString(36)}`;
  }

  leave(contactUser: string, agent: SipJsUserAgent): void {
    this.userAgents.delete(contactUser);
    this.#leaving.set(agent, this.clock() + LEAVE_MS);
  }

  left(agent: SipJsUserAgent): void {
    this.#leaving.delete(agent);
  }
}
