import { SocketAddress } from 'node:net';
import { endianness } from 'node:os';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import fc from '../../../scripts/test-run/properties.ts';
import { nowMs } from '../../clock.ts';
import { hasReceived } from '../../testing/kernel-queues.ts';
import { C, pin } from '../libc.ts';
import { parseUdpDrops, procAddress, UdpDrops } from '../udp-drops.ts';
import type { DatagramPort } from './datagram-port.ts';
import { openDatagramPort, provenLibc } from './open-datagram-port.ts';
import { familyOf, packSocketAddress, SOCKET_ADDRESS_BYTES, unpackSocketAddress } from './socket-address.ts';

type Datagram = { text: string; atMs: number; address: string; port: number };
type SendError = { text: string; address: string; port: number; reason: string };
type Opened = { port: DatagramPort; got: Datagram[]; errors: SendError[] };

async function open(
  adapter: 'ffi' | 'dgram',
  address: string,
  more: { port?: number; receiveBufferBytes?: number } = {},
): Promise<Opened> {
  const got: Datagram[] = [];
  const errors: SendError[] = [];
  const port = await openDatagramPort(
    {
      address,
      port: 0,
      ...more,
      onDatagram: (text, atMs, fromAddress, fromPort) => got.push({ text, atMs, address: fromAddress, port: fromPort }),
      onSendError: (text, toAddress, toPort, reason) => errors.push({ text, address: toAddress, port: toPort, reason }),
    },
    adapter,
  );
  return { port, got, errors };
}

/** With turns of the ports. */
const until = (condition: () => boolean, ...ports: DatagramPort[]): Promise<boolean> => {
  const turn = (): void => {
    for (const port of ports) {
      port.flush();
      port.poll();
    }
  };
  return holds(condition, { everyMs: 1, turn });
};

const ffiOrReason = provenLibc();
const adapters: ('ffi' | 'dgram')[] = typeof ffiOrReason === 'string' ? ['dgram'] : ['ffi', 'dgram'];

t.test('socket addresses', (t) => {
  const block = pin(SOCKET_ADDRESS_BYTES);
  const packed = (address: string, port: number): { address: string; port: number; length: number } => {
    const length = packSocketAddress(block, 0, address, port);
    return { length, ...unpackSocketAddress(block, 0) };
  };
  t.test('IPv4 and IPv6 come back in the form that node uses', (t) => {
    const port = fc.integer({ min: 0, max: 65_535 });
    fc.assert(
      fc.property(
        fc.ipV4(),
        port,
        (address, port) => packed(address, port).address === address && packed(address, port).port === port,
      ),
    );
    fc.assert(
      fc.property(fc.ipV6(), port, (address, port) => {
        const canonical = new SocketAddress({ address, port, family: 'ipv6' }).address;
        const result = packed(address, port);
        // inet_ntop writes ::a.b.c.d for the long deprecated IPv4-compatible addresses; RFC 5952 does not.
        const same = result.address === canonical || canonical.includes('.');
        const again = packed(result.address, port);
        return same && result.port === port && again.address === result.address;
      }),
    );
    t.pass('for all addresses tried');
    t.end();
  });
  t.same(packed('192.0.2.1', 5060), { address: '192.0.2.1', port: 5060, length: 16 });
  t.same([...block.bytes.subarray(0, 8)], [C.AF_INET, 0, 0x13, 0xc4, 192, 0, 2, 1], 'struct sockaddr_in');
  t.same(packed('2001:DB8:0:0:1:0:0:1', 1), { address: '2001:db8::1:0:0:1', port: 1, length: 28 });
  t.same(packed('::ffff:192.0.2.10', 1).address, '::ffff:192.0.2.10');
  t.same(packed('::', 1).address, '::');
  t.same(packed('fe80::1%1', 1).address.split('%')[0], 'fe80::1');
  for (const bad of ['', 'localhost', '1.2.3', '1.2.3.4:5', '[::1]', ':::']) {
    t.equal(familyOf(bad), 0, bad);
    t.equal(packSocketAddress(block, 0, bad, 1), 0, bad);
  }
  t.end();
});

