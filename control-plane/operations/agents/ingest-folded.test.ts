/**
 * The database cost of a call of a folded run: the same in its last hour as in its first, although every earlier call has left
 * dead rows and index entries, whatever statistics the planner has. Plans are the generic ones that prepared statements
 * eventually use.
 */
import { sql } from 'kysely';
import t from 'tap';
import { aboutPlans } from '../../testing/database.ts';
import { streamFact } from '../../testing/reading.ts';
import { acme, allocationFacts, FakeAgent, openWorld, outcomeFact, runningRun, TOKENS } from '../../testing/world.ts';

const ENDPOINTS = 10;
const A_BATCH = 50;
const BATCHES = 60;
const TABLES = ['endpoints', 'streams', 'call_sums', 'call_seconds'];

const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const group = {
  name: 'callers',
  registrar: 'cloud',
  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1:5070' },
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: ENDPOINTS, calls: null }],
};
const load = { shape: 'RATE', callsPerSecond: 50, seconds: 60 };
const test = { slug: 'lasting', name: 'Lasting', durationSeconds: 1, load, groups: [group] };
await world.provision({
  organizations: [{ ...organization, projects: [{ slug: 'lab', name: 'Lab', tests: [test] }] }],
});
const agent = new FakeAgent(world);
agent.sipAbilities = ['LOAD'];
await agent.greet(TOKENS[0]);
Object.assign(world.ports.settings, { exactCalls: 1 });
for (const table of TABLES) await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
// Executions of probes: statistics say that a run has one endpoint.
await sql`
  insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call)
  select gen_random_uuid(), 0, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'CALLER', '', true
  from generate_series(1, 5000)`.execute(db);
await sql`analyze endpoints`.execute(db);

const { transaction } = world.database;
world.ports.database.transaction = (work) =>
  transaction(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
    const result = await work(tx);
    // Counters of this connection are published when it commits.
    await sql`select pg_stat_force_next_flush()`.execute(tx);
    return result;
  });

/** Index entries, and rows of sequential scans, that were read so far. */
async function entriesRead(): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select ((select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname = any (${TABLES}))
      + (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where relname = any (${TABLES})))::float8 as read`.execute(
    db,
  );
  return rows[0]?.read ?? 0;
}

t.test('a call reads as much after thousands as at first', await aboutPlans(world.database), async (t) => {
  const run = await runningRun(world, [agent]);
  const allocationId = run.orders[0]?.[0]?.allocationId ?? '';
  const atMs = world.ports.now().getTime();
  /** Calls begin in one batch and end in the next, and every hundredth is kept. */
  const send = async (batch: number): Promise<void> => {
    const begun = Array.from({ length: A_BATCH }, (_, i) => batch * A_BATCH + i);
    const ended = batch === 0 ? [] : begun.map((number) => number - A_BATCH);
    const { result } = await agent.send({
      allocations: [
        allocationFacts(allocationId, {
          progress: {
            endpoint: begun,
            phase: begun.map(() => 5),
            unixMs: begun.map(() => atMs + batch * 1000),
          },
          outcomes: ended.map((number) => outcomeFact(number, { kept: number % 100 === 0 })),
          streams: ended.map((number) => streamFact(number, 0)),
        }),
      ],
    });
    t.equal(result, 'committed');
  };
  const perBatch: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const before = await entriesRead();
    await send(batch);
    perBatch.push((await entriesRead()) - before);
  }
  const mean = (all: readonly number[]): number => all.reduce((sum, n) => sum + n, 0) / all.length / A_BATCH;
  const [first, last] = [mean(perBatch.slice(1, 11)), mean(perBatch.slice(-10))];
  t.ok(first >= 1, `${first} entries a call: they are counted`);
  t.ok(last <= 1.5 * first + 1, `${last} entries read a call after ${BATCHES * A_BATCH} calls, ${first} at first`);
  const { rows } = await sql<{ rows: number; streams: number }>`
    select (select count(*) from endpoints where run_id = ${run.runId}::uuid) as rows,
      (select count(*) from streams where run_id = ${run.runId}::uuid) as streams`.execute(db);
  const kept = (BATCHES - 1) * (A_BATCH / 100);
  t.ok((rows[0]?.rows ?? 0) <= ENDPOINTS + kept + A_BATCH + 1, `${rows[0]?.rows} rows of calls`);
  t.ok((rows[0]?.streams ?? 0) <= ENDPOINTS + kept + 1, `${rows[0]?.streams} rows of streams`);
});
