/** Numbers that an agent would refuse, found in advance; and what is left to the agent. */
import t from 'tap';
import { GroupBody } from '../../../contract/test-settings/test-body.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { lacks } from './abilities.ts';
import { dialledUris, type NumberPolicy, preflightBudget, refuses as refusesWithin } from './refused-numbers.ts';

const refuses = (policy: NumberPolicy, budget = preflightBudget()) => refusesWithin(policy, budget);

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

t.test('what cannot be matched in proportion to the number is the agent’s own affair', async (t) => {
  const patterns = ['^(1)\\1$', '^(?=1)', '^(', '()*\\1', '(?:\\d{1,99}){99}', '\\p{Nd}', '[]'];
  const number = `sip:${'1'.repeat(60)}x@pbx`;
  for (const pattern of patterns) {
    t.notOk(refuses({ ...POLICY, refusedNumbers: [pattern] })(number), pattern);
    t.notOk(refuses({ ...POLICY, allowedNumbers: [pattern] })(number), `${pattern}: perhaps it is allowed`);
  }
  for (const pattern of ['^(1+)+x$', '^(1*)*x$', '^(?:\\d{1,9}){9}', '1*1*1*x'])
    t.ok(refuses({ ...POLICY, refusedNumbers: [pattern] })(number), pattern);
});

/** Each takes minutes to hours where a matcher goes back. */
function hostilePatterns(): string[] {
  const terms = [
    '\\d{0,60}',
    '\\d*',
    '(?:\\d?\\d)*',
    '(?:1|11|\\d)+',
    '(?:1?){30}',
    '(\\d+)+',
    '(?:\\d|1\\d{20}|2\\d{21})+',
  ];
  const ends = ['x$', '$', '[^\\d]', '(?:x|y){50}$', 'x{200}'];
  const all: string[] = [];
  for (let n = 1; all.length < 200; n++)
    for (const term of terms)
      for (const end of ends)
        all.push(`${n % 2 ? '^' : ''}${`${term}`.repeat(Math.min(n, Math.floor(180 / term.length)))}${end}`);
  return all.slice(0, 200);
}

t.test('no policy of an agent holds a preflight: 200 hostile patterns, 100 numbers, within its budget', async (t) => {
  const patterns = hostilePatterns();
  t.equal(new Set(patterns).size > 150, true);
  const uris = Array.from({ length: 100 }, (_, i) => `sip:${'1213'.repeat(47).slice(i % 40)}${i}@p`);
  const longest = { name: '', ms: 0 };
  for (let n = 0; n < patterns.length; n += 10) {
    const budget = preflightBudget();
    const refusedNumbers = patterns.slice(n, n + 10);
    const before = process.cpuUsage();
    for (let worker = 0; worker < 20; worker++) {
      const policy = { refusedNumbers: [...refusedNumbers].reverse(), outsideLinePrefixes: ['1', '2', '12', '21'] };
      const isRefused = refuses({ ...policy, allowedNumbers: null }, budget);
      for (const uri of uris) isRefused(uri);
    }
    const { user } = process.cpuUsage(before);
    if (user / 1000 > longest.ms) Object.assign(longest, { name: refusedNumbers.join(' '), ms: user / 1000 });
    t.ok(budget.parts < 1, 'it was used up, or had nothing to do');
  }
  t.comment(`${longest.ms} ms of CPU: ${longest.name}`);
  t.ok(longest.ms < 50, `${longest.ms} ms of CPU: ${longest.name}`);
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
  t.ok(numbers(callers, callees)[0]?.includes('112'), 'an account with that number as its name');
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
