/** RFC 3263, section 4, branch by branch, with canned answers; RFC 2782's weights; caches on virtual time. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { DnsAnswer, Naptr, Query, RecordType, Srv } from '../../net/names/dns-port.ts';
import type { SipTarget, SipTransport } from '../engine.ts';
import { parseUri, type SipUri } from '../message/uri.ts';
import { ABSENCE_SECONDS, DEFAULT_TTL_SECONDS, DnsCache, FAILURE_SECONDS } from './dns-cache.ts';
import { type LocatorAbilities, locate } from './locate.ts';
import { Locator, MAX_SEARCHES } from './locator.ts';
import { SetAside } from './set-aside.ts';
import { srvOrder } from './srv-order.ts';

type Zone = Readonly<Record<string, readonly unknown[] | string>>;

const ALL: LocatorAbilities = { transports: ['UDP', 'TCP', 'TLS'], families: ['IPv4'] };
const naptr = (order: number, preference: number, service: string, replacement: string, flags = 's'): Naptr => ({
  order,
  preference,
  flags,
  service,
  replacement,
});
const srv = (priority: number, weight: number, port: number, name: string): Srv => ({ priority, weight, port, name });

/** A zone is `TYPE name` -> records, or a failure; other names do not exist. */
function answerOf(zone: Zone, { type, name }: Query): DnsAnswer {
  const found = zone[`${type} ${name}`];
  if (typeof found === 'string') return { records: [], failure: found };
  return { records: (found ?? []) as DnsAnswer['records'], failure: null };
}

function run(text: string, zone: Zone, abilities = ALL): { result: string[] | string; asked: string[] } {
  const asked = new Map<string, DnsAnswer>();
  for (let round = 0; round < 10; round++) {
    const look = <T extends RecordType>(type: T, name: string) =>
      (asked.get(`${type} ${name}`) ?? null) as DnsAnswer<T> | null;
    const located = locate(parseUri(text) as SipUri, abilities, look, () => 0);
    if ('failure' in located) return { result: located.failure, asked: [...asked.keys()] };
    if ('targets' in located) return { result: located.targets.map(textOf), asked: [...asked.keys()] };
    for (const query of located.missing) asked.set(`${query.type} ${query.name}`, answerOf(zone, query));
  }
  throw new Error(`${text}: it never ends`);
}

const textOf = ({ transport, address, port, serverName }: SipTarget): string =>
  `${transport} ${address} ${port}${serverName === undefined ? '' : ` ${serverName}`}`;

const ADDRESS = { 'A pbx.example': ['192.0.2.10'] };
const SRV_UDP = { 'SRV _sip._udp.pbx.example': [srv(0, 0, 5070, 'u.pbx.example')], 'A u.pbx.example': ['192.0.2.11'] };
const SRV_TCP = { 'SRV _sip._tcp.pbx.example': [srv(0, 0, 5071, 't.pbx.example')], 'A t.pbx.example': ['192.0.2.12'] };
const SRV_TLS = { 'SRV _sips._tcp.pbx.example': [srv(0, 0, 5072, 's.pbx.example')], 'A s.pbx.example': ['192.0.2.13'] };
const EVERYTHING = {
  'NAPTR pbx.example': [
    naptr(10, 20, 'SIP+D2T', '_sip._tcp.pbx.example'),
    naptr(10, 10, 'SIPS+D2T', '_sips._tcp.pbx.example'),
    naptr(20, 1, 'SIP+D2U', '_sip._udp.pbx.example'),
  ],
  ...SRV_UDP,
  ...SRV_TCP,
  ...SRV_TLS,
  ...ADDRESS,
};
const UDP = 'UDP 192.0.2.11 5070 pbx.example';
const TCP = 'TCP 192.0.2.12 5071 pbx.example';
const TLS = 'TLS 192.0.2.13 5072 pbx.example';

