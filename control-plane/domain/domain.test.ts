import { isFinal, step, type Transitions } from '@carillon/proto/machine.ts';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { defaultsOf, GROUP_SETTINGS } from '../contract/test/settings.ts';
import type { Group, TestConfig } from '../contract/test/test.ts';
import { accountNamed } from '../testing/accounts.ts';
import { distributionOf, sipResponsesOf } from './figures/figures.ts';
import { isEffective } from './figures/ner.ts';
import { INSTANCE, isInstanceOver } from './run/instance-machine.ts';
import { distribute } from './run/plan/distribute.ts';
import { planRun, type RegistrarPlan } from './run/plan/plan.ts';
import { missing, reachFaults, testFaults } from './run/preflight/needs.ts';
import { RUN } from './run/run-machine.ts';
import { hostPort, sipHost } from './sip-uri.ts';

const reachable = <S extends string, E extends string>(table: Transitions<S, E>, from: S): Set<S> => {
  const seen = new Set<S>([from]);
  for (const state of seen) for (const next of Object.values(table[state]) as S[]) seen.add(next);
  return seen;
};

t.test('machines of a run, beside the laws of all (proto/machines.test.ts)', async (t) => {
  for (const state of Object.keys(RUN.transitions) as (keyof typeof RUN.transitions)[]) {
    if (isFinal(RUN.transitions, state)) continue;
    t.ok(step(RUN.transitions, state, 'overdue'), `${state} has a way out when its time is up`);
    t.ok(step(RUN.transitions, state, 'broken'), `${state} has a way out when we fail`);
    t.equal(step(RUN.transitions, state, 'cancelled'), 'CANCELLED', `${state} can be cancelled`);
    t.notOk([...reachable(RUN.transitions, state)].slice(1).includes('PENDING'), 'no way leads back');
  }
  for (const state of Object.keys(INSTANCE.transitions) as (keyof typeof INSTANCE.transitions)[]) {
    if (!isInstanceOver(state))
      t.equal(step(INSTANCE.transitions, state, 'lost'), 'LOST', `a worker can be lost while ${state}`);
  }
});

