/**
 * Resolves URIs to targets through DNS, with a cache. Known answers are returned immediately; others come with `turn`,
 * with time as an argument. Pending queries are not repeated, nor is a URI searched twice at a time.
 */
import type { DnsAnswer, DnsPort, Query, RecordType } from '../../net/names/dns-port.ts';
import type { SipLocator, SipTarget, SipTransport } from '../engine.ts';
import { parseUri, type SipUri } from '../message/uri.ts';
import { DnsCache, queryKey } from './dns-cache.ts';
import { type Located, type LocatorAbilities, locate } from './locate.ts';

type Done = (targets: readonly SipTarget[] | string) => void;

/** A URI with pending queries. It keeps their answers: one with a TTL of 0 is valid for this search. */
type Search = {
  /** Key of `searches`: the URI, and the asker's transports if they differ from the default. */
  readonly key: string;
  readonly uri: SipUri;
  readonly abilities: LocatorAbilities;
  readonly answers: Map<string, DnsAnswer>;
  readonly waiting: Done[];
  readonly deadlineMs: number;
};

export type LocatorOptions = {
  readonly dns: DnsPort;
  readonly abilities: LocatorAbilities;
  /** [0, 1), for the weights of RFC 2782. */
  readonly random: () => number;
  /** The time of what happens between turns. */
  readonly clock: () => number;
};

/** Three queries in sequence, each as long as a patient resolver tries. */
const MAX_SEARCH_MS = 30_000;
/** At a time: names may come from peers, and a resolver may be slow. */
export const MAX_SEARCHES = 10_000;

export class Locator implements SipLocator {
  readonly #dns: DnsPort;
  readonly #abilities: LocatorAbilities;
  readonly #random: () => number;
  readonly #clock: () => number;
  readonly #cache = new DnsCache();
  readonly #searches = new Map<string, Search>();
  /** Questions under way, with the searches that lack the answer. */
  readonly #asked = new Map<string, Set<Search>>();
  #nowMs: number;

  constructor(options: LocatorOptions) {
    this.#dns = options.dns;
    this.#abilities = options.abilities;
    this.#random = options.random;
    this.#clock = options.clock;
    this.#nowMs = options.clock();
  }

  /** Searches are under way: `turn` has something to wait for. */
  get busy(): boolean {
    return this.#searches.size > 0;
  }

  locate(text: string, done: Done, spoken: readonly SipTransport[] | null = null): void {
    this.#nowMs = this.#clock();
    const key = spoken === null ? text : `${spoken} ${text}`;
    const running = this.#searches.get(key);
    if (running !== undefined) {
      running.waiting.push(done);
      return;
    }
    const uri = parseUri(text);
    if (typeof uri === 'string') {
      done(`not a SIP URI: ${text}`);
      return;
    }
    const deadlineMs = this.#nowMs + MAX_SEARCH_MS;
    const abilities = spoken === null ? this.#abilities : { ...this.#abilities, transports: spoken };
    const search: Search = { key, uri, abilities, answers: new Map(), waiting: [done], deadlineMs };
    const located = this.#look(search);
    if ('missing' in located) {
      if (this.#searches.size >= MAX_SEARCHES) {
        done(`the DNS is too slow: ${MAX_SEARCHES} other names are being looked up`);
        return;
      }
      this.#searches.set(key, search);
      this.#ask(search, located.missing);
    } else {
      tell(search, located);
    }
  }

  /** Reads DNS answers, and notifies the searches concerned. */
  turn(nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#searches.size === 0 && this.#asked.size === 0) return;
    const answered = new Set<Search>();
    this.#dns.poll((query, answer, ttlSeconds) => {
      const key = queryKey(query);
      this.#cache.put(query, answer, ttlSeconds, nowMs);
      for (const search of this.#asked.get(key) ?? []) {
        search.answers.set(key, answer);
        answered.add(search);
      }
      this.#asked.delete(key);
    });
    for (const search of answered) this.#goOn(search);
    // The oldest come first.
    for (const search of this.#searches.values()) {
      if (nowMs < search.deadlineMs) break;
      this.#end(search, { failure: `the name servers did not answer within 30 s` });
    }
  }

  close(): void {
    this.#dns.close();
    for (const search of [...this.#searches.values()]) this.#end(search, { failure: 'the engine was closed' });
  }

  #goOn(search: Search): void {
    if (this.#searches.get(search.key) !== search) return;
    const located = this.#look(search);
    if ('missing' in located) this.#ask(search, located.missing);
    else this.#end(search, located);
  }

  #end(search: Search, located: Exclude<Located, { readonly missing: readonly Query[] }>): void {
    if (this.#searches.get(search.key) !== search) return;
    this.#searches.delete(search.key);
    tell(search, located);
  }

  #look({ uri, abilities, answers }: Search): Located {
    const known = <T extends RecordType>(type: T, name: string): DnsAnswer<T> | null => {
      const query = { type, name };
      return (answers.get(queryKey(query)) ?? this.#cache.get(query, this.#nowMs)) as DnsAnswer<T> | null;
    };
    return locate(uri, abilities, known, this.#random);
  }

  #ask(search: Search, queries: readonly Query[]): void {
    for (const query of queries) {
      const key = queryKey(query);
      const lacking = this.#asked.get(key);
      if (lacking !== undefined) {
        lacking.add(search);
        continue;
      }
      this.#asked.set(key, new Set([search]));
      this.#dns.ask(query);
    }
  }
}

function tell({ waiting }: Search, located: Exclude<Located, { readonly missing: readonly Query[] }>): void {
  const result = 'targets' in located ? located.targets : located.failure;
  for (const done of waiting) done(result);
}
