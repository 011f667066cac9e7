/** A run waits for its agents: for a number, or for room; what is missing is said; the time ends it; it can be cancelled. */
import t from 'tap';
import type { Input } from '../../../contract/catalogue.ts';
import { HANDLERS } from '../../../handlers.ts';
import { acme, FakeAgent, openWorld, ownerContext, TOKENS } from '../../../testing/world.ts';

const world = await openWorld(t);
await world.provision(acme(15));
world.hold();
const owner = await ownerContext(world);
const { db } = world.database;
const test = await db.selectFrom('tests').select(['id', 'project_id as projectId']).executeTakeFirstOrThrow();
const { projectId } = test;

type Wait = NonNullable<Input<'runTest'>['waitForAgents']>;
const begin = async (waitForAgents: Wait) =>
  (await HANDLERS.runTest(owner, { projectId, testId: test.id, waitForAgents })).testRunId;
const runOf = (testRunId: string) => HANDLERS.getTestRun(owner, { projectId, testRunId });
/** The next look. */
const look = async () => {
  world.pass(2);
  await world.work();
};

t.jobs = 1;

t.test('nobody comes: it is PENDING, says what is missing, and ends when its time is up', async (t) => {
  const id = await begin({ withinSeconds: 90 });
  await world.work();
  t.match(await runOf(id), { status: 'PENDING', waiting: { agents: null, online: 0, missing: /No worker is online/ } });
  for (let passed = 0; passed < 88; passed += 2) await look();
  t.equal((await runOf(id)).status, 'PENDING', 'also after the time that a run may otherwise be PENDING');
  await look();
  const { status, error, waiting } = await runOf(id);
  t.match(
    { status, error },
    { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'NO_ONLINE_WORKER', message: /has waited/ } },
  );
  t.equal(waiting, null);
  t.same(await world.work(), [], 'nothing goes on');
});

t.test('it waits for room, or for a number of agents; a cancelled one no longer', async (t) => {
  const [room, two, cancelled] = [
    await begin({ withinSeconds: 600 }),
    await begin({ agents: 2, withinSeconds: 600 }),
    await begin({ withinSeconds: 600 }),
  ];
  await world.work();
  await HANDLERS.cancelTestRun(owner, { projectId, testRunId: cancelled });
  await new FakeAgent(world).greet(TOKENS[0]);
  await look();
  t.match(
    await runOf(room),
    { status: 'PENDING', waiting: { online: 1, missing: /room for/ } },
    '30 endpoints, 20 places',
  );
  t.match(await runOf(two), { status: 'PENDING', waiting: { agents: 2, online: 1, missing: /^1 of 2 agents/ } });
  await new FakeAgent(world).greet(TOKENS[1]);
  await look();
  t.match(await runOf(room), { status: 'QUEUED', waiting: null });
  t.notMatch(await runOf(two), { status: 'PENDING' }, 'its number is there; whether it has room is another question');
  t.equal((await runOf(cancelled)).status, 'CANCELLED');
});

t.test('two things cannot both precede a load', async (t) => {
  const { id: probeId } = await db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
  // Without the other feature its setting is unknown, which is refused as well.
  const canary = { probeId, calls: 1, everySeconds: 5 };
  const both = { projectId, testId: test.id, waitForAgents: { withinSeconds: 5 }, canary };
  await t.rejects(HANDLERS.runTest(owner, both), { code: 'VALIDATION_ERROR' });
});
