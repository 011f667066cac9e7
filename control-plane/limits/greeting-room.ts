/**
 * Connections before their greeting: limited in total, per network and per site, so that a flood exhausts neither the
 * host nor the share of others. When full, a connection that has long been silent, or was refused but stays, is closed.
 */
import { networkOf, siteOf } from '../domain/network.ts';
import { LIMITS } from './limits.ts';
import { Windows } from './windows.ts';

/** The state of a connection before its greeting. */
export type Stranger = {
  readonly address: string;
  readonly sinceMs: number;
  /** True: it has sent nothing, or was refused and stays. */
  readonly mayGo: boolean;
};

/** Each greeting of a refused network waits this long: a flood of them costs little, and an agent there hardly notices. */
const WAIT_AFTER_REFUSALS_MS = 250;
/** An agent answers the challenge within a round trip; a connection that has not answered within this time may be closed. */
const PATIENCE_MS = 2000;

export class GreetingRoom<S extends Stranger> {
  /** Refused greetings minus accepted ones, by network. A fleet may share its address with others. */
  readonly #refusals = new Windows(LIMITS.refusedGreetings.withinMs);

  /** A greeting from this address was refused. */
  refused(address: string, nowMs: number): void {
    this.#refusals.add(networkOf(address), nowMs);
  }

  /** An agent at this address was accepted. */
  welcomed(address: string, nowMs: number): void {
    this.#refusals.add(networkOf(address), nowMs, -1);
  }

  /** The time in milliseconds for which a greeting from this address waits. */
  waitMs(address: string, nowMs: number): number {
    return this.#isRefusedOften(networkOf(address), nowMs) ? WAIT_AFTER_REFUSALS_MS : 0;
  }

  /**
   * Decides whether a connection from this address may enter.
   * @param present in order of arrival
   * @returns true, or the connection to be closed first, or false: full
   */
  admit(address: string, present: readonly S[], nowMs: number): boolean | S {
    const [network, site] = [networkOf(address), siteOf(address)];
    const { max } = this.#isRefusedOften(network, nowMs) ? LIMITS.connectionsOfRefused : LIMITS.connectionsOfNetwork;
    const ofNetwork = present.filter((s) => networkOf(s.address) === network);
    if (ofNetwork.length >= max) return overdue(ofNetwork, nowMs);
    const ofSite = present.filter((s) => siteOf(s.address) === site);
    if (ofSite.length >= LIMITS.connectionsOfSite.max) return overdue(ofSite, nowMs);
    return present.length < LIMITS.connections.max || overdue(fullest(present), nowMs);
  }

  #isRefusedOften = (network: string, nowMs: number): boolean =>
    this.#refusals.of(network, nowMs) >= LIMITS.refusedGreetings.max;
}

const overdue = <S extends Stranger>(present: readonly S[], nowMs: number): S | false =>
  present.find((s) => s.mayGo && nowMs - s.sinceMs > PATIENCE_MS) ?? false;

/** The connections of the site with the most connections. */
const fullest = <S extends Stranger>(present: readonly S[]): readonly S[] =>
  Object.values(Object.groupBy(present, (s) => siteOf(s.address))).reduce<readonly S[]>(
    (most, of = []) => (of.length > most.length ? of : most),
    [],
  );
