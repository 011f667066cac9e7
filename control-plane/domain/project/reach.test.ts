/** Which servers a test needs, each asked once from each location; and their answers, with the cure. */
import t from 'tap';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { domainOf, serverOf } from '../run/plan/plan.ts';
import { type LastCheck, placesOf, type Reached, reachChecks } from './reach.ts';

const PLAIN = { outboundProxyUri: null, protocol: 'UDP', tls: null, isCloud: false, register: true };
const CLOUD = { ...PLAIN, id: 'cloud', name: 'Built in', uri: 'sip:cloud', isCloud: true };
const PBX = { ...PLAIN, id: 'pbx', name: 'PBX', uri: 'sip:pbx.example' };
const WEB = { ...PLAIN, id: 'web', name: 'Web', uri: 'sip:web.example', protocol: 'WSS', webSocketPath: '/ws' };
const TRUNK = {
  ...PLAIN,
  id: 'trunk',
  name: 'Trunk',
  uri: 'sip:192.0.2.1',
  register: false,
  gateways: ['192.0.2.2', '192.0.2.3:5070'],
};
const registrars = new Map([CLOUD, PBX, WEB, TRUNK].map((r) => [r.id, r]));

const group = (registrarId: string, more: object = {}) => ({
  id: registrarId,
  name: registrarId,
  registrarId,
  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@far.example' },
  placement: { mode: 'REGION', region: 'local' },
  mediaTracks: [],
  subPopulations: [{ id: 's', name: 'all', role: 'CALLER', endpoints: 2, sipAccountIds: null }],
  ...more,
});
const test = (...groups: object[]) => ({ load: { shape: 'BUILDUP' }, groups }) as unknown as TestConfig;
const places = (...groups: object[]) => placesOf(test(...groups), registrars, (id) => id !== 'web');