t.test('distribution', async (t) => {
  const bearers = fc.array(
    fc.record({
      capacity: fc.integer({ min: 1, max: 60 }),
      reserved: fc.integer({ min: 0, max: 60 }),
      streamCapacity: fc.integer({ min: 1, max: 120 }),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  const demands = fc.array(fc.record({ endpoints: fc.integer({ min: 1, max: 80 }), receives: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(bearers, demands, (workers, wants) => {
      const all = workers.map((w, i) => ({
        workerId: `w${i}`,
        capacity: w.capacity,
        reserved: Math.min(w.reserved, w.capacity, w.streamCapacity),
        streamCapacity: w.streamCapacity,
        reservedStreams: Math.min(w.reserved, w.capacity, w.streamCapacity),
      }));
      const asked = wants.map((d, i) => ({
        ...d,
        atOnce: d.endpoints,
        streams: 1,
        subPopulationId: `s${i}`,
        eligible: all.map((w) => w.workerId),
      }));
      const result = distribute(asked, all);
      const room = all.reduce((n, w) => n + Math.min(w.capacity, w.streamCapacity) - w.reserved, 0);
      const wanted = wants.reduce((n, d) => n + d.endpoints, 0);
      if ('shortOf' in result) return wanted > room;
      const placed = (key: 'workerId' | 'subPopulationId', id: string) =>
        result.parts.filter((s) => s[key] === id).reduce((n, s) => n + s.endpoints, 0);
      return (
        wanted <= room &&
        all.every((w) => placed('workerId', w.workerId) + w.reserved <= Math.min(w.capacity, w.streamCapacity)) &&
        asked.every((d) => placed('subPopulationId', d.subPopulationId) === d.endpoints)
      );
    }),
  );
  const even = distribute(
    [{ subPopulationId: 's', endpoints: 30, atOnce: 30, streams: 1, receives: false, eligible: ['a', 'b', 'c'] }],
    [
      { workerId: 'a', capacity: 100, reserved: 50, streamCapacity: 200, reservedStreams: 50 },
      { workerId: 'b', capacity: 100, reserved: 30, streamCapacity: 200, reservedStreams: 30 },
      { workerId: 'c', capacity: 10, reserved: 0, streamCapacity: 20, reservedStreams: 0 },
    ],
  );
  t.same(even, {
    parts: [
      { subPopulationId: 's', workerId: 'c', endpoints: 5, atOnce: 5 },
      { subPopulationId: 's', workerId: 'b', endpoints: 22, atOnce: 22 },
      { subPopulationId: 's', workerId: 'a', endpoints: 3, atOnce: 3 },
    ],
  });
  const limited = { workerId: 'a', capacity: 100, reserved: 10, streamCapacity: 100, reservedStreams: 20 };
  const wide = { workerId: 'b', capacity: 30, reserved: 0, streamCapacity: 60, reservedStreams: 0 };
  const video = (endpoints: number) =>
    distribute(
      [{ subPopulationId: 's', endpoints, atOnce: endpoints, streams: 2, receives: false, eligible: ['a', 'b'] }],
      [limited, wide],
    );
  t.same(
    video(70),
    {
      parts: [
        { subPopulationId: 's', workerId: 'b', endpoints: 30, atOnce: 30 },
        { subPopulationId: 's', workerId: 'a', endpoints: 40, atOnce: 40 },
      ],
    },
    'an endpoint with video has two streams',
  );
  t.same(video(71), { shortOf: { subPopulationId: 's', endpoints: 71, atOnce: 71, room: 70 } });
  t.same(
    distribute([{ subPopulationId: 's', endpoints: 1, atOnce: 1, streams: 1, receives: true, eligible: ['gone'] }], []),
    {
      shortOf: { subPopulationId: 's', endpoints: 1, atOnce: 1, room: 0 },
    },
  );
});

const registrar = (id: string, more: Partial<RegistrarPlan> = {}): RegistrarPlan => ({
  id,
  uri: 'sip:pbx.example:5070',
  isCloud: false,
  register: true,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
  ...more,
});
const cloud = registrar('cloud', { uri: 'sip:carillon.invalid', isCloud: true, register: false });

const config = (from: string, to: string): TestConfig => {
  const common = {
    ...defaultsOf(GROUP_SETTINGS),
    mediaTracks: [],
    placement: { mode: 'REGION' as const, region: 'local' },
  };
  return {
    groups: [
      {
        ...common,
        id: 'g1',
        name: 'callers',
        registrarId: from,
        callee: { mode: 'GROUP', groupId: 'g2' },
        subPopulations: [{ id: 's1', name: 'all', role: 'CALLER', endpoints: 3, calls: 1, sipAccountIds: null }],
      },
      {
        ...common,
        id: 'g2',
        name: 'callees',
        registrarId: to,
        callee: { mode: 'RECEIVE' },
        subPopulations: [
          { id: 's2', name: 'all', role: 'CALLEE', endpoints: 3, calls: 1, sipAccountIds: ['a4', 'a5', 'a6'] },
        ],
      },
    ],
    load: { shape: 'BUILDUP' },
    breaker: null,
    thresholds: [],
    maxExecutionSeconds: null,
  };
};

t.test('a load that goes on is dealt to the instances, each a part, and all of it', async (t) => {
  const { groups, ...rest } = config('trunk', 'trunk');
  const [group] = groups as [Group];
  const draw = (calls: number | null, load: TestConfig['load']) => {
    const callers = { ...group, callee: { mode: 'EXTERNAL_URI' as const, uri: 'sip:9@10.1.1.1' } };
    const subPopulations = [
      { id: 's1', name: 'all', role: 'CALLER' as const, endpoints: 5, calls, sipAccountIds: null },
      { id: 's2', name: 'more', role: 'CALLER' as const, endpoints: 2, calls, sipAccountIds: null },
    ];
    let n = 0;
    return planRun({
      config: { ...rest, load, groups: [{ ...callers, subPopulations }] },
      buildupSeconds: 60,
      parts: [
        { subPopulationId: 's1', workerId: 'w1', endpoints: 3, atOnce: 3 },
        { subPopulationId: 's1', workerId: 'w2', endpoints: 2, atOnce: 2 },
        { subPopulationId: 's2', workerId: 'w1', endpoints: 2, atOnce: 2 },
      ],
      listeners: new Map(['w1', 'w2'].map((id) => [id, [{ address: '10.0.0.1', port: 5060 }]])),
      registrars: new Map([['trunk', { ...registrar('trunk'), register: false }]]),
      accounts: new Map(),
      runToken: 'r',
      newId: () => `id${n++}`,
    });
  };
  const lasting = draw(null, { shape: 'RATE', callsPerSecond: 50, seconds: 60 });
  t.same(
    lasting.map(({ load }) => [load?.part, load?.callsEach]),
    [
      [{ from: 0, until: 3, of: 7 }, null],
      [{ from: 3, until: 5, of: 7 }, null],
      [{ from: 5, until: 7, of: 7 }, null],
    ],
  );
  t.match(lasting[0]?.load?.order, { shape: 'EVEN', steps: [{ seconds: 60, callsPerSecond: 50 }] });
  t.ok(lasting.every(({ endpoints }) => endpoints.every((e) => e.callAtMs === 0 && e.calleeUri === 'sip:9@10.1.1.1')));
  const thrice = draw(3, { shape: 'RATE', callsPerSecond: 50 });
  t.same(
    thrice.map(({ load }) => [load?.part.from, load?.part.until, load?.part.of, load?.callsEach, load?.order.calls]),
    [
      [0, 9, 21, 3, 21],
      [9, 15, 21, 3, 21],
      [15, 21, 21, 3, 21],
    ],
  );
  const once = draw(1, { shape: 'RATE', callsPerSecond: 50 });
  t.ok(once.every(({ load }) => load === null));
});

t.test('plan', async (t) => {
  const accounts = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((id) => accountNamed(`u${id}`, { id }));
  let n = 0;
  const plan = planRun({
    config: config('pbx', 'pbx'),
    buildupSeconds: 3,
    parts: [
      { subPopulationId: 's1', workerId: 'w1', endpoints: 2, atOnce: 2 },
      { subPopulationId: 's1', workerId: 'w2', endpoints: 1, atOnce: 1 },
      { subPopulationId: 's2', workerId: 'w1', endpoints: 3, atOnce: 3 },
    ],
    listeners: new Map([
      [
        'w1',
        [
          { address: '10.0.0.1', port: 5060 },
          { address: '10.0.0.1', port: 5061 },
        ],
      ],
      ['w2', [{ address: '10.0.0.2', port: 5060 }]],
    ]),
    registrars: new Map([['pbx', registrar('pbx')]]),
    accounts: new Map([['pbx', accounts]]),
    runToken: 'r',
    newId: () => `id${n++}`,
  });
  const endpoints = plan.flatMap((i) => i.endpoints);
  t.same(
    endpoints.map((e) => e.number),
    [0, 1, 2, 3, 4, 5],
  );
  t.same(
    endpoints.map((e) => e.account?.id),
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'],
    'named accounts go to the sub-population that names them',
  );
  t.same(
    endpoints.slice(0, 3).map((e) => e.calleeUri),
    ['sip:ua4@pbx.example:5070', 'sip:ua5@pbx.example:5070', 'sip:ua6@pbx.example:5070'],
  );
  t.same(
    endpoints.map((e) => e.listener),
    [0, 1, 0, 0, 1, 0],
    'endpoints are spread over the agent’s threads',
  );
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 4, 16),
      fc.array(fc.tuple(fc.constantFrom('w1', 'w2'), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 12 }),
      (threads, parts) => {
        const listener = (i: number) => ({ address: '10.0.0.1', port: 5060 + i });
        const listeners = Array.from({ length: threads }, (_, i) => listener(i));
        const planned = planRun({
          config: config('cloud', 'cloud'),
          buildupSeconds: 3,
          // Receivers as well: a callee needs a worker.
          parts: [
            ...parts.map(([workerId, endpoints]) => ({
              subPopulationId: 's1',
              workerId,
              endpoints,
              atOnce: endpoints,
            })),
            { subPopulationId: 's2', workerId: 'w1', endpoints: 3, atOnce: 3 },
          ],
          listeners: new Map([
            ['w1', listeners],
            ['w2', listeners],
          ]),
          registrars: new Map([['cloud', registrar('cloud', { isCloud: true })]]),
          accounts: new Map(),
          runToken: 'r',
          newId: () => 'id',
        });
        return ['w1', 'w2'].every((workerId) => {
          const mine = planned.filter((p) => p.workerId === workerId).flatMap((p) => p.endpoints);
          const loads = listeners.map((_, i) => mine.filter((e) => e.listener === i).length);
          return Math.max(...loads) - Math.min(...loads) <= 1;
        });
      },
    ),
    { numRuns: 100 },
  );
  t.same(
    endpoints.map((e) => e.countsAsCall),
    [true, true, true, false, false, false],
  );
  t.equal(new Set(endpoints.map((e) => e.user)).size, 6);
});

t.test('what a test needs', async (t) => {
  const both = new Map([
    ['pbx', registrar('pbx')],
    ['cloud', cloud],
  ]);
  t.equal(missing(config('cloud', 'cloud'), both, new Map()), null);
  t.match(missing(config('gone', 'cloud'), both, new Map()), { code: 'REGISTRAR_MISSING' });
  t.match(
    missing(
      config('pbx', 'pbx'),
      both,
      new Map([['pbx', ['a1', 'a2', 'a4', 'a5', 'a6'].map((id) => accountNamed(id))]]),
    ),
    {
      code: 'SIP_ACCOUNTS_MISSING',
      message: /add 1/,
    },
  );
  t.same(
    reachFaults(config('pbx', 'cloud'), both).map((f) => f.path),
    ['groups[0].registrar'],
  );
  t.same(testFaults(config('pbx', 'pbx')), []);
  const crowded = config('cloud', 'cloud');
  const [callers] = crowded.groups;
  if (callers?.subPopulations[0]) callers.subPopulations[0].endpoints = 4;
  t.match(testFaults(crowded), [{ path: 'groups[0].callee.group', message: /4 callers for the 3 callees/ }]);
});

t.test('accounts that are there are counted as they are dealt', async (t) => {
  const registrars = new Map([['pbx', registrar('pbx')]]);
  const ids = fc.constantFrom('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
  const lists = fc.option(fc.uniqueArray(ids, { maxLength: 6 }));
  const size = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(ids), lists, lists, size, size, (there, callerIds, calleeIds, callers, callees) => {
      const test = config('pbx', 'pbx');
      const [first, second] = test.groups.map((g) => g.subPopulations[0]) as [object, object];
      Object.assign(first, { endpoints: callers, sipAccountIds: callerIds });
      Object.assign(second, { endpoints: callees, sipAccountIds: calleeIds });
      const accounts = new Map([['pbx', there.map((id) => accountNamed(id))]]);
      const plan = () =>
        planRun({
          config: test,
          buildupSeconds: 0,
          parts: [
            { subPopulationId: 's1', workerId: 'w', endpoints: callers, atOnce: callers },
            { subPopulationId: 's2', workerId: 'w', endpoints: callees, atOnce: callees },
          ],
          listeners: new Map([['w', [{ address: '10.0.0.1', port: 5060 }]]]),
          registrars,
          accounts,
          runToken: 'r',
          newId: () => 'id',
        });
      const refusal = missing(test, registrars, accounts);
      if (refusal) {
        t.equal(refusal.code, 'SIP_ACCOUNTS_MISSING');
        t.throws(plan, /fewer SIP accounts/);
      } else {
        t.equal(plan().flatMap((i) => i.endpoints).length, callers + callees);
      }
    }),
  );
  const named = config('pbx', 'pbx');
  const pool = new Map([['pbx', ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((id) => accountNamed(id))]]);
  t.match(missing(named, registrars, pool), { message: /all of group callees .* names 0 .* name 3 more/ });
});

t.test('SIP hosts', async (t) => {
  for (const [uri, expected] of [
    ['sip:pbx.example', { host: 'pbx.example', port: null }],
    ['sip:1001@10.0.0.1:5070;transport=udp', { host: '10.0.0.1', port: 5070 }],
    ['<sip:[2001:db8::1]:5061;lr>', { host: '2001:db8::1', port: 5061 }],
    ['sip:a@b:70000', undefined],
    ['http://x', undefined],
    ['sip:', undefined],
  ] as const) {
    t.same(sipHost(uri), expected, uri);
  }
  t.equal(hostPort({ host: '2001:db8::1', port: null }, 5060), '[2001:db8::1]:5060');
});

t.test('network effectiveness: the table of the README', async (t) => {
  const rows: [string, Parameters<typeof isEffective>[0], boolean][] = [
    ['answered', { answered: true, finalStatus: 200, rang: true, gaveUp: false }, true],
    ['busy', { answered: false, finalStatus: 486, rang: false, gaveUp: false }, true],
    ['busy everywhere', { answered: false, finalStatus: 600, rang: false, gaveUp: false }, true],
    ['unavailable', { answered: false, finalStatus: 480, rang: false, gaveUp: false }, true],
    ['declined', { answered: false, finalStatus: 603, rang: true, gaveUp: false }, true],
    ['unwanted', { answered: false, finalStatus: 607, rang: false, gaveUp: false }, true],
    ['rang, we gave up', { answered: false, finalStatus: 487, rang: true, gaveUp: true }, true],
    ['did not ring, we gave up', { answered: false, finalStatus: 487, rang: false, gaveUp: true }, false],
    ['408 after ringing', { answered: false, finalStatus: 408, rang: true, gaveUp: false }, true],
    ['408 without', { answered: false, finalStatus: 408, rang: false, gaveUp: false }, false],
    ['not found', { answered: false, finalStatus: 404, rang: false, gaveUp: false }, false],
    ['server error', { answered: false, finalStatus: 503, rang: false, gaveUp: false }, false],
    ['nothing at all', { answered: false, finalStatus: null, rang: false, gaveUp: false }, false],
  ];
  for (const [what, seizure, expected] of rows) t.equal(isEffective(seizure), expected, what);
});

t.test('figures', async (t) => {
  t.same(distributionOf({ percentiles: null, avg: null, min: null, max: null, count: 0 }), {
    p50: 0,
    p95: 0,
    p99: 0,
    avg: 0,
    min: 0,
    max: 0,
    count: 0,
  });
  const row = (status: number, count: number, more = {}) => ({
    sent: false,
    method: 'INVITE',
    status,
    reason: 'R',
    count,
    retransmissions: 0,
    ...more,
  });
  const responses = sipResponsesOf([
    row(200, 3),
    row(200, 1, { method: 'BYE' }),
    row(486, 4, { reason: 'Busy' }),
    row(0, 9),
    row(100, 9, { sent: true }),
  ]);
  t.same(responses, [
    { statusCode: 200, reasonPhrase: 'R', count: 4, percentage: 50, methods: { INVITE: 3, BYE: 1 } },
    { statusCode: 486, reasonPhrase: 'Busy', count: 4, percentage: 50, methods: { INVITE: 4 } },
  ]);
  const odd = sipResponsesOf(['constructor', '__proto__'].map((method) => row(200, 2, { method })));
  t.equal(JSON.stringify(odd[0]?.methods), '{"constructor":2,"__proto__":2}', 'methods are what strangers call them');
});
