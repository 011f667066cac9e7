/** What an agent says of its host when it greets, and from where it came. */
import t from 'tap';
import { callerOf } from './caller.ts';
import { decodePolicy } from './hello.ts';

t.test('networks that are none are left out', async (t) => {
  const good = ['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1/32', '::/0', '2001:db8::/128'];
  const bad = [
    '10.0.0.0/99',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::1%eth0/64',
    'a/8',
  ];
  t.same(decodePolicy({ targetNetworks: [...good, ...bad] }).targetNetworks, good);
});

t.test('a proxy on this host says for whom it asks, nobody else', async (t) => {
  const cases: [peer: string | undefined, said: string | undefined, caller: string][] = [
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['::ffff:127.0.0.1', '198.51.100.1, 2001:db8::7', '2001:db8::7'],
    ['::1', '203.0.113.5, unknown', '::1'],
    ['198.51.100.1', '203.0.113.5', '198.51.100.1'],
    [undefined, '203.0.113.5', ''],
  ];
  for (const [remoteAddress, said, caller] of cases) {
    const headers = said === undefined ? {} : { 'x-forwarded-for': said };
    t.equal(callerOf({ headers, socket: { remoteAddress } }), caller, `${remoteAddress}: ${said}`);
  }
});