const TABLE: readonly [title: string, uri: string, zone: Zone, expected: string[] | string, asked?: number][] = [
  // 4.1 and 4.2: numeric hosts need no DNS.
  ['numeric host', 'sip:bob@192.0.2.1', EVERYTHING, ['UDP 192.0.2.1 5060'], 0],
  ['numeric host and port', 'sip:192.0.2.1:5080', {}, ['UDP 192.0.2.1 5080'], 0],
  ['numeric host, sips', 'sips:192.0.2.1', {}, ['TLS 192.0.2.1 5061'], 0],
  ['numeric host, transport', 'sip:192.0.2.1;transport=tcp', {}, ['TCP 192.0.2.1 5060'], 0],
  ['numeric host, sips over TCP is TLS', 'sips:192.0.2.1:5;transport=TCP', {}, ['TLS 192.0.2.1 5'], 0],
  ['numeric host, transport=tls', 'sip:192.0.2.1;transport=tls', {}, ['TLS 192.0.2.1 5061'], 0],
  ['IPv6 reference', 'sip:[2001:db8::1]:5062', {}, ['UDP 2001:db8::1 5062'], 0],
  ['maddr is the target', 'sip:bob@pbx.example;maddr=192.0.2.9', EVERYTHING, ['UDP 192.0.2.9 5060'], 0],
  ['maddr is a name', 'sip:bob@x.example:5081;maddr=pbx.example', ADDRESS, ['UDP 192.0.2.10 5081 pbx.example'], 1],
  ['maddr is an IPv6 reference', 'sip:b@x.example;maddr=[2001:db8::7]', {}, ['UDP 2001:db8::7 5060'], 0],
  // 4.1: a port, but no transport: no NAPTR, no SRV.
  ['name and port', 'sip:pbx.example:5080', EVERYTHING, ['UDP 192.0.2.10 5080 pbx.example'], 1],
  ['name and port, sips', 'sips:pbx.example:5080', EVERYTHING, ['TLS 192.0.2.10 5080 pbx.example'], 1],
  ['name, port and transport', 'sip:pbx.example:5080;transport=tcp', ADDRESS, ['TCP 192.0.2.10 5080 pbx.example'], 1],
  // 4.2: a transport, but no port: SRV without NAPTR.
  ['transport, SRV', 'sip:pbx.example;transport=tcp', EVERYTHING, [TCP], 2],
  ['transport=udp, SRV', 'sip:pbx.example;transport=udp', EVERYTHING, [UDP], 2],
  ['transport=tls, SRV of sips', 'sip:pbx.example;transport=tls', EVERYTHING, [TLS], 2],
  ['sips, transport=tcp', 'sips:pbx.example;transport=tcp', EVERYTHING, [TLS], 2],
  ['transport, no SRV', 'sip:pbx.example;transport=tcp', ADDRESS, ['TCP 192.0.2.10 5060 pbx.example'], 2],
  ['sips, transport, no SRV', 'sips:pbx.example;transport=tcp', ADDRESS, ['TLS 192.0.2.10 5061 pbx.example'], 2],
  // 4.1: neither: NAPTR.
  ['NAPTR: the first order, by preference', 'sip:pbx.example', EVERYTHING, [TLS, TCP], 5],
  ['NAPTR of sips: only services with SIPS', 'sips:pbx.example', EVERYTHING, [TLS], 3],
  [
    'NAPTR to another domain; the certificate is still the domain asked for',
    'sip:pbx.example',
    {
      'NAPTR pbx.example': [naptr(1, 1, 'sip+d2u', '_sip._udp.Carrier.EXAMPLE.')],
      'SRV _sip._udp.carrier.example': [srv(0, 0, 5090, 'u.pbx.example.')],
      ...SRV_UDP,
    },
    ['UDP 192.0.2.11 5090 pbx.example'],
    3,
  ],
  [
    'NAPTR of services and flags that are not ours: as if there were none',
    'sip:pbx.example',
    {
      'NAPTR pbx.example': [
        naptr(1, 1, 'SIP+D2S', '_sip._sctp.pbx.example'),
        naptr(1, 2, 'E2U+sip', 'x.example', 'u'),
        naptr(1, 3, 'SIP+D2U', 'x.example', 'a'),
      ],
      ...SRV_UDP,
    },
    [UDP],
    5,
  ],
  [
    'NAPTR, and its SRV is missing',
    'sip:pbx.example',
    { 'NAPTR pbx.example': [naptr(1, 1, 'SIP+D2U', '_sip._udp.pbx.example')], ...ADDRESS },
    'no server found for pbx.example: SRV _sip._udp.pbx.example: no records',
  ],
  // 4.1: no NAPTR: SRV for every transport.
  ['no NAPTR: every SRV', 'sip:pbx.example', { ...SRV_UDP, ...SRV_TCP, ...SRV_TLS }, [UDP, TCP, TLS], 7],
  ['no NAPTR: those that exist', 'sip:pbx.example', { ...SRV_TCP, ...ADDRESS }, [TCP], 5],
  ['no NAPTR, sips: _sips._tcp only', 'sips:pbx.example', { ...SRV_UDP, ...SRV_TCP, ...SRV_TLS }, [TLS], 3],
  // 4.2: no SRV: addresses, the transport's port.
  ['no NAPTR, no SRV', 'sip:pbx.example', ADDRESS, ['UDP 192.0.2.10 5060 pbx.example'], 5],
  ['no NAPTR, no SRV, sips', 'sips:pbx.example', ADDRESS, ['TLS 192.0.2.10 5061 pbx.example'], 3],
  ['a name in capitals, with the dot of the root', 'sip:PBX.Example.', ADDRESS, ['UDP 192.0.2.10 5060 pbx.example'], 5],
  [
    'nothing at all: every query is named',
    'sip:pbx.example;transport=tcp',
    {},
    'no server found for pbx.example: SRV _sip._tcp.pbx.example: no records; A pbx.example: no records',
  ],
  // RFC 2782.
  [
    'SRV to the root: the service is not offered, and no address is tried instead',
    'sip:pbx.example;transport=tcp',
    { 'SRV _sip._tcp.pbx.example': [srv(0, 0, 0, '.')], ...ADDRESS },
    'no server found for pbx.example: SRV _sip._tcp.pbx.example: the service is explicitly not available there',
  ],
  [
    'SRV by priority; a server without addresses is left out',
    'sip:pbx.example;transport=udp',
    {
      'SRV _sip._udp.pbx.example': [
        srv(30, 0, 3, 'c.example'),
        srv(10, 0, 1, 'a.example'),
        srv(20, 0, 2, 'gone.example'),
      ],
      'A a.example': ['192.0.2.21', '192.0.2.22'],
      'A c.example': ['192.0.2.23'],
    },
    ['UDP 192.0.2.21 1 pbx.example', 'UDP 192.0.2.22 1 pbx.example', 'UDP 192.0.2.23 3 pbx.example'],
    4,
  ],
  // A failure differs from a name that does not exist.
  [
    'NAPTR fails: the servers are the same',
    'sip:pbx.example',
    { 'NAPTR pbx.example': 'SERVFAIL', ...SRV_UDP },
    [UDP],
    5,
  ],
  [
    'NAPTR fails, and there is nothing else: every query is named',
    'sips:pbx.example',
    { 'NAPTR pbx.example': 'SERVFAIL' },
    'no server found for pbx.example: NAPTR pbx.example: SERVFAIL; SRV _sips._tcp.pbx.example: no records; A pbx.example: no records',
  ],
  [
    'SRV fails: nobody knows what it would have said',
    'sip:pbx.example;transport=udp',
    { 'SRV _sip._udp.pbx.example': 'no answer', ...ADDRESS },
    'no server found for pbx.example: SRV _sip._udp.pbx.example: no answer',
    1,
  ],
  [
    'SRV of one transport fails, another exists',
    'sip:pbx.example',
    { 'SRV _sip._udp.pbx.example': 'SERVFAIL', ...SRV_TCP, ...ADDRESS },
    [TCP],
    5,
  ],
  [
    'the addresses of one server fail, another is there',
    'sip:pbx.example;transport=udp',
    {
      'SRV _sip._udp.pbx.example': [srv(1, 0, 1, 'a.example'), srv(2, 0, 2, 'u.pbx.example')],
      'A a.example': 'SERVFAIL',
      'A u.pbx.example': ['192.0.2.11'],
    },
    ['UDP 192.0.2.11 2 pbx.example'],
    3,
  ],
  // Impossible values.
  ['tel', 'tel:+4930123456', {}, 'tel:+4930123456 names no host: give an outbound proxy', 0],
  ['sips over UDP', 'sips:pbx.example;transport=udp', EVERYTHING, 'a sips URI cannot use UDP', 0],
  [
    'a transport that nobody speaks',
    'sip:pbx.example;transport=sctp',
    EVERYTHING,
    'transport=sctp is requested, but this engine supports UDP, TCP, TLS',
    0,
  ],
];

