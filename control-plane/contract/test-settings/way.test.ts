/** Where a request goes, for each form of an address, with and without a server: what the pages say is what agents are told. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { completeGroup } from '../../domain/run/group/scenario.ts';
import { allocateOrder } from '../../domain/run/orders/orders.ts';
import { type ListenerPlan, planRun } from '../../domain/run/plan/plan.ts';
import { CLOUD_URI } from '../sip-uri.ts';
import type { Group } from './test.ts';
import { destinationOf, destinationsOf, type ViaServer, wayOf } from './way.ts';

const NONE: ViaServer = { name: 'Built-in', uri: CLOUD_URI, isCloud: true, outboundProxyUri: null, protocol: 'UDP' };
const TRUNK: ViaServer = { ...NONE, name: 'Carrier A', uri: 'sip:192.0.2.1:5070', isCloud: false };
const NAMED: ViaServer = { ...TRUNK, name: 'PBX', uri: 'sip:pbx.example' };
const TLS: ViaServer = { ...TRUNK, name: 'Secure', uri: 'sip:192.0.2.1', protocol: 'TLS' };
const IPV6: ViaServer = { ...TRUNK, name: 'Six', uri: 'sip:[2001:db8::1]' };
const PROXIED: ViaServer = { ...NAMED, name: 'Behind', outboundProxyUri: 'sip:192.0.2.9:5080;lr' };

/** An address, where it goes without a server, and what it names besides each server; absent: that server itself. */
const FORMS: readonly (readonly [uri: string, direct: string, named: string])[] = [
  ['sip:192.0.2.7', '192.0.2.7:5060', '192.0.2.7:5060'],
  ['sip:9@192.0.2.7', '192.0.2.7:5060', '192.0.2.7:5060'],
  ['sip:9@192.0.2.7:5999', '192.0.2.7:5999', '192.0.2.7:5999'],
  ['sip:9@192.0.2.7:5999;user=phone', '192.0.2.7:5999', '192.0.2.7:5999'],
  ['sip:9:secret@192.0.2.7:5999', '192.0.2.7:5999', '192.0.2.7:5999'],
  ['sip:9;phone-context=x@192.0.2.7', '192.0.2.7:5060', '192.0.2.7:5060'],
  ['sip:9@192.0.2.7;transport=udp', '192.0.2.7:5060', '192.0.2.7:5060'],
  ['sip:9@[2001:db8::7]', '[2001:db8::7]:5060', '[2001:db8::7]:5060'],
  ['sip:9@[2001:db8::7]:5999', '[2001:db8::7]:5999', '[2001:db8::7]:5999'],
  ['sip:9@far.example', 'far.example', 'far.example:5060'],
  ['sip:9@far.example:5999', 'far.example:5999', 'far.example:5999'],
  ['sip:{{number}}@far.example', 'far.example', 'far.example:5060'],
  // Without an @ it is a host (RFC 3261, 25.1): nobody is called by that.
  ['sip:far', 'far', 'far:5060'],
  ['SIP:9@FAR.example', 'FAR.example', 'FAR.example:5060'],
];

t.test('each form of an address, without a server and over each', async (t) => {
  for (const [uri, direct, named] of FORMS) {
    t.same(destinationOf('CALL', uri, NONE), { to: direct, named: null }, `${uri} directly`);
    for (const [server, to] of [
      [TRUNK, '192.0.2.1:5070'],
      [NAMED, 'pbx.example'],
      [IPV6, '[2001:db8::1]:5060'],
      [PROXIED, '192.0.2.9:5080'],
    ] as const)
      t.same(destinationOf('CALL', uri, server), { to, named }, `${uri} over ${server.name}`);
  }
  for (const unfinished of ['', 'sip:', 'sip:9@', '9000', 'sip:9@192.0.2.7:99999', 'tel:+4930'])
    t.equal(destinationOf('CALL', unfinished, TRUNK), null, unfinished);
});

