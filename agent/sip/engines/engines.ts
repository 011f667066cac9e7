/**
 * The engines of one signalling thread: the default one, the core for WebSockets where that is another, and SIP.js for groups
 * that ask for it. What not every agent needs is loaded on demand.
 */
import { createCoreEngine } from '../core/engine.ts';
import type { ChosenEngine, SipAddress, SipEngine, SipEngineOptions, SipTransport } from '../engine.ts';
import type { DrachtioServerOptions } from './drachtio/library.ts';

export type { DrachtioServerOptions };

/** `listener`: where calls reach its user agents; with drachtio that is the server's. */
export type Main = { readonly engine: SipEngine; readonly listener: SipAddress };

/** The engine that an agent's endpoints live on by default. Rejects if its port or its server is not available. */
export async function openMain(options: SipEngineOptions, drachtio: DrachtioServerOptions | null): Promise<Main> {
  if (drachtio === null) {
    const engine = await createCoreEngine(options);
    return { engine, listener: engine.local };
  }
  const { createDrachtioEngine } = await import('./drachtio/engine.ts');
  const engine = await createDrachtioEngine({ ...options, server: drachtio });
  return { engine, listener: engine.listener('UDP') };
}

export class Engines {
  readonly main: SipEngine;
  /** Beside the main one; each null until it is needed. */
  readonly #core: OnDemand;
  readonly #sipJs: OnDemand;

  constructor(main: SipEngine, options: SipEngineOptions) {
    this.main = main;
    // A client of WebSockets listens nowhere: the port is of no importance, and the main engine has that of the options.
    this.#core = new OnDemand(() => createCoreEngine({ ...options, port: 0 }));
    this.#sipJs = new OnDemand(async () => (await import('./sip-js/engine.ts')).createSipJsEngine(options));
  }

  get busy(): boolean {
    return this.#all.some(({ busy }) => busy);
  }

  get needsLoop(): boolean {
    return this.#all.some(({ needsLoop }) => needsLoop);
  }

  /** Data that were not a SIP message, or too malformed for an answer, over any transport. */
  get malformed(): number {
    return this.#all.reduce((sum, { counters }) => sum + counters.malformed, 0);
  }

  get refusedByPolicy(): number {
    return this.#all.reduce((sum, { counters }) => sum + counters.refusedByPolicy, 0);
  }

  /** A promise where an engine has to be loaded first, which rejects where that is of no use. */
  of(protocol: SipTransport | 'AUTO', wanted: ChosenEngine): SipEngine | Promise<SipEngine> {
    if (wanted === 'SIPJS') return this.#sipJs.get();
    const isWebSocket = protocol === 'WS' || protocol === 'WSS';
    return isWebSocket && this.main.name !== 'core' ? this.#core.get() : this.main;
  }

  /** How many datagrams came. */
  turn(atMs: number): number {
    this.#core.engine?.turn(atMs);
    this.#sipJs.engine?.turn(atMs);
    return this.main.turn(atMs);
  }

  close(): void {
    this.main.close();
    this.#core.close();
    this.#sipJs.close();
  }

  get #all(): SipEngine[] {
    return [this.main, this.#core.engine, this.#sipJs.engine].filter((one) => one !== null);
  }
}

class OnDemand {
  engine: SipEngine | null = null;
  readonly #load: () => Promise<SipEngine>;
  #loading: Promise<SipEngine> | null = null;
  #isClosed = false;

  constructor(load: () => Promise<SipEngine>) {
    this.#load = load;
  }

  get(): SipEngine | Promise<SipEngine> {
    this.#loading ??= this.#loaded();
    return this.engine ?? this.#loading;
  }

  close(): void {
    this.#isClosed = true;
    this.engine?.close();
  }

  async #loaded(): Promise<SipEngine> {
    const engine = await this.#load();
    if (this.#isClosed) {
      engine.close();
      throw new Error('the agent is stopping');
    }
    this.engine = engine;
    return engine;
  }
}
