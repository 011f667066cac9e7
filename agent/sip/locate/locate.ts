/**
 * Locating SIP servers (RFC 3263, 4; RFC 7984 for two address families): from a URI and the DNS answers so far, the
 * targets in the order of attempts, or the next queries. Pure: the caller sends the queries, and calls again with the
 * answers.
 * Missing records lead down the ladder NAPTR, SRV, A and AAAA. A failed SRV query does not, because its answer is
 * unknown and a call to the default port would measure another server. Without NAPTR only the domain's choice of
 * transport is lost; not every resolver supports it.
 */
import { isIP } from 'node:net';
import type { DnsAnswer, Query, RecordType, Srv } from '../../net/names/dns-port.ts';
import type { SipTarget, SipTransport } from '../engine.ts';
import type { SipUri } from '../message/uri.ts';
import { srvOrder } from './srv-order.ts';
import { type Choice, chosenTransport, DEFAULT_PORTS, SERVICES, SRV_PREFIX, targetHost } from './transport-choice.ts';

export type Family = 'IPv4' | 'IPv6';

export type LocatorAbilities = {
  /** Spoken here, most wanted first: the order where the domain does not care. */
  readonly transports: readonly SipTransport[];
  /** Spoken where a URI names them. */
  readonly byName?: readonly SipTransport[];
  /** Reachable from here, most wanted first (RFC 6724). */
  readonly families: readonly Family[];
};

/** The answer to a query; null: not asked yet. */
export type Look = <T extends RecordType>(type: T, name: string) => DnsAnswer<T> | null;

export type Located =
  | { readonly targets: readonly SipTarget[] }
  | { readonly missing: readonly Query[] }
  /** A sentence that names every query that was in vain. */
  | { readonly failure: string };

/** `random`: [0, 1), for the weights of RFC 2782. */
export function locate(uri: SipUri, abilities: LocatorAbilities, look: Look, random: () => number): Located {
  if (uri.scheme === 'tel') return { failure: `tel:${uri.user} names no host: give an outbound proxy` };
  const choice = chosenTransport(uri, abilities.transports, abilities.byName);
  if (typeof choice === 'string') return { failure: choice };
  return new Search(uri, abilities, look, random).run(choice);
}

class Search {
  readonly #host: string;
  readonly #port: number;
  readonly #abilities: LocatorAbilities;
  readonly #look: Look;
  readonly #random: () => number;
  readonly #missing: Query[] = [];
  /** What the DNS answered in vain, for the sentence at the end. */
  readonly #vain: string[] = [];

  constructor(uri: SipUri, abilities: LocatorAbilities, look: Look, random: () => number) {
    this.#host = normalName(targetHost(uri));
    this.#port = uri.port;
    this.#abilities = abilities;
    this.#look = look;
    this.#random = random;
  }

  run(choice: Choice): Located {
    const targets = this.#targets(choice);
    if (this.#missing.length > 0) return { missing: this.#missing };
    if (targets.length > 0) return { targets };
    return { failure: `no server found for ${this.#host}: ${this.#vain.join('; ')}` };
  }

  #targets({ secure, explicit, allowed }: Choice): SipTarget[] {
    const host = this.#host;
    const port = this.#port;
    const plain = defaultTransport(secure, allowed);
    if (isIP(host) !== 0) return [target(explicit ?? plain, host, port, host)];
    if (port !== 0) return this.#addresses(explicit ?? plain, host, port);
    if (explicit !== null) return this.#byService([explicit]) ?? this.#addresses(explicit, host, 0);
    const named = this.#byNaptr(allowed);
    if (named !== null) return named;
    return this.#byService(allowed) ?? this.#addresses(plain, host, 0);
  }

  /** 4.1: the domain's preferences. Null: it has no usable NAPTR records for SIP. */
  #byNaptr(allowed: readonly SipTransport[]): SipTarget[] | null {
    const answer = this.#look('NAPTR', this.#host);
    this.#note('NAPTR', this.#host, answer);
    if (answer === null) return [];
    const usable = answer.records
      .flatMap((record) => {
        const transport = SERVICES[record.service.toUpperCase()];
        const isOurs = transport !== undefined && allowed.includes(transport) && record.flags.toLowerCase() === 's';
        return isOurs ? [{ ...record, transport }] : [];
      })
      .sort((a, b) => a.order - b.order || a.preference - b.preference);
    const first = usable[0];
    if (first === undefined) return null;
    // Once an order matches, records of higher orders are ignored (RFC 3403, 4.1).
    return usable
      .filter(({ order }) => order === first.order)
      .flatMap(({ transport, replacement }) => this.#servers(transport, normalName(replacement)) ?? []);
  }

  /** 4.2: SRV under the names of transports. Null: there are none. */
  #byService(transports: readonly SipTransport[]): SipTarget[] | null {
    const found = transports.map((transport) => this.#servers(transport, `${SRV_PREFIX[transport]}.${this.#host}`));
    return found.every((servers) => servers === null) ? null : found.flatMap((servers) => servers ?? []);
  }

  /** The servers of an SRV name, all addresses of one before the next (RFC 7984, 4). Null: it has no records. */
  #servers(transport: SipTransport, name: string): SipTarget[] | null {
    const answer = this.#ask('SRV', name);
    if (answer === null) return [];
    const { records } = answer;
    if (records.length === 0) return null;
    if (records.length === 1 && normalName((records[0] as Srv).name) === '') {
      this.#vain.push(`SRV ${name}: the service is explicitly not available there`);
      return [];
    }
    return srvOrder(records, this.#random).flatMap((srv) => this.#addresses(transport, normalName(srv.name), srv.port));
  }

  #addresses(transport: SipTransport, name: string, port: number): SipTarget[] {
    return this.#abilities.families.flatMap((family) => {
      const answer = this.#ask(family === 'IPv4' ? 'A' : 'AAAA', name);
      return (answer?.records ?? []).map((address) => target(transport, address, port, this.#host));
    });
  }

  /** Null: not known yet, or failed; in both cases the ladder ends here. */
  #ask<T extends RecordType>(type: T, name: string): DnsAnswer<T> | null {
    const answer = this.#look(type, name);
    this.#note(type, name, answer);
    return answer === null || answer.failure !== null ? null : answer;
  }

  #note(type: RecordType, name: string, answer: DnsAnswer | null): void {
    if (answer === null) this.#missing.push({ type, name });
    else if (answer.failure !== null) this.#vain.push(`${type} ${name}: ${answer.failure}`);
    else if (answer.records.length === 0) this.#vain.push(`${type} ${name}: no records`);
  }
}

/** The default is UDP, and TLS for sips (4.1). */
function defaultTransport(secure: boolean, allowed: readonly SipTransport[]): SipTransport {
  const plain = secure ? 'TLS' : 'UDP';
  return allowed.includes(plain) ? plain : (allowed[0] ?? plain);
}

/** Names are compared without case and without the dot of the root (RFC 4343). */
function normalName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** `domain` is the requested one: certificates are verified against it, not against the SRV target (RFC 5922, 4). */
function target(transport: SipTransport, address: string, port: number, domain: string): SipTarget {
  const place = { transport, address, port: port || DEFAULT_PORTS[transport] };
  return isIP(domain) === 0 ? { ...place, serverName: domain } : place;
}
