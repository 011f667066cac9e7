/** DNS answers within their time to live, with time as an argument (RFC 1035, 3.2.1; RFC 2308). */
import type { DnsAnswer, Query } from '../../net/names/dns-port.ts';

/** For NAPTR and SRV records, and names in /etc/hosts: the resolver does not report it. */
export const DEFAULT_TTL_SECONDS = 60;
/** For missing records: the SOA's minimum is not reported either. */
export const ABSENCE_SECONDS = 30;
/** A failing resolver is asked again after this time, not for every call (RFC 2308, 7: up to five minutes). */
export const FAILURE_SECONDS = 2;
/** A week, the most that a resolver should believe (RFC 8767, 4). */
const MAX_SECONDS = 604_800;
/** Names may come from peers (Contact, Record-Route): they must not fill the memory. */
const MAX_ANSWERS = 10_000;

type CachedAnswer = { readonly answer: DnsAnswer; readonly untilMs: number };

export class DnsCache {
  readonly #answers = new Map<string, CachedAnswer>();

  get(query: Query, nowMs: number): DnsAnswer | null {
    const kept = this.#answers.get(queryKey(query));
    return kept === undefined || kept.untilMs <= nowMs ? null : kept.answer;
  }

  put(query: Query, answer: DnsAnswer, ttlSeconds: number | null, nowMs: number): void {
    const key = queryKey(query);
    this.#answers.delete(key);
    this.#answers.set(key, { answer, untilMs: nowMs + secondsOf(answer, ttlSeconds) * 1000 });
    if (this.#answers.size <= MAX_ANSWERS) return;
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest);
      break;
    }
  }

  get size(): number {
    return this.#answers.size;
  }
}

function secondsOf({ records, failure }: DnsAnswer, ttlSeconds: number | null): number {
  if (failure !== null) return FAILURE_SECONDS;
  if (ttlSeconds !== null) return Math.min(ttlSeconds, MAX_SECONDS);
  return records.length > 0 ? DEFAULT_TTL_SECONDS : ABSENCE_SECONDS;
}

export const queryKey = ({ type, name }: Query): string => `${type} ${name}`;
