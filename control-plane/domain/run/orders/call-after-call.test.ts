/** Endpoints with several calls, callers that register and callees of many calls: what may be requested, planned, ordered. */
import t from 'tap';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import { GroupBody } from '../../../contract/test-settings/test-body.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { registrationSeconds } from '../load/timetable.ts';
import { peaks } from '../plan/peak.ts';
import { planRun, type RegistrarPlan } from '../plan/plan.ts';
import { lacks } from '../preflight/abilities.ts';
import { reachFaults, testFaults } from '../preflight/needs.ts';
import { allocateOrder } from './orders.ts';

const [CALLERS, CALLEES] = [4, 5];
const pbx: RegistrarPlan = {
  id: 'pbx',
  uri: 'sip:pbx.example:5070',
  isCloud: false,
  register: true,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
};
const registrars = new Map([['pbx', pbx]]);

const group = (name: string, callee: object, role: string, endpoints: number, calls: number | null) =>
  GroupBody.parse({
    ...{ name, id: name, registrarId: 'pbx', callee, placement: { mode: 'REGION', region: 'local' } },
    subPopulations: [{ id: `${name} all`, name: 'all', role, endpoints, calls }],
  });

const config = (calls: number | null, taken: number | null): TestConfig =>
  ({
    groups: [
      group('callers', { mode: 'GROUP', groupId: 'callees' }, 'CALLER', CALLERS, calls),
      group('callees', { mode: 'RECEIVE' }, 'CALLEE', CALLEES, taken),
    ],
    load: { shape: 'RATE', callsPerSecond: 20, ...(calls === null && { seconds: 3600 }) },
    breaker: null,
    thresholds: [],
    maxExecutionSeconds: null,
  }) as unknown as TestConfig;

t.test('callees take as many calls each as their callers place', (t) => {
  for (const [placed, taken] of [
    [null, null],
    [3, 3],
    [3, null],
    [1, 4],
  ] as const) {
    t.same(testFaults(config(placed, taken)), [], `${placed} ${taken}`);
    t.same(reachFaults(config(placed, taken), registrars), []);
  }
  for (const [placed, taken, message] of [
    [3, 2, /^callers place 3 calls each, and the callees of callees take 2 each/],
    [null, 5, /as many calls as the load asks for, and the callees of callees take 5 each/],
    [2, 1, /take 1 each: set calls there, too/],
  ] as const)
    t.match(testFaults(config(placed, taken)), [{ path: 'groups[0].callee.group', message }]);
  t.end();
});

t.test('agents that cannot keep a registration over many calls are named', (t) => {
  const can = { audioCodecs: ['PCMU', 'PCMA'], mediaSources: ['TONE'], sipAbilities: ['LOAD'] };
  const { groups } = config(null, null);
  for (const one of groups) t.same(lacks(one, can, groups, pbx), ['CALL_AFTER_CALL'], one.name);
  const trunk = { ...pbx, register: false };
  t.same(
    groups.map((one) => lacks(one, can, groups, trunk)),
    [[], ['CALL_AFTER_CALL']],
    'callers that do not register need no more than a load',
  );
  const [, callees] = config(1, 1).groups;
  t.same(callees && lacks(callees, can, [callees], pbx), []);
  t.end();
});

t.test('all endpoints count at once, whatever the load: they are registered, or may be in a call', (t) => {
  const all = peaks(config(null, null), { buildupSeconds: 3600, durationSeconds: 1 }, () => true);
  t.same([...all.values()], [CALLERS, CALLEES]);
  const trunk = peaks(config(null, null), { buildupSeconds: 3600, durationSeconds: 1 }, () => false);
  t.same([...trunk.values()], [CALLERS, CALLERS], 'callees answer no more at once than callers there are');
  t.end();
});

t.test('registrations take as long as the build-up, or where a load goes on as its rate makes them', (t) => {
  t.equal(registrationSeconds(100, 7, null), 7);
  t.equal(registrationSeconds(100, 3600, 50), 2);
  t.equal(registrationSeconds(100, 3600, 0.01), 10, 'at least ten a second');
  t.equal(registrationSeconds(100, 1, 50), 1);
  t.end();
});

t.test('what agents are ordered', (t) => {
  let n = 0;
  const order = (calls: number | null, taken: number | null, change = (one: Group): Group => one) => {
    const test = config(calls, taken);
    const planned = planRun({
      config: test,
      buildupSeconds: 3600,
      parts: [
        { subPopulationId: 'callers all', workerId: 'w', endpoints: CALLERS, atOnce: CALLERS },
        { subPopulationId: 'callees all', workerId: 'w', endpoints: CALLEES, atOnce: CALLEES },
      ],
      listeners: new Map([['w', [{ address: '10.0.0.1', port: 5060 }]]]),
      registrars,
      accounts: new Map([['pbx', Array.from({ length: CALLERS + CALLEES }, (_, i) => accountNamed(`u${i}`))]]),
      runToken: 'r',
      newId: () => `id${n++}`,
    });
    const run = { id: 'run', config: { ...test, groups: test.groups.map(change) }, endpoints: CALLERS + CALLEES };
    const times = { durationSeconds: 2, buildupSeconds: 3600, maxExecutionSeconds: 4000 };
    return planned.map((instance) => allocateOrder({ ...run, ...times }, instance, new Map()));
  };
  const [callers, callees] = order(null, 7);
  t.match(callers?.load, { shape: 'EVEN', steps: [{ seconds: 3600, callsPerSecond: 20 }], callsEach: 0 });
  t.same(callees?.load, {
    ...{ shape: '', steps: [], calls: 0, seed: 0, partFrom: 0, partUntil: 0, parts: 0 },
    ...{ callsEach: 7, runEndpoints: CALLERS + CALLEES },
  });
  t.equal(callees?.receiveWindowMs, callees?.hardEndMs, 'they are told when no more will come');
  for (const action of [
    { do: 'REFER', target: 'sip:9@pbx.example' },
    { do: 'ATTENDED_TRANSFER', target: 'sip:9@pbx.example' },
  ] as const) {
    const transferring = order(null, 7, (one) => ({
      ...one,
      actions: one.name === 'callers' ? [{ trigger: { on: 'ANSWERED', afterSeconds: 1 }, action }] : [],
    }));
    t.same(
      transferring.map(({ calleeEndsAfterMs }) => calleeEndsAfterMs),
      transferring.map(() => 4000),
      'a callee hangs up after the planned length where callers transfer their calls',
    );
  }
  t.equal(callees?.calleeEndsAfterMs, 0);
  for (const one of [callers, callees]) {
    const { registerAtMs = [], callAtMs = [] } = one?.endpoints ?? {};
    t.ok(
      registerAtMs.every((at, i) => at < 900 && at >= (registerAtMs[i - 1] ?? 0)),
      registerAtMs.join(),
    );
    t.ok(callAtMs.every((at) => at === 0));
  }
  const [, once] = order(1, 1);
  t.equal(once?.load, null);
  t.equal(once?.receiveWindowMs, 3_603_000);
  t.end();
});
