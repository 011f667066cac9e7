/** The subscriber of an address, and which proxies are trusted. */
import t from 'tap';
import { clientOf, networkOf, siteOf, trustedProxies } from './network.ts';

t.test('what an address stands for', async (t) => {
  const table = {
    '192.0.2.7': ['192.0.2.7', '192.0.2.0/24'],
    '::ffff:192.0.2.7': ['192.0.2.7', '192.0.2.0/24'],
    '2001:db8:1:2:3:4:5:6': ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    '2001:DB8:1:2::6': ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    '2001:db8::6': ['2001:db8:0:0::/64', '2001:db8:0::/48'],
    '64:ff9b::192.0.2.7': ['64:ff9b:0:0::/64', '64:ff9b:0::/48'],
    'fe80::1%eth0': ['fe80:0:0:0::/64', 'fe80:0:0::/48'],
    '::1': ['0:0:0:0::/64', '0:0:0::/48'],
  };
  for (const [address, stands] of Object.entries(table)) t.same([networkOf(address), siteOf(address)], stands, address);
});

t.test('a proxy that is trusted says for whom it asks, nobody else', async (t) => {
  const cases: [list: string, peer: string | undefined, said: string | undefined, client: string][] = [
    ['loopback', '127.0.0.1', undefined, '127.0.0.1'],
    ['loopback', '127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['loopback', '::ffff:127.0.0.1', '198.51.100.1, 2001:db8::7', '2001:db8::7'],
    ['loopback', '::1', '203.0.113.5, unknown', '::1'],
    ['loopback', '198.51.100.1', '203.0.113.5', '198.51.100.1'],
    ['loopback', undefined, '203.0.113.5', ''],
    ['loopback', 'fe80::1%eth0', '203.0.113.5', 'fe80::1%eth0'],
    ['', '127.0.0.1', '203.0.113.5', '127.0.0.1'],
    ['10.0.0.0/8, 2001:db8:f::/48', '10.1.2.3', '6.6.6.6, 203.0.113.5', '203.0.113.5'],
    ['10.0.0.0/8, 2001:db8:f::/48', '2001:db8:f::1', '6.6.6.6, 203.0.113.5, 10.9.9.9', '203.0.113.5'],
    ['10.0.0.0/8', '10.1.2.3', '10.1.2.4', '10.1.2.4'],
    ['192.0.2.1', '192.0.2.2', '203.0.113.5', '192.0.2.2'],
  ];
  for (const [list, peer, said, client] of cases) {
    const headers = said === undefined ? {} : { 'x-forwarded-for': said };
    t.equal(clientOf(trustedProxies(list), headers, peer), client, `${list}: ${peer}: ${said}`);
  }
});

t.test('a list that says nothing clear is refused by its item', async (t) => {
  for (const item of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1', '10.0.0.0/'])
    t.throws(() => trustedProxies(`loopback, ${item}`), new RegExp(`${item}" is not an address`), item);
  t.throws(() => trustedProxies('0.0.0.0/0'), /would trust every client/);
});