t.test('RFC 3263, 4: from a URI to targets', async (t) => {
  for (const [title, uri, zone, expected, asked] of TABLE) {
    const found = run(uri, zone);
    t.same(found.result, expected, title);
    if (asked !== undefined)
      t.equal(found.asked.length, asked, `${title}: ${asked} queries, ${found.asked.join(', ')}`);
  }
});

t.test('two address families: every address of a server before the next server (RFC 7984, 4)', async (t) => {
  const zone = {
    'SRV _sip._udp.pbx.example': [srv(1, 0, 1, 'a.example'), srv(2, 0, 2, 'b.example')],
    'A a.example': ['192.0.2.1'],
    'AAAA a.example': ['2001:db8::1'],
    'A b.example': 'SERVFAIL',
    'AAAA b.example': ['2001:db8::2'],
  };
  const both: LocatorAbilities = { transports: ['UDP'], families: ['IPv6', 'IPv4'] };
  t.same(run('sip:pbx.example;transport=udp', zone, both).result, [
    'UDP 2001:db8::1 1 pbx.example',
    'UDP 192.0.2.1 1 pbx.example',
    'UDP 2001:db8::2 2 pbx.example',
  ]);
  const six: LocatorAbilities = { transports: ['UDP'], families: ['IPv6'] };
  t.same(run('sip:a.example:7', zone, six).result, ['UDP 2001:db8::1 7 a.example'], 'A is not asked for');
});

