/** From a test to the plan of its run: endpoints, accounts, instants. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { config, registrar } from '../../../testing/planned-tests.ts';
import { missing } from '../preflight/needs.ts';
import { planRun } from './plan.ts';

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
