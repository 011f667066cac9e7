/** A database older than the reports of agents: lost data are reported, and every run ends. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { greet } from './greet.ts';
import { noteStorageFault } from './storage-faults.ts';

const world = await openWorld(t);
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
const takeOrders = () => Promise.all(agents.map((agent) => agent.orders()));

const eventsOf = async (run: Awaited<ReturnType<typeof runningRun>>) => {
  const { projectId, runId: testRunId, context } = run;
  const query = { projectId, testRunId, kind: 'WORKER' as const, page: 1, per_page: 10 };
  return (await HANDLERS.listTestRunEvents(context, query)).rows.map((e) => e.detail);
};
const forgotten = {
  first: 14,
  last: 30,
  from: new Date('2026-11-23T12:00:03Z'),
  to: new Date('2026-11-23T12:00:40Z'),
};

t.test('an agent that goes on in a new outbox: the run says once what is lost, and ends', async (t) => {
  const run = await runningRun(world, agents);
  await takeOrders();
  const held = (run.orders[0] ?? []).map((o) => o.allocationId);
  const [callers] = run.orders[0] ?? [];
  const again = new FakeAgent(world, agents[0].publicKey, randomUUID());
  const greeting = { ...again.greeting('', held), forgotten };
  await greet(world.ports, greeting);
  again.welcome = (await greet(world.ports, greeting)) as never;
  t.same(await eventsOf(run), [
    'edge-1 had reported data that this database, restored to an older state, does not have: what it reported from 2026-11-23T12:00:03.000Z to 2026-11-23T12:00:40.000Z is lost (batches 14 to 30)',
  ]);
  const audit = await world.database.db
    .selectFrom('audit_entries')
    .orderBy('id')
    .select(['action', 'target'])
    .execute();
  t.match(audit.at(-1), { action: 'agentFactsLost', target: { facts: /^batches 14 to 30/ } });

  // The end of its first call is in the lost part.
  const [lost, ...rest] = callers?.endpoints.number ?? [];
  const others = (run.orders[0] ?? []).slice(1);
  await again.send({
    allocations: [
      allocationFacts(callers?.allocationId ?? '', { outcomes: rest.map((n) => outcomeFact(n)), state: 'DONE' }),
      ...(allDone(others).allocations ?? []),
    ],
  });
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  t.match(await runRow(world, run.runId), {
    status: 'COMPLETED',
    call_timing: { totalCalls: 3, successCount: 3, errorCount: 0, inProgressCount: 0 },
  });
  const ends = await world.database.db
    .selectFrom('endpoints')
    .where('run_id', '=', run.runId)
    .where('number', '=', lost as number)
    .select(['outcome', 'cause', 'cause_text'])
    .execute();
  t.match(ends, [{ outcome: 'CALL_FAILED', cause: 'WORKER_LOST', cause_text: /did not report the end of this call/ }]);
  t.match((await eventsOf(run)).at(-1), /^edge-1 has ended its share, and did not report the end of 1 of 2 endpoints/);
  await takeOrders();
});

t.test('an agent whose share has ended in what is lost: the share is lost, and why', async (t) => {
  const run = await runningRun(world, agents);
  await takeOrders();
  const again = new FakeAgent(world, agents[0].publicKey, randomUUID());
  again.welcome = (await greet(world.ports, { ...again.greeting('', []), forgotten })) as never;
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  t.match(
    (await eventsOf(run)).at(-1),
    /timed out with 2 endpoints: The database came back older than the end of this share/,
  );
  await takeOrders();
});

t.test('an older agent, which does not say that the database came back older: its process is the same', async (t) => {
  const run = await runningRun(world, agents);
  await takeOrders();
  const greeting = agents[0].greeting(
    '',
    (run.orders[0] ?? []).map((o) => o.allocationId),
  );
  await greet(world.ports, greeting);
  await greet(world.ports, { ...greeting, heldAllocationIds: [] });
  await agents[1].send(allDone(run.orders[1] ?? []));
  world.pass(31);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  t.match((await eventsOf(run)).at(-1), /timed out .*The database came back older than the end of this share/);
  await takeOrders();
});

t.test('times that nobody knows are not told', async (t) => {
  const run = await runningRun(world, agents);
  const again = new FakeAgent(world, agents[0].publicKey, randomUUID());
  const held = (run.orders[0] ?? []).map((o) => o.allocationId);
  await greet(world.ports, { ...again.greeting('', held), forgotten: { first: 3, last: 3, from: null, to: null } });
  t.match(await eventsOf(run), [/what it reported is lost \(batch 3\)$/]);
});

t.test(
  'an agent that was enrolled since: refused with the cure, and let in again by a token with what it has',
  async (t) => {
    const run = await runningRun(world, agents);
    await takeOrders();
    // Its key changed after the backup.
    const outboxId = randomUUID();
    const stranger = new FakeAgent(world, undefined, outboxId);
    const held = (run.orders[1] ?? []).map((o) => o.allocationId);
    t.match(await greet(world.ports, stranger.greeting('', held)), {
      code: 'UNKNOWN_AGENT',
      message: /older than its enrollment.*carillon-agent enroll --url .* --token .*is kept/,
    });
    const { joinToken } = await HANDLERS.renewJoinToken(run.context, { workerId: agents[1].workerId });
    await stranger.greet(joinToken, held);
    await stranger.send(allDone(run.orders[1] ?? []));
    await agents[0].send(allDone(run.orders[0] ?? []));
    await world.work();
    t.match(await runRow(world, run.runId), { status: 'COMPLETED' });
    const rows = await world.database.db
      .selectFrom('sub_population_instances')
      .where('run_id', '=', run.runId)
      .where('worker_id', '=', stranger.workerId)
      .select('status')
      .execute();
    t.same(rows, [{ status: 'DONE' }, { status: 'DONE' }], 'what it had is in the figures');
  },
);

t.test('an agent that cannot keep what it measures: its runs say what that may cost', async (t) => {
  const run = await runningRun(world, agents);
  await noteStorageFault(world.ports, agents[0].workerId, 'ENOSPC: no space left on device');
  await noteStorageFault(world.ports, agents[0].workerId, '');
  t.match(await eventsOf(run), [
    /^edge-1 cannot store its measurements on disk \(ENOSPC: no space left on device\): .* is lost if it ends while it is disconnected$/,
    /^edge-1 can store its measurements on disk again$/,
  ]);
});