t.test('an engine that speaks only WebSocket (RFC 7118, 5)', async (t) => {
  const abilities: LocatorAbilities = { transports: ['WS', 'WSS'], families: ['IPv4'] };
  const zone = {
    'NAPTR pbx.example': [naptr(1, 1, 'SIPS+D2W', '_sips._ws.pbx.example')],
    'SRV _sips._ws.pbx.example': [srv(0, 0, 8443, 'u.pbx.example')],
    'A u.pbx.example': ['192.0.2.11'],
    ...ADDRESS,
  };
  t.same(run('sip:pbx.example', zone, abilities).result, ['WSS 192.0.2.11 8443 pbx.example']);
  t.same(run('sips:pbx.example:9', zone, abilities).result, ['WSS 192.0.2.10 9 pbx.example']);
  t.same(run('sip:192.0.2.1;transport=ws', {}, abilities).result, ['WS 192.0.2.1 80']);
  t.equal(
    run('sips:x.example', {}, { ...abilities, transports: ['UDP'] }).result,
    'a sips URI needs TLS, this engine supports UDP',
  );
});

t.test('WebSockets only where a URI names them; the domain says where', async (t) => {
  const abilities: LocatorAbilities = { transports: ['UDP'], byName: ['WS', 'WSS'], families: ['IPv4'] };
  const zone: Zone = {
    'NAPTR pbx.example': [naptr(1, 1, 'SIPS+D2W', '_web.pbx.example'), naptr(1, 2, 'SIP+D2U', '_sip._udp.pbx.example')],
    'SRV _web.pbx.example': [srv(0, 0, 8443, 'a.pbx.example')],
    'SRV _sip._udp.pbx.example': [srv(0, 0, 5062, 'a.pbx.example')],
    'A a.pbx.example': ['192.0.2.11'],
  };
  t.same(run('sip:pbx.example', zone, abilities).result, ['UDP 192.0.2.11 5062 pbx.example']);
  t.same(run('sip:pbx.example;transport=wss', zone, abilities).result, ['WSS 192.0.2.11 8443 pbx.example']);
  t.same(run('sip:192.0.2.1;transport=ws', {}, abilities).result, ['WS 192.0.2.1 80']);
});