t.test('the transport that an address asks for', async (t) => {
  const direct = (uri: string) => destinationOf('CALL', uri, NONE)?.to;
  t.equal(direct('sip:9@192.0.2.7;transport=tcp'), '192.0.2.7:5060');
  t.equal(direct('sip:9@192.0.2.7;transport=tls'), '192.0.2.7:5061');
  t.equal(direct('sips:9@192.0.2.7'), '192.0.2.7:5061');
  t.equal(direct('sip:9@far.example;maddr=192.0.2.8'), '192.0.2.8:5060', 'RFC 3261, 19.1.1');
  t.equal(direct('sip:9@far.example:5070;maddr=192.0.2.8'), '192.0.2.8:5070', 'with the port of the address');
  t.equal(direct('sip:9@192.0.2.7:5070;maddr=192.0.2.8'), '192.0.2.8:5070', 'whatever the host is');
  const over = (uri: string, server: ViaServer) => destinationOf('CALL', uri, server);
  t.same(over('sip:9@192.0.2.1:5070;transport=tcp', TRUNK), {
    to: '192.0.2.1:5070 by UDP',
    named: '192.0.2.1:5070 by TCP',
  });
  t.same(over('sip:9@192.0.2.1', TLS), { to: '192.0.2.1:5061', named: null }, 'as the server is reached');
  t.same(over('sips:9@192.0.2.1', TLS), { to: '192.0.2.1:5061', named: null });
  t.same(over('sip:9@192.0.2.1:5060', TLS), { to: '192.0.2.1:5061', named: '192.0.2.1:5060' });
  t.same(over('sip:9@192.0.2.1;transport=tcp', { ...TRUNK, uri: 'sip:192.0.2.1', protocol: 'AUTO' }), {
    to: '192.0.2.1:5060',
    named: null,
  });
});

t.test('an address that belongs to its server names no other place', async (t) => {
  const gateways = { ...TRUNK, uri: 'sip:192.0.2.1', gateways: ['192.0.2.2', '192.0.2.3:5070'] };
  const own: readonly (readonly [ViaServer, string])[] = [
    [TRUNK, 'sip:9@192.0.2.1:5070'],
    [NAMED, 'sip:9@PBX.example.'],
    [NAMED, 'sip:9@pbx.example:5060'],
    [IPV6, 'sip:9@[2001:DB8:0:0::1]:5060'],
    [PROXIED, 'sip:9@pbx.example'],
    [PROXIED, 'sip:9@192.0.2.9:5080'],
    [{ ...TRUNK, domain: 'home.example' }, 'sip:9@home.example'],
    [gateways, 'sip:9@192.0.2.2'],
    [gateways, 'sip:9@192.0.2.3:5070'],
  ];
  for (const [server, uri] of own) t.equal(destinationOf('CALL', uri, server)?.named, null, `${uri}, ${server.name}`);
  t.equal(destinationOf('CALL', 'sip:9@192.0.2.1', TRUNK)?.named, '192.0.2.1:5060', 'another port');
  t.equal(destinationOf('CALL', 'sip:9@192.0.2.3', gateways)?.named, '192.0.2.3:5060', 'another port');
});

t.test('OPTIONS to a gateway goes there, and nowhere else', async (t) => {
  const trunk = { ...TRUNK, uri: 'sip:192.0.2.1', gateways: ['192.0.2.2', '192.0.2.3:5070'] };
  const asked = (uri: string, mode = 'OPTIONS') => wayOf({ mode, callee: { mode: 'EXTERNAL_URI', uri } }, trunk);
  t.same(asked('sip:192.0.2.3:5070'), { nextHop: '192.0.2.3:5070', gateways: [] });
  t.same(asked('sip:192.0.2.2'), { nextHop: '192.0.2.2:5060', gateways: [] });
  t.same(asked('sip:9000@far.example'), { nextHop: '192.0.2.1:5060', gateways: trunk.gateways });
  t.same(asked('sip:192.0.2.2', 'CALL'), { nextHop: '192.0.2.1:5060', gateways: trunk.gateways });
});

