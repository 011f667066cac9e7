/** The budget of a key, taken in blocks: never more than the limit passes, and each answer says how much is left. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { DEFAULT_PLANS } from '../contract/people/plans.ts';
import type { Ports } from '../ports.ts';
import type { Database } from '../store/db.ts';
import { openWorld } from '../testing/world.ts';
import { BudgetSpent, type Spender, spend } from './budget.ts';

const world = await openWorld(t);
world.hold();
let keys = 0;
const newActor = (): Spender => ({
  by: 'KEY',
  credentialId: `01a00000-0000-7000-8000-${String(++keys).padStart(12, '0')}`,
  plan: 'PRO',
});

/** Another control plane on the same database. */
function replica(requestsPerMinute: number): Ports {
  const database: Database = { ...world.database };
  const plans = { ...DEFAULT_PLANS, PRO: { ...DEFAULT_PLANS.PRO, requestsPerMinute } };
  return { ...world.ports, database, settings: { ...world.ports.settings, plans } };
}

/** What is left afterwards, or null: refused. */
const ask = (ports: Ports, actor: Spender): Promise<number | null> =>
  spend(ports, actor).then(
    ({ remaining }) => remaining,
    (error: unknown) => {
      if (error instanceof BudgetSpent && error.budget.remaining === 0) return null;
      throw error;
    },
  );

t.test('one replica: each request costs one, and the last is the last', async (t) => {
  for (const limit of [1, 7, 120, 500]) {
    const ports = replica(limit);
    const actor = newActor();
    const left: (number | null)[] = [];
    for (let i = 0; i < limit + 3; i++) left.push(await ask(ports, actor));
    t.same(left, [...Array.from({ length: limit }, (_, i) => limit - 1 - i), null, null, null], `${limit}`);
  }
});

t.test('many at once: as many pass as may, each with a number of its own', async (t) => {
  const ports = replica(500);
  const actor = newActor();
  const left = await Promise.all(Array.from({ length: 700 }, () => ask(ports, actor)));
  const passed = left.filter((n) => n !== null).sort((a, b) => b - a);
  t.same(
    passed,
    Array.from({ length: 500 }, (_, i) => 499 - i),
  );
});

t.test(
  'many replicas: never more than the limit pass; fewer by at most a hundredth of it for each other one',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(10, 150, 199, 200, 450),
        fc.integer({ min: 2, max: 4 }),
        fc.array(fc.nat(3), { minLength: 10, maxLength: 20 }),
        async (limit, count, turns) => {
          const replicas = Array.from({ length: count }, () => replica(limit));
          const actor = newActor();
          let passed = 0;
          for (let asked = 0; asked < 2 * limit; ) {
            const burst = turns.map((turn) => ask(replicas[turn % count] as Ports, actor));
            asked += burst.length;
            passed += (await Promise.all(burst)).filter((n) => n !== null).length;
          }
          // The last one asked gets the rest, whatever the others hold.
          for (let left = await ask(replicas[0] as Ports, actor); left !== null; ) {
            passed++;
            left = await ask(replicas[0] as Ports, actor);
          }
          const held = (count - 1) * (limit < 200 ? 0 : Math.floor(limit / 100));
          return passed <= limit && passed >= limit - held;
        },
      ),
      { numRuns: 12 },
    );
  },
);

t.test('the next minute has its own', async (t) => {
  const ports = replica(2);
  const actor = newActor();
  for (const left of [1, 0, null]) t.equal(await ask(ports, actor), left);
  world.pass(60);
  t.equal(await ask(ports, actor), 1);
});

t.test('a database that is away for one request is asked again by the next', async (t) => {
  const ports = replica(10);
  const actor = newActor();
  const { db } = ports.database;
  const broken = { ...ports.database, db: undefined as unknown as typeof db };
  const database = Object.assign(broken, {});
  await t.rejects(Promise.all([spend({ ...ports, database }, actor), spend({ ...ports, database }, actor)]));
  Object.assign(database, { db });
  t.equal(await ask({ ...ports, database }, actor), 9);
});