t.test('each place once, from where the endpoints would be', async (t) => {
  const told = (...groups: object[]) => places(...groups).map((p) => [p.check, p.group.mode, p.group.registrar]);
  t.same(told(group('cloud', { callee: { mode: 'GROUP', groupId: 'x' } })), [], 'agents call each other');
  t.same(told(group('cloud')), [['SIP_SERVERS', 'OPTIONS', 'cloud']], 'an address that is called directly');
  const many = ['sip:{{number}}@far.example', 'sip:1@far.example', 'sips:1@[2001:db8::1]:5999', 'sip:{{host}}'];
  t.same(
    places(group('cloud', { callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@{{host}}', uris: many } })).map(
      ({ group: { callee } }) => callee,
    ),
    ['sip:far.example', 'sip:[2001:db8::1]:5999;transport=tls'].map((uri) => ({ mode: 'EXTERNAL_URI', uri })),
    'each host once, and nobody in particular',
  );
  t.same(told(group('pbx'), group('pbx')), [['SIP_SERVERS', 'REGISTER', 'pbx']]);
  t.same(told(group('web')), [['WEB_SOCKETS', 'OPTIONS', 'web']], 'without an account nobody registers');
  t.same(told(group('trunk')), [
    ['SIP_SERVERS', 'OPTIONS', 'trunk'],
    ['GATEWAYS', 'OPTIONS', 'trunk'],
    ['GATEWAYS', 'OPTIONS', 'trunk'],
  ]);
  const own = { callee: { mode: 'GROUP', groupId: 'x' } };
  t.same(told(group('cloud', { ...own, ice: 'stun:stun.example:3479' })), [['STUN_SERVERS', 'STUN', 'cloud']]);
  const afar = { mode: 'REGION', region: 'hamburg' };
  t.equal(places(group('pbx'), group('pbx', { placement: afar })).length, 2, 'elsewhere it may be otherwise');
  const [named] = places(
    group('pbx', { subPopulations: [{ ...group('pbx').subPopulations[0], sipAccountIds: ['a', 'b'] }] }),
  );
  t.same(named?.group.subPopulations[0]?.accounts, ['a']);
  t.match(
    places(group('web'))[0]?.name,
    'Web: sip:web.example by WSS at /ws, from local',
    'another path is another place',
  );
});

t.test('a server is the host of the URI, whatever the domain and the outbound proxy', async (t) => {
  const proxied = { ...TRUNK, uri: 'sip:pbx.example:5070', domain: 'home.example', outboundProxyUri: 'sip:192.0.2.9' };
  t.same([serverOf(proxied), domainOf(proxied)], ['pbx.example:5070', 'home.example']);
  t.same([serverOf(TRUNK), domainOf(TRUNK)], ['192.0.2.1', '192.0.2.1']);
  t.same([serverOf({ ...TRUNK, isCloud: true }), domainOf({ ...TRUNK, isCloud: true })], ['', '']);
});

t.test('what they said', async (t) => {
  const all = places(group('trunk', { mode: 'CALL', ice: 'stun:stun.example' }));
  const name = (i: number) => all[i]?.name ?? '';
  const answer = (i: number, more: Partial<Reached>): Reached => ({
    ...{ name: name(i), outcome: 'CALL_FAILED', cause: null, text: null, status: null, rttMs: null, failovers: 0 },
    ...more,
  });
  const checks = (last: LastCheck | null) => reachChecks(all, last);
  const run = { testRunId: 'r', isOver: true, error: null, reached: [] };
  t.match(checks(null), [
    { check: 'SIP_SERVERS', verdict: 'WARN', message: /Not checked yet/, testRunId: null },
    { check: 'GATEWAYS', places: [{ verdict: 'WARN' }, { verdict: 'WARN' }] },
    { check: 'STUN_SERVERS' },
  ]);
  t.match(checks({ ...run, isOver: false }), [{ message: /in progress/ }, {}, {}]);
  t.match(checks({ ...run, error: 'No worker is online.' }), [{ message: /The check failed: No worker/ }, {}, {}]);
  const last = {
    ...run,
    reached: [
      answer(0, { outcome: 'SUCCESS', rttMs: 12.4 }),
      answer(1, { outcome: 'SUCCESS', failovers: 1 }),
      answer(2, { cause: 'OPTIONS_TIMEOUT', text: 'no answer within 32 s' }),
      answer(3, { cause: 'STUN_TIMEOUT', text: 'stun.example:3478 did not answer' }),
    ],
  };
  t.match(checks(last), [
    { verdict: 'PASS', message: /Answers, after 12 ms/, testRunId: 'r' },
    {
      verdict: 'WARN',
      places: [{ message: /another gateway does/ }, { message: /no answer within 32 s\. Check address/ }],
    },
    { verdict: 'FAIL', message: /did not answer\. A run is refused/ },
  ]);
  t.match(
    checks({ ...run, reached: [answer(0, { cause: 'REGISTRATION_DENIED', status: 403, text: 'Forbidden' })] })[0],
    { verdict: 'WARN', message: /403 Forbidden\. Check the password/ },
  );
});

t.test('a server that no call can reach is a failure, unless a gateway may take its place', async (t) => {
  const verdict = (registrar: string, cause: string) => {
    const all = places(group(registrar));
    const answer = { outcome: 'REGISTRATION_FAILED', cause, text: 'closed', status: null, rttMs: null, failovers: 0 };
    const reached = [{ ...answer, name: all[0]?.name ?? '' }];
    return reachChecks(all, { testRunId: 'r', isOver: true, error: null, reached })[0]?.verdict;
  };
  for (const cause of ['REGISTRATION_UNREACHABLE', 'TRANSPORT_ERROR', 'DNS_FAILED']) {
    t.equal(verdict('web', cause), 'FAIL', cause);
    t.equal(verdict('pbx', cause), 'FAIL', cause);
    t.equal(verdict('trunk', cause), 'WARN', `${cause}: it has gateways`);
  }
  for (const cause of ['OPTIONS_TIMEOUT', 'NOT_SENT', 'TARGET_NOT_ALLOWED'])
    t.equal(verdict('web', cause), 'WARN', cause);
});
