/** DNS through node's resolver (c-ares): it asks the configured servers or, after /etc/hosts, the system's. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readRegularSync } from '@carillon/proto/base/files.ts';
import type { DnsAnswer, DnsPort, Query } from './dns-port.ts';

export type DnsOptions = {
  /** For example `192.0.2.53`, `192.0.2.53:5353` or `[2001:db8::53]:5353`; null: those of /etc/resolv.conf, after /etc/hosts. */
  readonly servers: readonly string[] | null;
  /** The time that a server may take at the first attempt; c-ares doubles it with every attempt. */
  readonly timeoutMs: number;
  readonly tries: number;
  /** Tests set their own file. */
  readonly hostsFile?: string;
};

/** A query is not started with less time than this. */
const MIN_MS = 100;

type Reply = { readonly query: Query; readonly answer: DnsAnswer; readonly ttlSeconds: number | null };

/** Answers of a name server without records: not a failure. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

const FAILURES: Readonly<Record<string, string>> = {
  ETIMEOUT: 'no answer from the name server in time',
  ESERVFAIL: 'the name server answered SERVFAIL',
  EREFUSED: 'the name server answered REFUSED',
  ENOTIMP: 'the name server answered NOTIMP',
  EFORMERR: 'the name server answered FORMERR',
  EBADRESP: 'the name server sent an invalid answer',
  EBADNAME: 'not a valid DNS name',
  ECONNREFUSED: 'no name server could be reached',
  ECANCELLED: 'the resolver was closed',
};

/** Throws if a server is not an address. */
export function openDns(options: DnsOptions): DnsPort {
  const { servers, timeoutMs, tries } = options;
  const resolver = new Resolver({ timeout: timeoutMs, tries, maxTimeout: timeoutMs * 2 ** (tries - 1) });
  if (servers !== null) resolver.setServers(servers);
  const hosts = servers === null ? readHosts(options.hostsFile ?? '/etc/hosts') : new Map<string, readonly string[]>();
  const replies: Reply[] = [];
  const fresh = new Set<Resolver>();
  const patienceMs = timeoutMs * (2 ** tries - 1);
  let closed = false;

  /**
   * `c-ares` shortens its timeout to a multiple of recent response times, and gives up after a second if earlier answers
   * were quick. A resolver without such a history waits the requested time.
   */
  async function resolvePatiently(query: Query): Promise<Omit<Reply, 'query'>> {
    const startedMs = performance.now();
    try {
      return await resolve(resolver, query);
    } catch (error) {
      const leftMs = Math.floor(patienceMs - (performance.now() - startedMs));
      if ((error as NodeJS.ErrnoException).code !== 'ETIMEOUT' || leftMs < MIN_MS || closed) throw error;
      const another = new Resolver({ timeout: leftMs, tries: 1, maxTimeout: leftMs });
      if (servers !== null) another.setServers(servers);
      fresh.add(another);
      try {
        return await resolve(another, query);
      } finally {
        fresh.delete(another);
      }
    }
  }

  const reply = (query: Query, answer: DnsAnswer, ttlSeconds: number | null): void => {
    if (!closed) replies.push({ query, answer, ttlSeconds });
  };

  return {
    ask(query) {
      // A host in the hosts file has no DNS services either (`_sip._udp.name`), so hosts without a name server can
      // call.
      const listed = hosts.get(query.name.replace(/^(?:_[^.]+\.)+/, ''));
      if (listed !== undefined) {
        const version = query.type === 'A' ? 4 : query.type === 'AAAA' ? 6 : -1;
        const records = listed.filter((address) => isIP(address) === version);
        reply(query, { records, failure: null } as DnsAnswer, null);
        return;
      }
      resolvePatiently(query).then(
        ({ answer, ttlSeconds }) => reply(query, answer, ttlSeconds),
        (error: NodeJS.ErrnoException) => reply(query, answerOf(error), null),
      );
    },
    poll(take) {
      for (let i = 0; i < replies.length; i++) {
        const { query, answer, ttlSeconds } = replies[i] as Reply;
        take(query, answer, ttlSeconds);
      }
      replies.length = 0;
    },
    close() {
      closed = true;
      replies.length = 0;
      for (const one of [resolver, ...fresh]) one.cancel();
    },
  };
}

/** Node reports the time to live only for addresses. */
async function resolve(resolver: Resolver, { type, name }: Query): Promise<Omit<Reply, 'query'>> {
  switch (type) {
    case 'NAPTR':
      return { answer: { records: await resolver.resolveNaptr(name), failure: null }, ttlSeconds: null };
    case 'SRV':
      return { answer: { records: await resolver.resolveSrv(name), failure: null }, ttlSeconds: null };
    case 'A':
      return addresses(await resolver.resolve4(name, { ttl: true }));
    case 'AAAA':
      return addresses(await resolver.resolve6(name, { ttl: true }));
  }
}

const addresses = (found: readonly { readonly address: string; readonly ttl: number }[]): Omit<Reply, 'query'> => ({
  answer: { records: found.map(({ address }) => address), failure: null },
  ttlSeconds: found.reduce((least, { ttl }) => Math.min(least, ttl), Number.MAX_SAFE_INTEGER),
});

function answerOf({ code, message }: NodeJS.ErrnoException): DnsAnswer {
  if (code !== undefined && ABSENT.has(code)) return { records: [], failure: null };
  return { records: [], failure: FAILURES[code ?? ''] ?? code ?? message };
}

/** The names of the hosts file (hosts(5)) and their addresses; empty without a file. */
function readHosts(file: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of textOf(file).split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}

/** Lists of blocked names have some megabytes. */
const MAX_HOSTS_BYTES = 64 * 1024 * 1024;

function textOf(file: string): string {
  try {
    return readRegularSync(file, MAX_HOSTS_BYTES);
  } catch {
    return '';
  }
}
