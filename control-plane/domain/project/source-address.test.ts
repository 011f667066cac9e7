/** A registrar's source address: it has the same family as the target, and only agents that have it can be chosen. */
import t from 'tap';
import { REGISTRAR_FIELDS } from '../../contract/fields.ts';
import { GroupBody } from '../../contract/test-settings/test-body.ts';
import { lacks } from '../run/preflight/abilities.ts';
import { sourceFaults } from './source-address.ts';

const TRUNK = {
  uri: 'sip:192.0.2.1:5060',
  outboundProxyUri: null,
  gateways: ['192.0.2.2'],
  sourceAddress: '192.0.2.7',
};

t.test('it is an address, of one host', (t) => {
  for (const good of ['192.0.2.7', '2001:db8::7', '::1', null])
    t.ok(REGISTRAR_FIELDS.sourceAddress.safeParse(good).success, `${good}`);
  for (const bad of [
    '',
    'pbx.example',
    '192.0.2.7:5060',
    '192.0.2.0/24',
    '[2001:db8::7]',
    '0.0.0.0',
    '::',
    '192.0.2.256',
  ])
    t.notOk(REGISTRAR_FIELDS.sourceAddress.safeParse(bad).success, bad);
  t.end();
});

t.test('of the family of what it leads to', (t) => {
  t.same(sourceFaults(TRUNK, ['sourceAddress']), []);
  t.same(sourceFaults({ ...TRUNK, sourceAddress: null, uri: 'sip:[2001:db8::1]' }, []), []);
  t.same(sourceFaults({ ...TRUNK, uri: 'sip:pbx.example', gateways: [], sourceAddress: '2001:db8::7' }, []), []);
  const six = 'is IPv4, and 2001:db8::1 is IPv6: nothing can be sent from one to the other';
  t.same(sourceFaults({ ...TRUNK, uri: 'sip:[2001:db8::1]:5060' }, ['x']), [{ path: ['x'], message: six }]);
  t.match(sourceFaults({ ...TRUNK, gateways: ['[2001:db8::1]'] }, []), [{ message: six }]);
  t.match(sourceFaults({ ...TRUNK, sourceAddress: '2001:db8::7' }, []), [
    { message: /^is IPv6, and 192\.0\.2\.1 is IPv4/ },
  ]);
  const proxied = { ...TRUNK, gateways: [], outboundProxyUri: 'sip:[2001:db8::1]' };
  t.match(sourceFaults(proxied, []), [{ message: six }], 'the proxy is what it leads to');
  t.end();
});

const CALLERS = GroupBody.parse({
  ...{ name: 'callers', registrarId: 'pbx', callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' } },
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
}) as never;

t.test('gateways are asked of the engine that calls: an older agent has none over WebSockets', (t) => {
  const trunk = { tls: null, isCloud: false, register: false, uri: 'sip:192.0.2.1', gateways: ['192.0.2.2'] };
  const sipAbilities = ['GATEWAYS', 'TCP', 'WS', 'WSS'];
  const able = { audioCodecs: ['PCMU', 'PCMA'], mediaSources: ['TONE'], sipAbilities };
  const said = (protocol: string) => lacks(CALLERS, able, [CALLERS], { ...trunk, protocol });
  t.same(said('TCP'), []);
  for (const protocol of ['WS', 'WSS']) t.same(said(protocol), ['GATEWAYS over WebSocket'], protocol);
  const sipJs = { ...(CALLERS as object), engine: 'SIPJS' } as never;
  const chosen = (protocol: string, more: string[] = []) =>
    lacks(sipJs, { ...able, sipAbilities: [...sipAbilities, ...more] }, [sipJs], { ...trunk, protocol });
  t.same(chosen('WSS'), ['GATEWAYS with SIPJS', 'SIPJS']);
  t.same(chosen('WSS', ['GATEWAYS over WebSocket', 'SIPJS']), ['GATEWAYS with SIPJS']);
  t.same(chosen('WSS', ['GATEWAYS with SIPJS', 'SIPJS']), []);
  t.same(chosen('TCP', ['SIPJS']), ['SIPJS over TCP'], 'of a registrar that was changed since');
  t.end();
});

t.test('agents without it, or that never heard of it, are named by it', (t) => {
  const able = { audioCodecs: ['PCMU', 'PCMA'], mediaSources: ['TONE'], sipAbilities: ['SOURCE_ADDRESS'] };
  const said = (sourceAddress: string, more: object = {}, protocol = 'UDP') =>
    lacks(CALLERS, { ...able, ...more }, [CALLERS], {
      protocol,
      tls: null,
      isCloud: false,
      register: false,
      sourceAddress,
    });
  const addresses = ['127.0.0.1', '192.0.2.7', '2001:db8:0:0::7'];
  for (const one of ['192.0.2.7', '127.3.2.1', '2001:db8::7']) t.same(said(one, { addresses }), [], one);
  t.same(said('192.0.2.8', { addresses }), ['the address 192.0.2.8']);
  t.same(said('2001:db8::8', { addresses }), ['the address 2001:db8::8']);
  t.same(said('192.0.2.8'), [], 'what did not tell its addresses may have it');
  t.same(said('192.0.2.7', { addresses, sipAbilities: [] }), ['SOURCE_ADDRESS']);
  const webSocket = { addresses, sipAbilities: ['WSS', 'SOURCE_ADDRESS over WebSocket'] };
  t.same(said('192.0.2.7', webSocket, 'WSS'), []);
  t.same(said('192.0.2.7', { ...webSocket, sipAbilities: ['WSS'] }, 'WSS'), ['SOURCE_ADDRESS over WebSocket']);
  t.end();
});
