/**
 * The engines of one signalling thread: the default one, and sip.js for endpoints with WS or WSS, which is loaded on
 * demand.
 */
import { createCoreEngine } from '../core/engine.ts';
import type { SipAddress, SipEngine, SipEngineOptions, SipTransport } from '../engine.ts';
import type { DrachtioServerOptions } from './drachtio/engine.ts';
import type { SipJsEngineOptions } from './sip-js/engine.ts';

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
  readonly #options: SipJsEngineOptions;
  #webSockets: SipEngine | null = null;
  #loading: Promise<SipEngine> | null = null;
  #isClosed = false;

  constructor(main: SipEngine, options: SipJsEngineOptions) {
    this.main = main;
    this.#options = options;
  }

  get busy(): boolean {
    return this.main.busy || (this.#webSockets?.busy ?? false);
  }

  get needsLoop(): boolean {
    return this.main.needsLoop || this.#webSockets !== null;
  }

  /** Data that were not a SIP message, or too malformed for an answer, over any transport. */
  get malformed(): number {
    return this.main.counters.malformed + (this.#webSockets?.counters.malformed ?? 0);
  }

  get refusedByPolicy(): number {
    return this.main.counters.refusedByPolicy + (this.#webSockets?.counters.refusedByPolicy ?? 0);
  }

  /** The engine of a protocol; a promise where it has to be loaded first, which rejects where that is of no use. */
  of(protocol: SipTransport | 'AUTO'): SipEngine | Promise<SipEngine> {
    if (protocol !== 'WS' && protocol !== 'WSS') return this.main;
    this.#loading ??= this.#load();
    return this.#webSockets ?? this.#loading;
  }

  /** How many datagrams came. */
  turn(atMs: number): number {
    this.#webSockets?.turn(atMs);
    return this.main.turn(atMs);
  }

  close(): void {
    this.#isClosed = true;
    this.main.close();
    this.#webSockets?.close();
  }

  async #load(): Promise<SipEngine> {
    const { createSipJsEngine } = await import('./sip-js/engine.ts');
    if (this.#isClosed) throw new Error('the agent is stopping');
    this.#webSockets = createSipJsEngine(this.#options);
    return this.#webSockets;
  }
}
