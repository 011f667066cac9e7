/** Which database a read gets: the standby's only where nothing can be missed. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Ports } from '../../ports.ts';
import { acme, allDone, FakeAgent, openWorld, runningRun, TOKENS } from '../../testing/world.ts';
import { reading } from './reading.ts';

const world = await openWorld(t);
await world.provision(acme());
const agents = TOKENS.map(() => new FakeAgent(world));
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

/** The same rows: only the object tells that they come from there. */
const copy = { ...world.database };
const sinceAllMs: number[] = [];
const failures: unknown[] = [];
let isComplete = true;
const ports: Ports = {
  ...world.ports,
  standby: {
    upTo(sinceMs) {
      sinceAllMs.push(sinceMs);
      return isComplete ? copy : null;
    },
    failed: (error) => void failures.push(error),
    lagSeconds: () => 0,
    look: async () => null,
    close: async () => undefined,
  },
};
const from = (runId?: string, its = ports) =>
  reading(its, runId, async ({ database }) => (database === copy ? 'standby' : 'primary'));

t.jobs = 1;

t.test('from the standby, if there is one that has the last known change', async (t) => {
  t.equal(await from(undefined, world.ports), 'primary', 'there is none');
  t.equal(await from(), 'standby');
  ports.memory.forget();
  t.equal(await from(), 'standby');
  const [first = 0, second = 0] = sinceAllMs;
  t.ok(second > first, 'a change is asked for');
  isComplete = false;
  t.equal(await from(), 'primary');
  isComplete = true;
});

t.test('a run, once it has ended', async (t) => {
  const { runId, orders } = await runningRun(world, agents);
  t.equal(await from(runId), 'primary', 'it still grows');
  for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  t.equal(await from(runId), 'standby');
  t.equal(await from(randomUUID()), 'primary', 'one that it does not know');
  t.equal(await from('no id'), 'primary');
});

t.test('what fails there is asked of the primary', async (t) => {
  const gone = new Error('Connection terminated unexpectedly');
  const answer = await reading(ports, undefined, async ({ database }) => {
    if (database === copy) throw gone;
    return 'primary';
  });
  t.equal(answer, 'primary');
  t.same(failures, [gone]);
});
