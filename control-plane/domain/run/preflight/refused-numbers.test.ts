/** Numbers that an agent would refuse, found in advance; and what is left to the agent. */
import t from 'tap';
import { GroupBody } from '../../../contract/test/test-body.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { lacks } from './abilities.ts';
import { dialledUris, refuses } from './refused-numbers.ts';

const POLICY = {
  refusedNumbers: ['^(?:11[0-9]|911)$', '^1?900\\d{7}$'],
  allowedNumbers: null,
  outsideLinePrefixes: ['0', '9'],
};

t.test('what is refused, and what is not', async (t) => {
  const isRefused = refuses(POLICY);
  const cases: [string, boolean][] = [
    ['sip:112@pbx', true],
    ['sip:+112@pbx', true],
    ['tel:112', true],
    ['sip:0112@pbx', true],
    ['sip:1-900-555-1234@pbx', true],
    ['sip:1001@pbx', false],
    ['sip:1121@pbx', false],
    ['sip:pbx', false],
    [`sip:112@${'a'.repeat(200)}`, false],
  ];
  for (const [uri, refused] of cases) t.equal(isRefused(uri), refused, uri);
  t.notOk(refuses({})('sip:112@pbx'), 'older agents do not tell');
  t.ok(refuses({ ...POLICY, refusedNumbers: [], allowedNumbers: ['^49'] })('sip:112@pbx'));
  t.notOk(refuses({ ...POLICY, refusedNumbers: [], allowedNumbers: ['^49'] })('sip:+4930123@pbx'));
});

t.test('patterns that may take long are the agent’s own affair', async (t) => {
  const patterns = ['^(a+)+$', '^(1*)*$', '^(?:\\d{1,9}){9}$', '1*2*3*', '^1*2*3*$', '^(1)\\1$', '^(', '()*'];
  const number = `sip:${'1'.repeat(60)}x@pbx`;
  for (const pattern of patterns) {
    t.notOk(refuses({ ...POLICY, refusedNumbers: [pattern] })(number), pattern);
    t.notOk(refuses({ ...POLICY, allowedNumbers: [pattern] })(number), `${pattern}: perhaps it is allowed`);
  }
});

const group = (more: object) =>
  GroupBody.parse({
    ...{ name: 'callers', registrarId: 'pbx', callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' } },
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2 }],
    ...more,
  });

t.test('everything that callers dial: lists, values of accounts, transfers, members of another group', async (t) => {
  const ofGroup = (id: string, more: object) => {
    const { subPopulations, ...rest } = group(more);
    return {
      ...rest,
      id,
      subPopulations: (subPopulations as { name: string }[]).map((s) => ({ ...s, id: `${id}-s`, sipAccountIds: null })),
    };
  };
  const PBX = { id: 'pbx', uri: 'sip:192.0.2.1', isCloud: false, register: true, outboundProxyUri: null };
  const registrars = new Map([['pbx', { ...PBX, protocol: 'UDP', tls: null }]]);
  const accounts = new Map([['pbx', ['112', '7001', '7002', '7003'].map((name) => accountNamed(name))]]);
  const numbers = (...groups: object[]) => {
    const config = { load: { shape: 'BUILDUP' }, groups } as never;
    return [...dialledUris(config, registrars, accounts).values()].map((all) => all.map(({ number }) => number));
  };
  const uris = ['sip:110@192.0.2.1', 'sip:{{number}}@192.0.2.1'];
  const listed = ofGroup('a', { callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1', uris } });
  for (const one of ['1', '110', '112', '7001']) t.ok(numbers(listed)[0]?.includes(one), one);
  const callees = ofGroup('b', {
    callee: { mode: 'RECEIVE' },
    subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 2 }],
  });
  const callers = ofGroup('a', { callee: { mode: 'GROUP', groupId: 'b' } });
  t.ok(numbers(callers, callees)[0]?.includes('112'), 'an account that is called so');
});

t.test('nothing is sent to an address of the other family', async (t) => {
  const able = {
    ...{ audioCodecs: ['PCMU', 'PCMA'], mediaSources: ['TONE'], sipAbilities: ['GATEWAYS', 'WS', 'WSS', 'TCP'] },
    sipListeners: [{ address: '192.0.2.7' }],
  };
  const PBX = { protocol: 'UDP', tls: null, isCloud: false, register: false, uri: 'sip:192.0.2.1' };
  const said = (more: object, callee = 'sip:1@192.0.2.1', can: object = {}) =>
    lacks(group({ callee: { mode: 'EXTERNAL_URI', uri: callee } }) as never, { ...able, ...can }, undefined, {
      ...PBX,
      ...more,
    } as never);
  const six = ['an IPv6 address to reach 2001:db8::1 from (CARILLON_SIP_ADDRESS)'];
  const SIX = 'sip:[2001:db8::1]:5060';
  t.same(said({}), []);
  t.same(said({ uri: SIX }), six, 'its server');
  t.same(said({ uri: SIX, protocol: 'TCP' }), six);
  t.same(said({ uri: SIX, outboundProxyUri: 'sip:192.0.2.9' }), [], 'the proxy is what is sent to');
  t.same(said({ outboundProxyUri: SIX }), six);
  t.same(said({ gateways: ['[2001:db8::1]'] }), six);
  t.same(said({ isCloud: true }, `sip:1@[2001:db8::1]`), six, 'called without a server between');
  t.same(said({}, 'sip:1@[2001:db8::1]'), [], 'the server is asked to call it');
  t.same(said({ uri: 'sip:pbx.example' }), [], 'a name may have both');
  t.same(said({ uri: SIX }, undefined, { sipListeners: [{ address: '192.0.2.7' }, { address: '2001:db8::7' }] }), []);
  t.same(said({}, undefined, { sipListeners: [{ address: '2001:db8::7' }] }), [
    'an IPv4 address to reach 192.0.2.1 from (CARILLON_SIP_ADDRESS)',
  ]);
  t.same(said({ uri: SIX }, undefined, { sipListeners: undefined }), [], 'what did not tell may have it');
  t.same(said({ uri: SIX, protocol: 'WSS' }), [], 'connections are made from any address');
});
