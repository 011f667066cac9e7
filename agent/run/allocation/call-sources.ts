/**
 * The addresses from which a share takes calls: its registrar, gateways and outbound proxy, by all addresses that DNS
 * has returned since it was opened, or any address. A group without a server is called by name: its own callers know
 * the names.
 */
import { isIP } from 'node:net';
import type { SipAddress, SipLocator } from '../../sip/engine.ts';
import { parseUri } from '../../sip/message/uri.ts';
import { nextHop } from '../../sip/transport/next-hop.ts';
import type { SharePlan } from '../plan.ts';

export type CallSourcesDeps = { readonly locator?: SipLocator; readonly mayName?: (host: string) => boolean };

/** The locator refreshes outdated answers. */
const LOOK_AGAIN_MS = 30_000;

export class CallSources {
  readonly isAnybody: boolean;
  readonly #addresses = new Set<string>();
  /** `address port`. */
  readonly #servers = new Set<string>();
  readonly #names: readonly string[];
  /** Users that its endpoints are registered as. */
  readonly #accounts: ReadonlySet<string>;
  readonly #deps: CallSourcesDeps;
  #lookAtMs = Number.NEGATIVE_INFINITY;

  constructor(plan: SharePlan, deps: CallSourcesDeps) {
    this.#deps = deps;
    this.#accounts = new Set(plan.endpoints.flatMap(({ account }) => account?.username ?? []));
    const isWatched = plan.role === 'CALLEE' && plan.group.callsFrom === 'SERVER';
    const uris = plan.role === 'CALLEE' ? serversOf(plan) : [];
    this.isAnybody = !isWatched;
    for (const uri of uris) {
      const target = nextHop(uri);
      if (typeof target !== 'string') this.#add(target);
    }
    this.#names = uris.filter((uri) => hostOf(uri) !== '' && isIP(hostOf(uri)) === 0);
  }

  /** Looks up the names of the servers; settles once all lookups have ended. */
  async found(nowMs: number): Promise<void> {
    this.#lookAtMs = nowMs + LOOK_AGAIN_MS;
    await Promise.all(this.#names.map((name) => new Promise<void>((done) => this.#look(name, done))));
  }

  turn(nowMs: number): void {
    if (this.#names.length === 0 || nowMs < this.#lookAtMs) return;
    this.#lookAtMs = nowMs + LOOK_AGAIN_MS;
    for (const name of this.#names) this.#look(name, () => undefined);
  }

  /** Whether a call that names one of the share's endpoints may come from this address. */
  readonly takesFrom = (address: string): boolean =>
    this.isAnybody || (this.#addresses.size === 0 && this.#names.length === 0) || this.#addresses.has(address);

  hasAccount(user: string): boolean {
    return this.#accounts.has(user);
  }

  /**
   * How well a call without a named endpoint matches: 0 not at all; highest from the server itself, by address and
   * port.
   */
  rank({ address, port }: SipAddress): number {
    if (this.#servers.has(`${address} ${port}`)) return 3;
    if (this.#addresses.has(address)) return 2;
    return this.isAnybody ? 1 : 0;
  }

  /** An address from which a call would fit both shares equally well; null: there is no such address. */
  sharedWith(other: CallSources): string | null {
    for (const server of this.#servers) if (other.#servers.has(server)) return server.replace(' ', ' port ');
    return this.isAnybody && other.isAnybody ? 'anybody' : null;
  }

  get names(): string {
    return [...this.#addresses, ...this.#names].join(', ') || 'only callers of the test';
  }

  #look(uri: string, done: () => void): void {
    const { locator, mayName } = this.#deps;
    if (locator === undefined || mayName?.(hostOf(uri)) === false) {
      done();
      return;
    }
    locator.locate(uri, (targets) => {
      if (typeof targets !== 'string') for (const target of targets) this.#add(target);
      done();
    });
  }

  #add({ address, port }: SipAddress): void {
    const text = plainAddress(address);
    this.#addresses.add(text);
    this.#servers.add(`${text} ${port}`);
  }
}

/** URIs of what calls come from: next hop, gateways, outbound proxy, registrar. The domain only names addresses of record. */
function serversOf({ group, endpoints }: SharePlan): string[] {
  const { gateways, protocol, routeSet, server } = group;
  const [first] = endpoints;
  const by = protocol === 'AUTO' ? '' : `;transport=${protocol.toLowerCase()}`;
  const hop = first?.nextHop ?? null;
  const uris = [
    hop === null ? first?.nextHopUri : uriOf(hop),
    ...gateways.map(uriOf),
    ...routeSet.map((route) => /^<([^>]+)>/.exec(route)?.[1]),
    server === '' ? null : `sip:${server}${by}`,
  ];
  return [...new Set(uris.filter((uri) => uri != null))];
}

const uriOf = ({ address, port }: SipAddress): string =>
  `sip:${isIP(address) === 6 ? `[${address}]` : address}:${port}`;

function hostOf(text: string): string {
  const uri = parseUri(text);
  return typeof uri === 'string' ? '' : uri.host.replace(/^\[|\]$/g, '');
}

/** The address in the form that sockets report. */
const plainAddress = (address: string): string =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
