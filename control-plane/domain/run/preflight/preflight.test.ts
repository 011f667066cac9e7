/** The checks before a test runs, each with a case that fails it. */
import { maxInASecond } from '@carillon/proto/at-once.ts';
import t from 'tap';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { blastRadius } from './blast-radius.ts';
import type { Circumstances, WorkerPolicy } from './circumstances.ts';
import { preflight } from './preflight.ts';

const PBX = {
  id: 'pbx',
  uri: 'sip:192.0.2.1',
  isCloud: false,
  register: true,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
};
const config = {
  load: { shape: 'BUILDUP' },
  groups: [
    {
      name: 'callers',
      registrarId: 'pbx',
      callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@198.51.100.7:5070' },
      placement: { mode: 'REGION', region: 'local' },
      mediaTracks: [],
      subPopulations: [{ id: 's', name: 'all', role: 'CALLER', endpoints: 20, sipAccountIds: null }],
    },
  ],
} as unknown as TestConfig;
const policy = { targetNetworks: ['192.0.2.0/24', '198.51.100.0/24'], maxCallsPerSecond: 10, maxDurationSeconds: 60 };
const well: Circumstances = {
  config,
  buildupSeconds: 2,
  durationSeconds: 30,
  registrars: new Map([['pbx', PBX]]),
  accounts: new Map([['pbx', Array.from({ length: 25 }, (_, i) => accountNamed(String(i)))]]),
  missing: null,
  beyondPlan: null,
  plan: 'PRO',
  unmanned: null,
  short: null,
  workers: [{ name: 'a', policy, carries: ['s'] }],
};

const allowing = (more: Partial<WorkerPolicy>, carries = ['s']) => [
  { name: 'a', policy: { ...policy, ...more }, carries },
];

t.test('what fails a check, and only that', async (t) => {
  const failed = (more: Partial<Circumstances>) =>
    preflight({ ...well, ...more })
      .filter((c) => c.verdict === 'FAIL')
      .map((c) => c.check);
  const cases: [Partial<Circumstances>, string[]][] = [
    [{}, []],
    [{ missing: { code: 'MEDIA_MISSING', message: 'gone' } }, ['RESOURCES']],
    [{ missing: { code: 'SIP_ACCOUNTS_MISSING', message: 'add 3' } }, ['SIP_ACCOUNTS']],
    [{ registrars: new Map(), missing: { code: 'REGISTRAR_MISSING', message: 'x' } }, ['RESOURCES', 'SIP_ACCOUNTS']],
    [{ beyondPlan: { code: 'PLAN_RUN_LIMIT', message: 'one at once' } }, ['PLAN']],
    [{ unmanned: 'nobody', workers: [] }, ['WORKERS', 'CAPACITY', 'POLICY']],
    [{ short: 'room for 4' }, ['CAPACITY']],
    [{ durationSeconds: 61 }, ['POLICY']],
    [{ buildupSeconds: 1 }, ['POLICY']],
    [{ buildupSeconds: 1, workers: [...allowing({}), ...allowing({})] }, []],
    [{ workers: allowing({ targetNetworks: ['192.0.2.0/24'] }) }, ['POLICY']],
    [{ workers: allowing({ targetNetworks: ['::/0', '0.0.0.0/0'] }) }, []],
  ];
  for (const [more, names] of cases) t.same(failed(more), names, JSON.stringify(more));
  t.equal(preflight(well).length, 7);
  t.match(preflight(well)[1], { message: '20 are needed, 25 are there.' });
  const trunk = { ...well, registrars: new Map([['pbx', { ...PBX, register: false }]]) };
  t.match(preflight(trunk)[1], {
    verdict: 'PASS',
    message: /no endpoint registers; over trunks 20 endpoints take 25 in turn/,
  });
  const silent = new Map([['pbx', [{ ...accountNamed('1'), hasSecret: false }]]]);
  t.match(preflight({ ...trunk, accounts: silent })[1], {
    verdict: 'WARN',
    message: /1 have neither password nor HA1/,
  });
});