const transports = fc.subarray<SipTransport>(['UDP', 'TCP', 'TLS', 'WS', 'WSS'], { minLength: 1 });
const failureOr = (records: fc.Arbitrary<unknown[]>) => fc.oneof(records, fc.constant('SERVFAIL'));

t.test('whatever the DNS says: it ends, in targets we can speak to or in a sentence', async () => {
  const name = fc.constantFrom('pbx.example', 'a.example', 'b.example', '.', '_sip._udp.pbx.example');
  const zones = fc.record({
    naptr: failureOr(
      fc.array(
        fc
          .tuple(fc.nat(3), fc.nat(3), fc.constantFrom('SIP+D2U', 'SIP+D2T', 'SIPS+D2T', 'x'), name)
          .map(([order, preference, service, replacement]) => naptr(order, preference, service, replacement)),
        { maxLength: 4 },
      ),
    ),
    srv: failureOr(
      fc.array(
        fc.tuple(fc.nat(2), fc.nat(5), fc.nat(65_535), name).map((parts) => srv(...parts)),
        { maxLength: 4 },
      ),
    ),
    a: failureOr(fc.array(fc.ipV4(), { maxLength: 3 })),
  });
  const uris = fc.constantFrom(
    'sip:pbx.example',
    'sips:pbx.example',
    'sip:b.example:99',
    'sip:pbx.example;transport=tcp',
  );
  fc.assert(
    fc.property(uris, zones, transports, (uri, { naptr, srv, a }, spoken) => {
      const zone = new Proxy({} as Record<string, readonly unknown[] | string>, {
        get: (_target, key) => (String(key).startsWith('NAPTR') ? naptr : String(key).startsWith('SRV') ? srv : a),
      });
      const { result } = run(uri, zone, { transports: spoken, families: ['IPv4', 'IPv6'] });
      if (typeof result === 'string') return result.length > 10;
      return result.length > 0 && result.every((target) => spoken.some((one) => target.startsWith(`${one} `)));
    }),
  );
});

t.test('weights (RFC 2782): a permutation by priority, and the shares that the weights say', async (t) => {
  const record = fc.tuple(fc.nat(4), fc.nat(100)).map(([priority, weight]) => ({ priority, weight }));
  const draws = fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true }));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), draws, (parts, stream) => {
      const records = parts.map(({ priority, weight }, i) => srv(priority, weight, i, `h${i}.example`));
      const ordered = srvOrder(records, () => stream.next().value as number);
      const same = new Set(ordered).size === records.length && ordered.length === records.length;
      return same && ordered.every((one, i) => i === 0 || (ordered[i - 1] as Srv).priority <= one.priority);
    }),
  );
  const records = [srv(1, 60, 0, 'a'), srv(1, 30, 1, 'b'), srv(1, 10, 2, 'c'), srv(0, 0, 3, 'first')];
  const firsts = [0, 0, 0];
  const draws1 = 10_000;
  for (let i = 0; i < draws1; i++) {
    // Every draw of an even grid once: exact shares, no chance.
    const order = srvOrder(records, () => (i + 0.5) / draws1);
    if (order[0]?.name !== 'first') t.fail('the lower priority comes first');
    const second = order[1] as Srv;
    firsts[second.port] = (firsts[second.port] as number) + 1;
  }
  for (const [i, share] of [0.6, 0.3, 0.1].entries())
    t.ok(Math.abs((firsts[i] as number) / draws1 - share) < 0.011, `${firsts[i]} of ${draws1} are near ${share}`);
  const zero = [srv(0, 0, 0, 'zero'), srv(0, 99, 1, 'much')];
  const zeros = Array.from({ length: 1000 }, (_, i) => srvOrder(zero, () => i / 1000)[0] as Srv);
  t.equal(zeros.filter(({ name }) => name === 'zero').length, 10, 'weight 0: one draw of a hundred');
});

