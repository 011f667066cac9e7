/** What an agent reports about its host when it greets. */
import t from 'tap';
import { decodePolicy } from './wire/hello.ts';

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
