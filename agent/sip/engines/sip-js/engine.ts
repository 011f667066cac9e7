/**
 * SIP.js with the engine interface: endpoints over WebSockets (RFC 7118) as browser phones have them, each with a connection of its
 * own. Data are read and events reported in `turn`; what the library settles by its promises and timers waits for the next one.
 */
import type { SipAddress, SipEngine, SipEngineOptions, UserAgentOptions } from '../../engine.ts';
import { WebSockets } from '../../transport/web-sockets.ts';
import { LibraryEngine } from '../library-engine.ts';
import { type SipJsHost, SipJsUserAgent } from './user-agent.ts';

type SipJsEngineOptions = Omit<SipEngineOptions, 'port' | 'adapter' | 'tls' | 'onUnclaimedCall' | 'onStranger'>;

/** How long the connection of a closed user agent stays open for its BYEs. */
const LEAVE_MS = 1000;

export const createSipJsEngine = (options: SipJsEngineOptions): SipEngine => new SipJsEngine(options);

class SipJsEngine extends LibraryEngine<SipJsUserAgent> implements SipEngine, SipJsHost {
  readonly name = 'sip.js';
  readonly local: SipAddress;
  readonly options: SipJsEngineOptions;
  readonly sockets: WebSockets;
  /** Closed ones whose BYEs are in progress, and until when. */
  readonly #leaving = new Map<SipJsUserAgent, number>();

  constructor(options: SipJsEngineOptions) {
    super(options.address);
    this.options = options;
    this.local = { address: options.address, port: 0 };
    this.sockets = new WebSockets(options.address, this.clock);
  }

  override get busy(): boolean {
    return super.busy || this.#leaving.size > 0;
  }

  listenTls(): Promise<SipAddress> {
    // Clients of WebSockets accept no connections: messages for them come over those that they opened.
    return Promise.resolve(this.local);
  }

  protected override newUserAgent(options: UserAgentOptions): SipJsUserAgent {
    return new SipJsUserAgent(this, options);
  }

  protected override *everyone(): Iterable<SipJsUserAgent> {
    yield* [...this.userAgents.values(), ...this.#leaving.keys()];
  }

  protected override read(): void {
    this.guard(() => this.sockets.poll());
  }

  protected override tidy(atMs: number): void {
    for (const [agent, untilMs] of this.#leaving) if (agent.isIdle || atMs >= untilMs) this.guard(() => agent.abort());
    this.sockets.flush();
  }

  protected override onClosed(): void {
    this.userAgents.clear();
    this.sockets.close();
  }

  leave(contactUser: string, agent: SipJsUserAgent): void {
    this.userAgents.delete(contactUser);
    this.#leaving.set(agent, this.clock() + LEAVE_MS);
  }

  left(agent: SipJsUserAgent): void {
    this.#leaving.delete(agent);
  }
}