t.test('accepted callers, and the numbers under which a trunk is called', async (t) => {
  const [group] = config.groups;
  const cloud = { ...PBX, id: 'cloud', isCloud: true };
  const taking = (callsFrom: string, registrarId: string) =>
    preflight({
      ...well,
      registrars: new Map([PBX, cloud].map((r) => [r.id, r])),
      config: {
        ...config,
        groups: [{ ...group, registrarId, callsFrom, callee: { mode: 'RECEIVE' } }],
      } as unknown as TestConfig,
    }).find(({ check }) => check === 'CALLS_FROM');
  t.match(taking('SERVER', 'pbx'), { verdict: 'PASS', message: /takes calls of sip:192\.0\.2\.1 and its addresses/ });
  t.match(taking('ANYBODY', 'cloud'), { verdict: 'PASS', message: /every call that reaches/ });
  t.match(taking('SERVER', 'cloud'), { verdict: 'FAIL', message: /nobody can call callers/ });

  const trunk = new Map([['pbx', { ...PBX, register: false }]]);
  const numbered = (...numbers: (string | null)[]) =>
    preflight({
      ...well,
      registrars: trunk,
      accounts: new Map([['pbx', numbers.map((number, i) => ({ ...accountNamed(`user${i}`), number }))]]),
    })[1];
  t.match(numbered('+491', '+492'), { verdict: 'PASS' });
  t.match(numbered(null, null), { verdict: 'PASS' }, 'user names are the numbers');
  t.match(numbered('+491', null, null), { verdict: 'WARN', message: /user1 and 1 more have no number/ });
});

t.test('where calls go: a server that is asked for another place is a warning with both', async (t) => {
  const [group] = config.groups;
  const said = (uri: string, more: object = {}, uris: string[] = []) =>
    preflight({
      ...well,
      registrars: new Map([['pbx', { ...PBX, name: 'Carrier A', ...more }]]),
      config: {
        ...config,
        groups: [{ ...group, callee: { mode: 'EXTERNAL_URI', uri, uris } }],
      } as unknown as TestConfig,
    }).find(({ check }) => check === 'DESTINATIONS');
  t.match(said('sip:9000@192.0.2.1'), { verdict: 'PASS', message: 'Goes to 192.0.2.1:5060 (Carrier A).' });
  t.match(said('sip:9000@192.0.2.1:5999'), {
    verdict: 'WARN',
    message: /^Goes to 192\.0\.2\.1:5060 \(Carrier A\), not to 192\.0\.2\.1:5999 /,
  });
  t.match(said('sip:9000@far.example'), { verdict: 'WARN', message: /192\.0\.2\.1:5060 .* far\.example:5060/ });
  t.match(said('sip:9@192.0.2.7:5999', { isCloud: true }), {
    verdict: 'PASS',
    message: 'Goes straight to 192.0.2.7:5999.',
  });
  const many = Array.from({ length: 7 }, (_, i) => `sip:9@192.0.2.1${i}`);
  t.match(said('sip:9@192.0.2.1', {}, many), { verdict: 'WARN', message: / And 2 more\.$/ });
  const receiving = { ...group, callee: { mode: 'RECEIVE' } };
  const taking = preflight({ ...well, config: { ...config, groups: [receiving] } as unknown as TestConfig });
  t.notOk(taking.some(({ check }) => check === 'DESTINATIONS'));
});

