/** Addresses at the edges of networks of both families. */
import t from 'tap';
import { inNetworks } from './networks.ts';

const isListed = inNetworks(['10.0.0.0/8', '192.0.2.7', 'fc00::/7', '::1', 'example.com/8']);

for (const [address, isInside] of [
  ['9.255.255.255', false],
  ['10.0.0.0', true],
  ['10.255.255.255', true],
  ['11.0.0.0', false],
  ['::ffff:10.0.0.1', true],
  ['::ffff:11.0.0.1', false],
  ['192.0.2.6', false],
  ['192.0.2.7', true],
  ['fbff::1', false],
  ['fdff::1', true],
  ['fe00::1', false],
  ['::1', true],
  ['::2', false],
  ['example.com', false],
  ['', false],
] as const)
  t.equal(isListed(address), isInside, address);

t.notOk(inNetworks([])('192.0.2.1'), 'no network has an address');