t.test('the self-test passes on Linux and its reason is readable elsewhere', async (t) => {
  if (process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64'))
    t.type(ffiOrReason, 'object');
  else t.match(ffiOrReason, /needs 64-bit Linux|cannot be loaded|self-test/);
  const auto = await openDatagramPort({ address: '127.0.0.1', port: 0, onDatagram: () => undefined }, 'auto');
  t.equal(auto.adapter, adapters[0]);
  t.equal(auto.fallbackReason, typeof ffiOrReason === 'string' ? ffiOrReason : null);
  auto.close();
});

for (const adapter of adapters) {
  for (const address of ['127.0.0.1', '::1']) {
    t.test(`${adapter} on ${address}`, async (t) => {
      const a = await open(adapter, address);
      const b = await open(adapter, address);
      t.teardown(() => [a.port.close(), b.port.close()]);
      t.equal(a.port.address, address);
      t.not(a.port.port, 0);
      t.equal(a.port.adapter, adapter);
      t.equal(a.port.stamps, adapter === 'ffi' ? 'kernel' : 'user');

      const sizes = ['', 'x', 'caf\xe9 \0\xff', 'y'.repeat(1400), 'z'.repeat(65_507)];
      const beforeMs = nowMs();
      for (const text of sizes) t.ok(a.port.send(text, address, b.port.port), `${text.length} bytes are queued`);
      t.ok(await until(() => b.got.length === sizes.length, a.port, b.port), 'all arrive');
      t.same(
        b.got.map((one) => one.text),
        sizes,
        'every byte as it was sent, in order',
      );
      t.ok(
        b.got.every((one) => one.address === address && one.port === a.port.port),
        'with the source',
      );
      const times = b.got.map((one) => one.atMs);
      t.ok(
        times.every((atMs, i) => atMs >= (times[i - 1] ?? beforeMs - 5) && atMs <= nowMs()),
        'and receive times that rise',
      );
      t.notOk(a.port.send('x'.repeat(65_508), address, b.port.port), 'nothing longer is queued');
      t.notOk(a.port.send('x', 'localhost', b.port.port), 'nor anything to a name');

      b.got.length = 0;
      const many = Array.from({ length: 500 }, (_, i) => `message ${i}`);
      for (const text of many) a.port.send(text, address, b.port.port);
      t.ok(await until(() => b.got.length === many.length, a.port, b.port), 'more than fill a batch');
      t.same(
        b.got.map((one) => one.text),
        many,
      );

      a.port.send('to b', address, b.port.port);
      a.port.send('to a', address, a.port.port);
      b.port.send('from b', address, a.port.port);
      t.ok(await until(() => a.got.length === 2 && b.got.length === 501, a.port, b.port), 'several destinations');
      t.same(a.got.map((one) => `${one.text} ${one.port}`).sort(), [`from b ${b.port.port}`, `to a ${a.port.port}`]);
      t.same(a.port.counters, { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 });
      a.port.close();
      a.port.close();
      t.notOk(a.port.send('x', address, b.port.port), 'a closed port sends nothing');
      t.equal(a.port.poll(), 0);
    });
  }

  t.test(`${adapter}: what cannot be sent`, async (t) => {
    const { port, errors } = await open(adapter, '127.0.0.1');
    t.teardown(() => port.close());
    port.send('first', '127.0.0.1', port.port);
    port.send('lost', '255.255.255.255', 5060);
    port.send('last', '127.0.0.1', port.port);
    t.ok(await until(() => errors.length === 1, port), 'is told');
    t.match(errors[0], { text: 'lost', address: '255.255.255.255', port: 5060, reason: /EACCES/ });
    t.equal(port.counters.sendErrors, 1);
  });

  for (const address of ['127.0.0.1', '::1']) {
    t.test(`${adapter} on ${address}: nobody listens there`, async (t) => {
      const { port, got, errors } = await open(adapter, address);
      const unused = await open(adapter, address);
      t.teardown(() => port.close());
      unused.port.close();
      const heads: string[] = [];
      for (let i = 0; i < 20; i++) {
        heads.push(`OPTIONS ${i} `.padEnd(400, 'x'));
        port.send(`${heads[i]}${'y'.repeat(1000)}`, address, unused.port.port);
        port.send(`between ${i}`, address, port.port);
        port.flush();
      }
      t.ok(await until(() => got.length === 20 && (adapter === 'dgram' || errors.length === 20), port), 'none is lost');
      t.equal(port.counters.sendErrors, 0);
      if (adapter === 'dgram') {
        t.same(errors, [], 'node:dgram does not report the errors of unconnected sockets');
        return;
      }
      t.equal(port.counters.unreachable, 20);
      for (const [i, { text, reason, ...peer }] of errors.entries()) {
        t.ok(text.startsWith(heads[i] as string), 'enough of the datagram to know it again');
        t.same(peer, { address, port: unused.port.port });
        t.equal(reason, `ICMP: port ${unused.port.port} of ${address} is closed`);
      }
    });
  }

  t.test(`${adapter}: an address that is not available`, async (t) => {
    const { port } = await open(adapter, '127.0.0.1');
    t.teardown(() => port.close());
    await t.rejects(open(adapter, '127.0.0.1', { port: port.port }), {
      message: /cannot listen on 127\.0\.0\.1 port \d+: .*EADDRINUSE/,
    });
    await t.rejects(open(adapter, '203.0.113.1'), { message: /203\.0\.113\.1 .*EADDRNOTAVAIL/ });
    await t.rejects(open(adapter, 'localhost'), { message: /give a numeric IPv4 or IPv6 address/ });
  });
}

if (adapters[0] === 'ffi') {
  t.test('ffi: kernel drops are counted, in the receive queue of a slow reader', async (t) => {
    const sender = await open('ffi', '127.0.0.1');
    const slow = await open('ffi', '127.0.0.1', { receiveBufferBytes: 4096 });
    t.teardown(() => [sender.port.close(), slow.port.close()]);
    for (let i = 0; i < 400; i++) sender.port.send('x'.repeat(500), '127.0.0.1', slow.port.port);
    sender.port.flush();
    slow.port.poll();
    sender.port.send('one more carries the count', '127.0.0.1', slow.port.port);
    await until(() => slow.got.at(-1)?.text === 'one more carries the count', sender.port, slow.port);
    t.ok(slow.port.counters.receiveDrops > 0, `${slow.port.counters.receiveDrops} dropped`);
    t.equal(slow.port.counters.receiveDrops + slow.got.length, 401, 'none is missing from the books');
  });

  t.test('dgram: kernel drops are looked up', async (t) => {
    const sender = await open('ffi', '127.0.0.1');
    const slow = await open('dgram', '127.0.0.1', { receiveBufferBytes: 4096 });
    t.teardown(() => [sender.port.close(), slow.port.close()]);
    for (let i = 0; i < 400; i++) sender.port.send('x'.repeat(500), '127.0.0.1', slow.port.port);
    sender.port.flush();
    const { counters } = slow.port;
    await until(() => counters.receiveDrops > 0 && counters.receiveDrops + slow.got.length === 400, slow.port);
    t.ok(counters.receiveDrops > 0, `${counters.receiveDrops} dropped`);
  });

  t.test('ffi: the receive time is the kernel\u2019s, not that of the poll', async (t) => {
    const { port, got } = await open('ffi', '127.0.0.1');
    t.teardown(() => port.close());
    const sentAtMs = nowMs();
    port.send('stamped', '127.0.0.1', port.port);
    port.flush();
    t.ok(await holds(() => hasReceived({ address: '127.0.0.1', port: port.port })), 'the kernel has it');
    const queuedAtMs = nowMs();
    const wrongByMs = 1;
    t.ok(await holds(() => nowMs() > queuedAtMs + wrongByMs), 'the time of the poll would be another');
    port.poll();
    const atMs = got[0]?.atMs ?? 0;
    t.ok(
      atMs > sentAtMs - wrongByMs && atMs < queuedAtMs + wrongByMs,
      `${(atMs - sentAtMs).toFixed(3)} ms after the send`,
    );
  });

  t.test('ffi: more destinations than it remembers', async (t) => {
    const { port, got } = await open('ffi', '127.0.0.1');
    t.teardown(() => port.close());
    for (let i = 0; i < 20_000; i++) port.send('x', `127.${1 + (i >> 14)}.${(i >> 8) & 63}.${i & 255}`, 9);
    port.send('still here', '127.0.0.1', port.port);
    t.ok(await until(() => got.some((one) => one.text === 'still here'), port));
    t.equal(port.counters.sendErrors, 0);
  });
}

t.test('local addresses as /proc/net/udp writes them', { skip: endianness() === 'BE' && 'other words' }, (t) => {
  t.equal(procAddress('127.0.0.1', 19_350), '0100007F:4B96');
  t.equal(procAddress('::1', 80), '00000000000000000000000001000000:0050');
  t.equal(procAddress('2001:db8::10', 5060), 'B80D0120000000000000000010000000:13C4');
  t.equal(procAddress('::ffff:192.0.2.10', 1), '0000000000000000FFFF00000A0200C0:0001');
  const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 3329: 018E367F:4B9A 018E367F:4D2A 01 00000000:00000340 00:00000000 00000000     0        0 2226142 2 00000000c18f5020 17
half a line`;
  t.same([...parseUdpDrops(text)], [['018E367F:4B9A', 17]]);
  t.ok(new UdpDrops(['/proc/net/udp', '/nowhere']).look(0), 'a host without IPv6');
  const blind = new UdpDrops(['/nowhere']);
  t.same([blind.look(0), blind.look(5000)], [null, null]);
  t.end();
});
