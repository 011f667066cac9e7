/**
 * The database cost of facts of calls, in rows read and written: the same per call in a run of thousands as in one of a
 * hundred, whatever statistics the planner has. Plans are the generic ones that prepared statements eventually use, and the run
 * has not been analyzed.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import type { AllocationFacts, Facts, ReportedFinding } from '../../domain/run/facts.ts';
import type { Tx } from '../../store/db.ts';
import { insertEndpoints } from '../../store/run/endpoints.ts';
import { aboutPlans } from '../../testing/database.ts';
import { streamFact } from '../../testing/reading.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  messageChunk,
  openWorld,
  outcomeFact,
  runningRun,
  someSamples,
  TOKENS,
} from '../../testing/world.ts';

const CALLS = 100;
const MORE = 20_000;
const MESSAGES = ['INVITE', '180', '200', 'ACK', 'BYE', '200'];

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme(CALLS, 1000));
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
for (const table of ['endpoints', 'findings', 'streams', 'sip_messages', 'run_events'])
  await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);

type Effort = { readonly rowsRead: number; readonly rowsWritten: number; readonly endpointsWritten: number };
const NONE: Effort = { rowsRead: 0, rowsWritten: 0, endpointsWritten: 0 };
let last = NONE;

/** Of this connection since it last published them: those of earlier transactions may be included. */
async function counters(tx: Tx): Promise<Effort> {
  const { rows } = await sql<Effort>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as "rowsRead",
      sum(n_tup_ins + n_tup_upd)::float8 as "rowsWritten",
      coalesce(sum(n_tup_upd) filter (where relname = 'endpoints'), 0)::float8 as "endpointsWritten"
    from pg_stat_xact_user_tables`.execute(tx);
  return rows[0] as Effort;
}

const { transaction } = world.database;
world.ports.database.transaction = (work) =>
  transaction(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
    const before = await counters(tx);
    const result = await work(tx);
    const after = await counters(tx);
    last = {
      rowsRead: after.rowsRead - before.rowsRead,
      rowsWritten: after.rowsWritten - before.rowsWritten,
      endpointsWritten: after.endpointsWritten - before.endpointsWritten,
    };
    return result;
  });

/** Endpoints of these runs in addition to the planned ones. */
const addEndpoints = (runId: string, instanceId: string, count: number, first: number) =>
  insertEndpoints(
    db,
    runId,
    Array.from({ length: count }, (_, i) => ({
      number: first + i,
      id: randomUUID(),
      instanceId,
      workerId: randomUUID(),
      registrarId: randomUUID(),
      endpointType: 'CALLER',
      calleeUri: 'sip:callee@127.0.0.1:5060',
      countsAsCall: true,
      names: null,
    })),
  );

/** Half of the calls of an agent's callers from INVITE to the end of their media, in two batches; the cost of both. */
async function effortOf(prepare: (runId: string, instanceId: string) => Promise<unknown>): Promise<Effort> {
  const run = await runningRun(world, agents);
  const order = run.orders[0]?.find(({ role }) => role === 'CALLER');
  if (!order) throw new Error('the first agent has no callers');
  const { allocationId } = order;
  await prepare(run.runId, allocationId);
  const calls = order.endpoints.number;
  const atMs = Date.now();
  const phases = (...reached: readonly number[]) => ({
    endpoint: calls.flatMap((n) => reached.map(() => n)),
    phase: calls.flatMap(() => reached),
    unixMs: calls.flatMap(() => reached.map((phase) => atMs + phase)),
  });
  const send = async (more: Partial<AllocationFacts>): Promise<Effort> => {
    last = NONE;
    const facts: Partial<Facts> = { allocations: [allocationFacts(allocationId, more)] };
    t.equal((await agents[0].send(facts)).result, 'committed');
    return last;
  };
  const begun = await send({ phases: phases(2, 3, 4, 5) });
  const finding: ReportedFinding = {
    ...{ kind: 'NO_MEDIA', stream: 0, atUnixMs: atMs, lastedMs: 1000, count: 0, of: 0, detail: '', tolerated: true },
  };
  const ended = await send({
    phases: phases(6, 7),
    outcomes: calls.map((n) => outcomeFact(n, { findings: [finding] })),
    messages: calls.map((n) => messageChunk(n, MESSAGES)),
    samples: someSamples(atMs, calls, 1),
    streams: calls.map((n) => streamFact(n, 0)),
  });
  const closed = await db
    .selectFrom('endpoints')
    .where('run_id', '=', run.runId)
    .where('outcome', '=', 'SUCCESS')
    .where('answered', '=', true)
    .where('called_at', 'is not', null)
    .where('closed_at', 'is not', null)
    .select(sql<number>`count(*)`.as('n'))
    .executeTakeFirstOrThrow();
  t.equal(closed.n, calls.length);
  const aCall = (figure: keyof Effort) => (begun[figure] + ended[figure]) / calls.length;
  return {
    rowsRead: aCall('rowsRead'),
    rowsWritten: aCall('rowsWritten'),
    endpointsWritten: aCall('endpointsWritten'),
  };
}

t.test(
  'a call costs as much, however many there are beside it and whatever is known of them',
  await aboutPlans(world.database),
  async (t) => {
    const alone = await effortOf(async () => undefined);
    const large = (runId: string, instanceId: string) => addEndpoints(runId, instanceId, MORE, 10_000);
    const unknown = await effortOf(large);
    const misjudged = await effortOf(async (runId, instanceId) => {
      // Executions of probes: statistics say that a run has one endpoint.
      await sql`
      insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call)
      select gen_random_uuid(), 0, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'CALLER', '', true
      from generate_series(1, 5000)`.execute(db);
      await sql`analyze endpoints`.execute(db);
      await large(runId, instanceId);
    });
    for (const [what, effort] of Object.entries({ unknown, misjudged })) {
      t.ok(
        effort.rowsRead <= 1.2 * alone.rowsRead + 1,
        `${what}: ${effort.rowsRead} rows read a call, ${alone.rowsRead}`,
      );
      t.equal(effort.endpointsWritten, 2, 'once when it is up, once when it is over');
    }
    // Two of the endpoint; six phases, six messages and their chunk, one finding, stream and sample each; counts are per batch.
    t.ok(alone.rowsWritten < 2 + 6 + 7 + 3 + 1, `${alone.rowsWritten} rows written a call`);
  },
);