t.test('what may be refused is no PASS', async (t) => {
  const narrow = allowing({ targetNetworks: ['192.0.2.0/24'] });
  const cases: [Circumstances['workers'], string, RegExp][] = [
    [allowing({ maxMinutesADay: null }), 'PASS', /10 calls a second/],
    [[...allowing({}), ...narrow], 'WARN', /host of a does not allow calls to 198/],
    [[...allowing({}, ['other']), ...narrow], 'FAIL', /No agent's policy/],
    [[...allowing({}), ...allowing({ targetNetworks: [] }, ['other'])], 'PASS', /names are judged/],
    [[...allowing({}), ...allowing({ maxMinutesADay: 60 })], 'WARN', /60 minutes a day/],
    [allowing({ maxMinutesADay: 50_000 }), 'PASS', /10 calls a second/],
    [
      allowing({ refusedNumbers: ['^9000$'] }),
      'FAIL',
      /No agent's policy allows the number 9000 that group callers dials/,
    ],
    [
      [...allowing({}), ...allowing({ refusedNumbers: ['^9000$'] })],
      'WARN',
      /policy of a does not allow the number 9000/,
    ],
    [allowing({ refusedNumbers: ['^112$'], allowedNumbers: ['^900'] }), 'PASS', /10 calls a second/],
  ];
  for (const [workers, verdict, message] of cases)
    t.match(preflight({ ...well, workers }).at(-1), { check: 'POLICY', verdict, message }, JSON.stringify(workers));
});

t.test('the busiest second', async (t) => {
  t.same([[], [0], [0, 999, 1000], [0, 500, 900, 1400, 1499, 1500]].map(maxInASecond), [0, 1, 2, 4]);
});

t.test('what a run sends, to whom, and what is allowed', (t) => {
  const around = {
    registrars: new Map([['pbx', PBX]]),
    sipAccounts: 20,
    policies: [policy, { ...policy, maxMinutesADay: 90 }],
  };
  const [group] = config.groups;
  const radius = (more: object = {}, of: object = {}, buildupSeconds = 2) =>
    blastRadius(
      {
        ...config,
        ...more,
        groups: [{ ...group, audioCodecs: ['PCMU'], mediaTracks: [{ kind: 'AUDIO' }], ...of }],
      } as TestConfig,
      { buildupSeconds, durationSeconds: 30 },
      around,
    );
  t.same(radius(), {
    ...{ calls: 20, callsPerSecond: 10, callsAtOnce: 20, callMinutes: 10 },
    ...{ audioBitsPerSecond: 20 * (160 + 58) * 8 * 50, mediaPorts: 40, sipAccounts: 20 },
    ...{ destinations: ['sip:9000@198.51.100.7:5070', 'sip:192.0.2.1'], moreDestinations: 0 },
    allowed: { callsPerSecond: 20, durationSeconds: 60, minutesADay: 90 },
  });
  t.match(radius({}, {}, 0), { callsPerSecond: 20, callsAtOnce: 20 }, 'all at once');
  t.match(radius({}, {}, 600), { callsPerSecond: 1, callsAtOnce: 1 }, 'one after the other');
  const many = [{ id: 's', name: 'all', role: 'CALLER', endpoints: 200, calls: null }];
  const rate = radius({ load: { shape: 'RATE', callsPerSecond: 5, seconds: 100 } }, { subPopulations: many });
  t.match(rate, { calls: 500, callsPerSecond: 5, callsAtOnce: 150, callMinutes: 250 });
  const load = { shape: 'SINE', fromCallsPerSecond: 100, toCallsPerSecond: 130, periodSeconds: 60, seconds: 86_400 };
  const before = process.cpuUsage().user;
  const day = radius({ load }, { subPopulations: [{ ...many[0], endpoints: 5000 }] });
  t.match(day, { calls: 9_936_000, callsPerSecond: 130, callsAtOnce: 3900 });
  t.ok(process.cpuUsage().user - before < 500_000, 'ten million instants are not worked out');
  const held = radius({ load: { shape: 'CONCURRENCY', callsPerSecond: 5, seconds: 100 } }, { subPopulations: many });
  t.match(held, { callsPerSecond: 5, callsAtOnce: 200 });
  t.match(radius({}, { mediaTracks: [] }), { audioBitsPerSecond: 0, mediaPorts: 0 });
  t.match(radius({}, { rtcpMux: true, callee: { mode: 'GROUP', groupId: 'g' } }), {
    mediaPorts: 40,
    destinations: ['sip:192.0.2.1'],
  });
  const uris = Array.from({ length: 30 }, (_, i) => `sip:${i}@192.0.2.1`);
  const spread = radius({}, { callee: { mode: 'EXTERNAL_URI', uri: 'sip:x@192.0.2.1', uris } });
  t.match([spread.destinations.length, spread.moreDestinations], [20, 12]);
  const nobody = blastRadius(config, { buildupSeconds: 2, durationSeconds: 30 }, { ...around, policies: [] });
  t.equal(nobody.allowed, null);
  t.end();
});