/** A DNS whose answers arrive when the test says so. */
class CannedDns {
  readonly asked: string[] = [];
  zone: Zone;
  ttlSeconds: number | null;
  silent = false;
  maxAtOnce = Number.POSITIVE_INFINITY;
  #waiting: Query[] = [];
  constructor(zone: Zone, ttlSeconds: number | null) {
    this.zone = zone;
    this.ttlSeconds = ttlSeconds;
  }
  ask(query: Query): void {
    this.asked.push(`${query.type} ${query.name}`);
    this.#waiting.push(query);
  }
  poll(take: (query: Query, answer: DnsAnswer, ttlSeconds: number | null) => void): void {
    if (this.silent) return;
    for (const query of this.#waiting.splice(0, this.maxAtOnce))
      take(query, answerOf(this.zone, query), this.ttlSeconds);
  }
  close(): void {
    this.#waiting = [];
  }
}

function bench(zone: Zone, ttlSeconds: number | null, abilities = ALL) {
  const dns = new CannedDns(zone, ttlSeconds);
  const time = { nowMs: 1000 };
  const locator = new Locator({ dns, abilities, random: () => 0, clock: () => time.nowMs });
  const results: string[] = [];
  const find = (uri: string): void =>
    locator.locate(uri, (found) => results.push(typeof found === 'string' ? found : found.map(textOf).join()));
  const turns = (count: number): void => {
    for (let i = 0; i < count; i++) {
      time.nowMs++;
      locator.turn(time.nowMs);
    }
  };
  return { dns, time, locator, results, find, turns };
}

t.test('the locator: one search for many who ask, at once where it knows, again when the TTL is over', async (t) => {
  const { dns, time, locator, results, find, turns } = bench({ ...SRV_UDP }, 5);
  find('sip:pbx.example;transport=udp');
  find('sip:pbx.example;transport=udp');
  t.same(results, [], 'nothing is known yet');
  t.equal(locator.busy, true);
  turns(2);
  t.same(results, [UDP, UDP]);
  t.equal(locator.busy, false);
  t.same(dns.asked, ['SRV _sip._udp.pbx.example', 'A u.pbx.example']);
  time.nowMs += 4990;
  find('sip:pbx.example;transport=udp');
  t.equal(results.length, 3, 'told at once');
  t.equal(dns.asked.length, 2);
  time.nowMs += 20;
  dns.zone = { ...SRV_UDP, 'A u.pbx.example': ['192.0.2.99'] };
  find('sip:pbx.example;transport=udp');
  t.equal(results.length, 3, 'the TTL is over');
  turns(2);
  t.equal(results[3], 'UDP 192.0.2.99 5070 pbx.example', 'the new address');
});

t.test('an answer concerns only the searches that lack it, and their number is limited', async (t) => {
  let looks = 0;
  const abilities: LocatorAbilities = {
    ...ALL,
    get transports() {
      looks++;
      return ALL.transports;
    },
  };
  const { dns, results, find, turns, locator } = bench({}, 5, abilities);
  dns.maxAtOnce = 1;
  for (let i = 0; i < 200; i++) find(`sip:h${i}.example:5060`);
  const before = looks;
  turns(201);
  t.equal(results.length, 200);
  t.equal(looks - before, before, 'each is looked at once more');
  for (let i = 0; i <= MAX_SEARCHES; i++) find(`sip:x${i}.example:5060`);
  t.match(results.slice(200), [/the DNS is too slow: 10000 other names/]);
  t.equal(results.length, 201);
  locator.close();
});

t.test('a TTL of 0 holds for the search that asked', async (t) => {
  const { dns, results, find, turns } = bench({ ...SRV_UDP }, 0);
  find('sip:pbx.example;transport=udp');
  turns(3);
  t.same(results, [UDP]);
  find('sip:pbx.example;transport=udp');
  turns(3);
  t.equal(results.length, 2);
  t.equal(dns.asked.length, 4, 'every search asks again');
});

t.test('a resolver that dies: known names live out their TTL, others fail by name, and it recovers', async (t) => {
  const { dns, time, results, find, turns } = bench({ ...SRV_UDP }, 10);
  find('sip:pbx.example;transport=udp');
  turns(2);
  dns.zone = new Proxy({}, { get: () => 'no answer from the name server in time' });
  find('sip:pbx.example;transport=udp');
  t.equal(results[1], UDP, 'still known');
  find('sip:other.example:5060');
  turns(1);
  t.equal(results[2], 'no server found for other.example: A other.example: no answer from the name server in time');
  time.nowMs += 10_000;
  find('sip:pbx.example;transport=udp');
  turns(2);
  t.match(results[3], /SRV _sip\._udp\.pbx\.example: no answer/);
  const asked = dns.asked.length;
  find('sip:pbx.example;transport=udp');
  t.equal(results.length, 5, 'a failure is known, too');
  t.equal(dns.asked.length, asked, 'for a short time nobody is asked');
  dns.zone = SRV_UDP;
  time.nowMs += FAILURE_SECONDS * 1000;
  find('sip:pbx.example;transport=udp');
  turns(2);
  t.equal(results[5], UDP);
});

t.test('a resolver that never answers does not hold a search for ever', async (t) => {
  const { dns, time, locator, results, find, turns } = bench({}, 10);
  dns.silent = true;
  find('sip:pbx.example');
  turns(5);
  time.nowMs += 30_000;
  turns(1);
  t.match(results[0], /did not answer within 30 s/);
  t.equal(locator.busy, false);
  find('nonsense');
  t.equal(results[1], 'not a SIP URI: nonsense');
  find('sip:pbx.example');
  locator.close();
  t.equal(results[2], 'the engine was closed');
});

t.test('the cache: absence, failure and default TTLs hold for so long; it does not grow without end', async (t) => {
  const cache = new DnsCache();
  const none: DnsAnswer = { records: [], failure: null };
  const query = (name: string): Query => ({ type: 'A', name });
  const holds = (answer: DnsAnswer, ttl: number | null, seconds: number): boolean => {
    cache.put(query('x'), answer, ttl, 0);
    return cache.get(query('x'), seconds * 1000 - 1) === answer && cache.get(query('x'), seconds * 1000) === null;
  };
  t.ok(holds(none, null, ABSENCE_SECONDS));
  t.ok(holds({ records: [], failure: 'SERVFAIL' }, null, FAILURE_SECONDS));
  t.ok(holds({ records: ['192.0.2.1'], failure: null }, null, DEFAULT_TTL_SECONDS));
  t.ok(holds({ records: ['192.0.2.1'], failure: null }, 7, 7));
  for (let i = 0; i < 12_000; i++) cache.put(query(`n${i}`), none, null, 0);
  t.equal(cache.size, 10_000);
  t.equal(cache.get(query('n0'), 0), null, 'the oldest went');
  t.equal(cache.get(query('n11999'), 0), none);
});

t.test('targets that asked to be left alone come last, for as long as they asked', async (t) => {
  const aside = new SetAside();
  const [a, b, c] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(
    (address): SipTarget => ({ transport: 'UDP', address, port: 5060 }),
  ) as [SipTarget, SipTarget, SipTarget];
  const all = [a, b, c];
  t.equal(aside.order(all, 0), all, 'nothing is set aside, nothing is copied');
  aside.put(a, 10, 0);
  t.same(aside.order(all, 9999), [b, c, a]);
  t.same(aside.order([{ ...a, transport: 'TCP' }, b], 0), [{ ...a, transport: 'TCP' }, b], 'another transport');
  t.equal(aside.order(all, 10_000), all);
  for (const one of all) aside.put(one, 10, 20_000);
  t.same(aside.order(all, 20_000), all, 'all of them: the request goes out all the same');
  for (let i = 0; i < 3000; i++) aside.put({ ...a, port: i }, 10, 40_000);
  t.same(aside.order([{ ...a, port: 5 }, b], 40_000), [b, { ...a, port: 5 }]);
});
