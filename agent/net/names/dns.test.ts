/** node's resolver against a real name server: records, truncation, absence, failures, /etc/hosts. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { NameServer, naptr, srv } from '../../../scripts/peers/network/name-server.ts';
import { until } from '../../../scripts/peers/process.ts';
import { seeded } from '../../../scripts/peers/seeded.ts';
import { Locator } from '../../sip/locate/locator.ts';
import { openDns } from './dns.ts';
import type { DnsAnswer, DnsPort, Query, RecordType } from './dns-port.ts';

type Reply = { answer: DnsAnswer; ttlSeconds: number | null };

const addresses = Array.from({ length: 60 }, (_, i) => `192.0.2.${i + 1}`);
const server = await NameServer.start(
  {
    'NAPTR pbx.example': [naptr(10, 50, 'SIP+D2U', '_sip._udp.pbx.example')],
    'SRV _sip._udp.pbx.example': [srv(1, 2, 5070, 'a.pbx.example')],
    'A a.pbx.example': ['192.0.2.1', '192.0.2.2'],
    'AAAA a.pbx.example': ['2001:db8::1'],
    'A many.example': addresses,
    'A broken.example': 'SERVFAIL',
    'A refused.example': 'REFUSED',
    'A garbage.example': 'GARBAGE',
    'A silent.example': 'SILENT',
  },
  '127.0.0.53',
);
const hostsFile = path.join(t.testdir(), 'hosts');
await writeFile(
  hostsFile,
  '# known here\n192.0.2.77  Listed.example listed # two names\n2001:db8::77 listed.example\nbad line\n',
);
const patience = { timeoutMs: 5000, tries: 2 };

async function ask(dns: DnsPort, type: RecordType, name: string): Promise<Reply> {
  dns.ask({ type, name });
  const replied = (): Reply | null => {
    let reply: Reply | null = null;
    dns.poll((_query: Query, answer, ttlSeconds) => {
      reply = { answer, ttlSeconds };
    });
    return reply;
  };
  return until(`${type} of ${name} is answered`, replied, { everyMs: 1 });
}

t.teardown(() => server.close());

t.test('records of every type, as the locator wants them', async (t) => {
  const dns = openDns({ servers: [server.place], ...patience });
  t.match(await ask(dns, 'NAPTR', 'pbx.example'), {
    answer: {
      failure: null,
      records: [{ order: 10, preference: 50, flags: 's', service: 'SIP+D2U', replacement: '_sip._udp.pbx.example' }],
    },
    ttlSeconds: null,
  });
  t.match(await ask(dns, 'SRV', '_sip._udp.pbx.example'), {
    answer: { records: [{ priority: 1, weight: 2, port: 5070, name: 'a.pbx.example' }], failure: null },
  });
  t.same(await ask(dns, 'A', 'a.pbx.example'), {
    answer: { records: ['192.0.2.1', '192.0.2.2'], failure: null },
    ttlSeconds: 60,
  });
  t.same((await ask(dns, 'AAAA', 'a.pbx.example')).answer.records, ['2001:db8::1']);
  t.same((await ask(dns, 'AAAA', 'many.example')).answer, { records: [], failure: null }, 'no such records');
  t.same((await ask(dns, 'A', 'nowhere.example')).answer, { records: [], failure: null }, 'no such name');
});

t.test('an answer too long for a datagram is fetched over TCP', async (t) => {
  const dns = openDns({ servers: [server.place], ...patience });
  const { answer } = await ask(dns, 'A', 'many.example');
  t.same([...answer.records].sort(), [...addresses].sort());
  t.ok(server.asked.includes('TCP A many.example'));
});

t.test('a server that was quick before may still take the time that was asked for', async (t) => {
  const dns = openDns({ servers: [server.place], ...patience });
  for (let i = 0; i < 20; i++) await ask(dns, 'A', 'a.pbx.example');
  server.delayMs = 1500;
  t.same((await ask(dns, 'A', 'a.pbx.example')).answer, { records: ['192.0.2.1', '192.0.2.2'], failure: null });
  server.delayMs = 0;
});

t.test('failures are told in words', async (t) => {
  const dns = openDns({ servers: [server.place], ...patience });
  const failure = async (name: string, of = dns) => (await ask(of, 'A', name)).answer.failure;
  t.equal(await failure('broken.example'), 'the name server answered SERVFAIL');
  t.equal(await failure('refused.example'), 'the name server answered REFUSED');
  const hasty = openDns({ servers: [server.place], timeoutMs: 300, tries: 2 });
  t.type(await failure('garbage.example', hasty), 'string');
  t.equal(await failure('silent.example', hasty), 'no answer from the name server in time');
  t.equal(server.asked.filter((one) => one === 'UDP A silent.example').length, 2, 'two tries');
  t.type(await failure(`${'x'.repeat(70)}.example`), 'string', 'a label that is too long');
  const nobody = openDns({ servers: ['127.0.0.53:1'], timeoutMs: 5000, tries: 1 });
  t.equal((await ask(nobody, 'A', 'a.pbx.example')).answer.failure, 'no name server could be reached');
  t.throws(() => openDns({ servers: ['pbx.example'], ...patience }), 'a server is an address');
});

t.test('without servers of its own: the hosts file first', async (t) => {
  const dns = openDns({ servers: null, ...patience, hostsFile });
  t.same((await ask(dns, 'A', 'listed.example')).answer.records, ['192.0.2.77']);
  t.same((await ask(dns, 'AAAA', 'listed.example')).answer.records, ['2001:db8::77']);
  t.same((await ask(dns, 'A', 'listed')).answer.records, ['192.0.2.77']);
  t.same((await ask(dns, 'SRV', '_sip._udp.listed')).answer.records.length, 0);
});

/** Of the locator, at least a millisecond each. */
const MAX_TURNS = 30_000;

t.test('the whole way: a URI through the name server to its targets; a closed port tells nothing', async (t) => {
  const dns = openDns({ servers: [server.place], ...patience });
  let nowMs = 0;
  const locator = new Locator({
    dns,
    abilities: { transports: ['UDP', 'TCP'], families: ['IPv4', 'IPv6'] },
    random: seeded(105),
    clock: () => nowMs,
  });
  const found = new Promise((resolve) => locator.locate('sip:9000@pbx.example', resolve));
  for (let turns = 0; locator.busy; turns++) {
    if (turns > MAX_TURNS) throw new Error('the locator does not come to an end');
    nowMs++;
    locator.turn(nowMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const target = (address: string) => ({ transport: 'UDP', address, port: 5070, serverName: 'pbx.example' });
  t.same(await found, [target('192.0.2.1'), target('192.0.2.2'), target('2001:db8::1')]);
  dns.ask({ type: 'A', name: 'silent.example' });
  dns.close();
  // Asked later, over the network: what `close` has to tell of its own query would be here first.
  const other = openDns({ servers: [server.place], ...patience });
  t.equal((await ask(other, 'A', 'a.pbx.example')).answer.failure, null);
  dns.poll(() => t.fail('it was closed'));
});
