/**
 * Connections before their greeting: limited in total, per network and per site, so that a flood exhausts neither the
 * host nor the share of others. When full, a connection that has long been silent, or was refused but stays, is closed.
 */
import { networkOf, siteOf } from '../domain/network.ts';

/** State of a connection before its greeting. */
export type Stranger = {
  readonly address: string;
  readonly sinceMs: number;
  /** It has sent nothing, or was refused and stays. */
  readonly mayGo: boolean;
};

/** Concurrent. A thousand returning agents of one network are admitted in groups: a greeting takes milliseconds. */
const MOST = { all: 300, site: 200, network: 100 };
/** Of a network of whose greetings many more are refused than are taken. */
const MOST_AFTER_REFUSALS = 4;
const REFUSALS_PER_MINUTE = 30;
/** How long each greeting of such a network waits: a flood of them costs little, and an agent there hardly notices. */
const WAIT_AFTER_REFUSALS_MS = 250;
const WINDOW_MS = 60_000;
const MOST_NETWORKS = 10_000;
/** An agent answers the challenge within a round trip; one that has not by then may be put out. */
const PATIENCE_MS = 2000;

export class GreetingRoom<S extends Stranger> {
  #windowStartMs = 0;
  /** By network: refused greetings minus accepted ones. A fleet may share its address with others. */
  #refusals = new Map<string, number>();

  /** A greeting from this address was refused. */
  refused(address: string, nowMs: number): void {
    this.#count(address, nowMs, 1);
  }

  /** An agent at this address was let in. */
  welcomed(address: string, nowMs: number): void {
    this.#count(address, nowMs, -1);
  }

  /** How long a greeting from this address waits before it is looked at, ms. */
  waitMs(address: string, nowMs: number): number {
    this.#turn(nowMs);
    return this.#isRefusedOften(networkOf(address)) ? WAIT_AFTER_REFUSALS_MS : 0;
  }

  /**
   * Whether one from this address may enter.
   * @param present in order of arrival
   * @returns true, or the one to be closed first, or false: full
   */
  admit(address: string, present: readonly S[], nowMs: number): boolean | S {
    this.#turn(nowMs);
    const network = networkOf(address);
    const most = this.#isRefusedOften(network) ? MOST_AFTER_REFUSALS : MOST.network;
    const ofNetwork = present.filter((s) => networkOf(s.address) === network);
    if (ofNetwork.length >= most) return overdue(ofNetwork, nowMs) ?? false;
    const site = siteOf(address);
    const ofSite = present.filter((s) => siteOf(s.address) === site);
    if (ofSite.length >= MOST.site) return overdue(ofSite, nowMs) ?? false;
    if (present.length < MOST.all) return true;
    return overdue(fullest(present), nowMs) ?? false;
  }

  #isRefusedOften = (network: string): boolean => (this.#refusals.get(network) ?? 0) >= REFUSALS_PER_MINUTE;

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

const overdue = <S extends Stranger>(present: readonly S[], nowMs: number): S | undefined =>
  present.find((s) => s.mayGo && nowMs - s.sinceMs > PATIENCE_MS);

/** Those of the site with the most connections. */
const fullest = <S extends Stranger>(present: readonly S[]): readonly S[] =>
  Object.values(Object.groupBy(present, (s) => siteOf(s.address))).reduce<readonly S[]>(
    (most, of = []) => (of.length > most.length ? of : most),
    [],
  );
