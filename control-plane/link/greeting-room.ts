/**
 * Connections that have not greeted yet: limited in all, for a network and for its site, so that a flood of them uses up neither
 * the host nor the room of those who connect from elsewhere. Where there is no room, a connection that has long been silent, or was sent away
 * and stays, makes it.
 */
import { networkOf, siteOf } from '../domain/network.ts';

/** What is known of a connection that has not greeted. */
export type Stranger = {
  readonly address: string;
  readonly sinceMs: number;
  /** Nothing has come from it, or it has been sent away and does not go. */
  readonly mayGo: boolean;
};

/** At once. A thousand agents of one network that come back together are let in part by part: a greeting takes milliseconds. */
const MOST = { all: 300, site: 200, network: 100 };
/** Of a network of whose greetings many more are refused than are taken. */
const MOST_AFTER_REFUSALS = 4;
const REFUSALS_PER_MINUTE = 30;
const WINDOW_MS = 60_000;
const MOST_NETWORKS = 10_000;
/** An agent answers the challenge within a round trip; one that has not by then may be put out. */
const PATIENCE_MS = 2000;

export class GreetingRoom<S extends Stranger> {
  #windowStartMs = 0;
  /** By network: greetings that were refused, less those that were taken. A fleet has its address in common with strangers. */
  #refusals = new Map<string, number>();

  /** A greeting from this address was refused. */
  refused(address: string, nowMs: number): void {
    this.#count(address, nowMs, 1);
  }

  /** An agent at this address was let in. */
  welcomed(address: string, nowMs: number): void {
    this.#count(address, nowMs, -1);
  }

  /**
   * May one from this address come in?
   * @param present in the order in which they came
   * @returns true, or the one that has to go first, or false: there is no room
   */
  admit(address: string, present: readonly S[], nowMs: number): boolean | S {
    this.#turn(nowMs);
    const network = networkOf(address);
    const most = (this.#refusals.get(network) ?? 0) < REFUSALS_PER_MINUTE ? MOST.network : MOST_AFTER_REFUSALS;
    const ofNetwork = present.filter((s) => networkOf(s.address) === network);
    if (ofNetwork.length >= most) return goner(ofNetwork, nowMs) ?? false;
    const site = siteOf(address);
    const ofSite = present.filter((s) => siteOf(s.address) === site);
    if (ofSite.length >= MOST.site) return goner(ofSite, nowMs) ?? false;
    if (present.length < MOST.all) return true;
    return goner(fullest(present), nowMs) ?? false;
  }

  #count(address: string, nowMs: number, change: 1 | -1): void {
    this.#turn(nowMs);
    const network = networkOf(address);
    if (this.#refusals.size >= MOST_NETWORKS && !this.#refusals.has(network)) return;
    this.#refusals.set(network, (this.#refusals.get(network) ?? 0) + change);
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#windowStartMs < WINDOW_MS) return;
    this.#windowStartMs = nowMs;
    this.#refusals = new Map();
  }
}

const goner = <S extends Stranger>(present: readonly S[], nowMs: number): S | undefined =>
  present.find((s) => s.mayGo && nowMs - s.sinceMs > PATIENCE_MS);

/** Those of the site that has the most. */
const fullest = <S extends Stranger>(present: readonly S[]): readonly S[] =>
  Object.values(Object.groupBy(present, (s) => siteOf(s.address))).reduce<readonly S[]>(
    (most, of = []) => (of.length > most.length ? of : most),
    [],
  );
