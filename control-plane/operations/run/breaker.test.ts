/** The circuit breaker over all workers of a group: agents report, the control plane decides, on a real database. */
import t from 'tap';
import { BLOCKED_CALLS, breakReason } from '../../domain/run/breaker.ts';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  startRun,
  TOKENS,
} from '../../testing/world.ts';

const world = await openWorld(t);
await world.provision(acme(40, 100));
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
await agents[0].greet(TOKENS[0]);
await agents[1].greet(TOKENS[1]);

t.test('what the sums say', (t) => {
  const sums = (calls: number, failures: number, allCalls = calls + 1, allBlocked = 0) =>
    breakReason({ failurePercent: 50, minCalls: 20 }, { calls, failures, allCalls, allBlocked });
  t.equal(sums(19, 19), null, 'too few');
  t.equal(sums(20, 9), null);
  t.equal(sums(20, 10), '10 of 20 calls of all workers failed in the last 10 s');
  t.equal(sums(9, 9, 9, 9), null);
  t.match(sums(10, 10, BLOCKED_CALLS, BLOCKED_CALLS), /^the far end blocked all of 10 calls of all workers$/);
  t.equal(sums(10, 10, 11, 10), null, 'one that got through says otherwise');
  t.equal(sums(0, 0, 0, 0), null, 'nothing was placed');
  t.end();
});

/** A run of 40 callers on both agents, in progress; its callers' allocations, by agent. */
async function running() {
  const run = await startRun(world);
  await world.work();
  const orders = await Promise.all(agents.map(async (agent) => (await agent.orders()).filter(isAllocate)));
  for (const [i, agent] of agents.entries()) {
    const ready = (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' }));
    await agent.send({ allocations: ready });
  }
  await Promise.all(agents.map((agent) => agent.orders()));
  const callers = orders.map((list) => list.find(({ role }) => role === 'CALLER')?.allocationId ?? '');
  const end = async () => {
    for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
    await world.work();
    await Promise.all(agents.map((agent) => agent.orders()));
  };
  const breakers = async () => {
    const { rows } = await HANDLERS.listTestRunEvents(run.context, {
      projectId: run.projectId,
      testRunId: run.runId,
      kind: 'BREAKER',
      page: 1,
      per_page: 100,
    } as never);
    return rows.map(({ detail }) => detail);
  };
  const orderedBreaker = (orders[0] ?? []).find(({ role }) => role === 'CALLER')?.breaker;
  return { ...run, callers, end, breakers, orderedBreaker };
}

const second = (ago = 0): number => Math.floor(world.ports.now().getTime() / 1000) - ago;
const tally = (calls: number, failures: number, ago = 0, blocked = 0) => ({
  second: [second(ago)],
  calls: [calls],
  failures: [failures],
  blocked: [blocked],
});
const orderKinds = async () =>
  (await Promise.all(agents.map((agent) => agent.orders()))).map((list) => list.map((order) => order.kind));

t.test('two agents of which neither has seen enough: the control plane adds up, and tells both, once', async (t) => {
  const { callers, end, breakers, orderedBreaker } = await running();
  t.match(orderedBreaker, { minCalls: 20, failurePercent: 50 }, 'each is told the rule of the whole group');
  const say = (i: 0 | 1, one: ReturnType<typeof tally>) =>
    agents[i].send({ allocations: [allocationFacts(callers[i] ?? '', { tally: one })] });
  await say(0, tally(12, 6, 2));
  t.same([await orderKinds(), await breakers()], [[[], []], []]);
  await say(1, tally(7, 3));
  t.same(await orderKinds(), [[], []], '19 calls');
  await say(1, tally(1, 1));
  t.same(await orderKinds(), [['breakOff'], ['breakOff']], 'the one that told it, too');
  t.same(await breakers(), ['10 of 20 calls of all workers failed in the last 10 s: no more calls']);
  await say(0, tally(20, 20));
  const breach = { unixMs: world.ports.now().getTime(), untilUnixMs: 0, reason: 'own' };
  await agents[0].send({ allocations: [allocationFacts(callers[0] ?? '', { breaches: [breach] })] });
  t.same([await orderKinds(), (await breakers()).length], [[[], []], 1], 'what is known is not told again');
  await end();
});

t.test('what is long ago, of an agent that was away, or of calls that got through, opens nothing', async (t) => {
  const { callers, end, breakers } = await running();
  const say = (i: 0 | 1, one: ReturnType<typeof tally>) =>
    agents[i].send({ allocations: [allocationFacts(callers[i] ?? '', { tally: one })] });
  await say(0, tally(100, 100, 40));
  await say(0, tally(10, 0, 12));
  await say(1, tally(10, 10, 1));
  await say(1, tally(100, 0));
  await say(0, tally(50, 50));
  t.same([await orderKinds(), await breakers()], [[[], []], []]);
  await end();
});

t.test('an agent’s own certain case waits for nobody; the others are told', async (t) => {
  const { callers, end, breakers } = await running();
  const breach = { unixMs: world.ports.now().getTime(), untilUnixMs: 0, reason: '20 of 20 calls failed' };
  await agents[0].send({
    allocations: [allocationFacts(callers[0] ?? '', { breaches: [breach], tally: tally(20, 20) })],
  });
  t.same(await orderKinds(), [[], ['breakOff']]);
  t.same(await breakers(), ['20 of 20 calls failed: no more calls']);
  await end();
});

t.test('all blocked as fraud, over both; two batches at a time', async (t) => {
  const { callers, end, breakers } = await running();
  await Promise.all(
    agents.map((agent, i) =>
      agent.send({ allocations: [allocationFacts(callers[i] ?? '', { tally: tally(5, 5, 0, 5) })] }),
    ),
  );
  t.same(await orderKinds(), [['breakOff'], ['breakOff']]);
  t.match(await breakers(), [/^the far end blocked all of 10 calls of all workers: no more calls$/]);
  await end();
});