t.test('in words: each place once, another place first', async (t) => {
  const told = (server: ViaServer, ...[uri = '', ...uris]: string[]) =>
    destinationsOf({ mode: 'CALL', callee: { mode: 'EXTERNAL_URI', uri, uris } }, server);
  t.same(told(NONE, 'sip:1@192.0.2.7:5999'), [{ isElsewhere: false, text: 'Goes straight to 192.0.2.7:5999.' }]);
  t.same(told(TRUNK, 'sip:1@192.0.2.1:5070', 'sip:2@192.0.2.1:5070', 'sip:3@192.0.2.7'), [
    {
      isElsewhere: true,
      text: 'Goes to 192.0.2.1:5070 (Carrier A), not to 192.0.2.7:5060 as the address says. Only Carrier A knows where it ends.',
    },
    { isElsewhere: false, text: 'Goes to 192.0.2.1:5070 (Carrier A).' },
  ]);
  t.same(told(TRUNK, 'sip:'), [], 'nothing is claimed of what is no address yet');
  t.same(destinationsOf({ mode: 'CALL', callee: { mode: 'RECEIVE' } }, TRUNK), []);
});

const PLAIN = { register: false, tls: null };
const LISTENERS: readonly ListenerPlan[] = [{ address: '192.0.2.100', port: 5060 }];

/** What the agent is told: the first hop, and without one the target. */
function orderOf(uri: string, server: ViaServer) {
  const registrar = { id: 'r', ...PLAIN, ...server };
  const group = completeGroup({
    ...{ id: 'g', name: 'g', registrarId: 'r', callee: { mode: 'EXTERNAL_URI', uri } },
    ...{ placement: { mode: 'REGION', region: 'local' }, audioCodecs: ['PCMU'], mediaTracks: [] },
    subPopulations: [{ id: 's', name: 's', role: 'CALLER', endpoints: 1, sipAccountIds: null }],
  } as unknown as Group);
  const [instance] = planRun({
    config: { load: { shape: 'BUILDUP' }, groups: [group], thresholds: [], maxExecutionSeconds: null } as never,
    buildupSeconds: 0,
    parts: [{ subPopulationId: 's', workerId: 'w', endpoints: 1, id: 'i' } as never],
    listeners: new Map([['w', LISTENERS]]),
    registrars: new Map([['r', registrar]]),
    accounts: new Map(),
    runToken: 'x',
    newId: () => 'id',
  });
  const times = { durationSeconds: 1, buildupSeconds: 0, maxExecutionSeconds: 9 };
  const run = { id: 'run', config: { groups: [group] }, endpoints: 1, ...times };
  const { group: told, endpoints } = allocateOrder(run, instance as never, new Map());
  return { nextHop: told.nextHop, targetUri: endpoints.targetUri[0] };
}

t.test('what is said is what the agent is told', async (t) => {
  const host = fc.constantFrom('192.0.2.7', '[2001:db8::7]', 'far.example', '192.0.2.1', 'pbx.example');
  const port = fc.constantFrom('', ':5060', ':5070', ':5999');
  const more = fc.constantFrom('', ';transport=tcp', ';transport=tls', ';user=phone');
  const server = fc.constantFrom(NONE, TRUNK, NAMED, TLS, IPV6, PROXIED);
  fc.assert(
    fc.property(fc.constantFrom('sip:', 'sip:9@'), host, port, more, server, (user, host, port, more, server) => {
      const uri = `${user}${host}${port}${more}`;
      const said = destinationOf('CALL', uri, server);
      const { nextHop, targetUri } = orderOf(uri, server);
      t.equal(targetUri, uri, 'the address is called as it is written');
      if (server.isCloud) {
        t.equal(nextHop, '', 'without a server there is no hop before it');
        t.ok(`${said?.to}`.startsWith(host), `${uri}: ${said?.to}`);
        if (port !== '') t.ok(`${said?.to}`.endsWith(port), `${uri}: ${said?.to}`);
      } else t.equal(said?.to.replace(/ by \w+$/, ''), nextHop, uri);
    }),
    { numRuns: 200 },
  );
});
