/** Which address an agent chooses by itself, and how this is reported. The host's addresses are made up. */
import t from 'tap';
import { type Config, readConfig } from '../config.ts';
import { unreachable, withAllowedAddress } from './listening.ts';
import { type Policy, readPolicy } from './policy.ts';

const DEFAULTS = await readPolicy(null);
const policy = (targetNetworks: string[], more: Partial<Policy> = {}): Policy => ({
  ...DEFAULTS,
  targetNetworks,
  ...more,
});
const host = (...addresses: string[]): Config => ({
  ...readConfig({}),
  sipAddress: addresses[0] ?? '127.0.0.1',
  sipChoices: addresses,
});

t.test('the first address that other agents with this policy may call', async (t) => {
  const table: readonly (readonly [addresses: string[], policy: Policy, chosen: string, said: RegExp | null])[] = [
    [['10.0.0.5'], DEFAULTS, '10.0.0.5', null],
    [['192.0.2.2', '10.0.0.5'], DEFAULTS, '10.0.0.5', null],
    [['192.0.2.2'], DEFAULTS, '127.0.0.1', /no other address of this host \(192\.0\.2\.2\)/],
    [[], DEFAULTS, '127.0.0.1', null],
    [['192.0.2.2'], policy(['192.0.2.0/24']), '192.0.2.2', null],
    // The target is on a public network: loopback would not reach it.
    [['192.0.2.2'], policy(['127.0.0.0/8', '198.51.100.7/32']), '192.0.2.2', /does not allow calls to this address/],
    [['192.0.2.2', '192.0.2.3'], policy(['192.0.2.0/24'], { listenAddresses: ['192.0.2.3/32'] }), '192.0.2.3', null],
    [['10.0.0.5'], policy(['172.16.0.0/12']), '10.0.0.5', /does not allow calls to this address/],
  ];
  for (const [addresses, rules, chosen, said] of table) {
    const config = withAllowedAddress(host(...addresses), rules);
    t.equal(config.sipAddress, chosen, addresses.join());
    if (said === null) t.equal(unreachable(config, rules), null);
    else t.match(unreachable(config, rules), said);
  }
});

t.test('an address that the environment names is used, and a refusal is said', async (t) => {
  const config = readConfig({ CARILLON_SIP_ADDRESS: '192.0.2.2' });
  t.equal(withAllowedAddress(config, DEFAULTS).sipAddress, '192.0.2.2');
  t.match(unreachable(config, DEFAULTS), /192\.0\.2\.2: the policy does not allow calls to this address/);
});

t.test('how peers know the address: a name, the public address of a NAT, or neither', async (t) => {
  const rows: [name: string, address: string, announced: Config['announced']][] = [
    ['', '', null],
    ['sbc.example.com', '', { host: 'sbc.example.com', mediaAddress: '' }],
    ['', '203.0.113.9', { host: '203.0.113.9', mediaAddress: '203.0.113.9' }],
    ['sbc-1.example.com', '2001:db8::9', { host: 'sbc-1.example.com', mediaAddress: '2001:db8::9' }],
  ];
  for (const [name, address, announced] of rows)
    t.same(readConfig({ CARILLON_SIP_HOST: name, CARILLON_PUBLIC_ADDRESS: address }).announced, announced);
  for (const wrong of ['sip:sbc.example.com', 'sbc.example.com:5060', '-a.example', 'a..b', 'a b', 'a>'])
    t.throws(() => readConfig({ CARILLON_SIP_HOST: wrong }), /CARILLON_SIP_HOST/, wrong);
  for (const address of ['sbc.example.com', '0.0.0.0', '0.1.2.3', '::', '224.0.0.1', '255.255.255.255', 'ff02::1'])
    t.throws(() => readConfig({ CARILLON_PUBLIC_ADDRESS: address }), /CARILLON_PUBLIC_ADDRESS/);
  for (const host of ['0.0.0.0', '224.0.0.1'])
    t.throws(() => readConfig({ CARILLON_SIP_HOST: host }), /CARILLON_SIP_HOST/);
  const families = { CARILLON_SIP_ADDRESS: '127.0.0.1', CARILLON_PUBLIC_ADDRESS: '2001:db8::1' };
  t.throws(() => readConfig(families), /2001:db8::1 is not of the family of CARILLON_SIP_ADDRESS/);
});
