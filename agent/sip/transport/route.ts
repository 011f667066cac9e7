/**
 * The servers of a request, in order, and the current one (RFC 3263, 4.3). Only a next hop with a name, or several
 * targets, has a route; a single numeric address needs none.
 */
import type { SipTarget } from '../engine.ts';

const NOWHERE: SipTarget = { transport: 'UDP', address: '', port: 0 };

/** The way of requests: one place, or several. */
export type Hop = SipTarget | Route;

export class Route {
  /** What the servers are looked for by; '' if they were given. */
  readonly uri: string;
  /** Null: not resolved yet, or to be resolved again. */
  #targets: readonly SipTarget[] | null;
  readonly #fallback: SipTarget | null;
  #at = 0;
  /** The server of the time before: while it is among the found ones, it stays. */
  #last: SipTarget | null = null;

  private constructor(uri: string, targets: readonly SipTarget[] | null, fallback: SipTarget | null) {
    this.uri = uri;
    this.#targets = targets;
    this.#fallback = fallback;
  }

  /** The route to a URI whose host is a name. `fallback`: the place for requests that find no server; null: none. */
  static to(uri: string, fallback: SipTarget | null = null): Route {
    return new Route(uri, null, fallback);
  }

  static through(targets: readonly SipTarget[]): Route {
    return new Route('', targets, null);
  }

  get isFound(): boolean {
    return this.#targets !== null;
  }

  /** The place to which requests go now. */
  get target(): SipTarget {
    return this.#targets?.[this.#at] ?? this.#last ?? this.#fallback ?? NOWHERE;
  }

  get hasNext(): boolean {
    return this.#targets !== null && this.#at + 1 < this.#targets.length;
  }

  /** Selects the next server; false: none is left. */
  next(): boolean {
    if (!this.hasNext) return false;
    this.#at++;
    return true;
  }

  /** Null: accepted; otherwise why nothing was found, without a fallback. */
  take(found: readonly SipTarget[] | string): string | null {
    if (typeof found === 'string' && this.#fallback === null) return found;
    const targets = typeof found === 'string' ? [this.#fallback as SipTarget] : found;
    const last = this.#last;
    const same = last === null ? undefined : targets.find((one) => isSame(one, last));
    this.#targets = same === undefined ? targets : [same, ...targets.filter((one) => one !== same)];
    this.#at = 0;
    return null;
  }

  /** The next request starts over: names are resolved again, and all servers may be tried, the previous one first. */
  renew(): void {
    const targets = this.#targets;
    if (targets === null) return;
    this.#last = this.target;
    this.#targets = null;
    if (this.uri === '') this.take(targets);
  }

  /** Reorders the servers, before the first attempt. */
  sort(order: (targets: readonly SipTarget[]) => readonly SipTarget[]): void {
    if (this.#targets !== null && this.#at === 0) this.#targets = order(this.#targets);
  }
}

export const isSame = (a: SipTarget, b: SipTarget): boolean =>
  a.port === b.port && a.address === b.address && a.transport === b.transport;
