/**
 * A large run that PostgreSQL's statistics do not know, because it has just ended and all others were small. What the end of a
 * run and its pages read of all calls must grow with their number, and not with its square.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { aboutPlans } from '../../testing/database.ts';
import { openReading } from '../../testing/reading.ts';
import { openedConnection, type Tables } from '../db.ts';
import { skippedOfRun } from '../measured/noise.ts';
import { countFindings } from './findings.ts';
import { looseEnds } from './loose-ends.ts';
import { codecAsymmetries, judgePairs, lostDigits, unheardThere } from './pairs.ts';
import { listEndpointsByCalls } from './views/endpoint-calls.ts';
import { listWorstEndpoints } from './views/endpoint-lists.ts';
import { failureClusters } from './views/failures.ts';

const SMALL_RUNS = 500;
/** Both ends of half as many calls. */
const ENDS = 3000;
/** Rows that a plan may read for each end, with those that it throws away. */
const MAX_ROWS = 50;
/** The number of the first copy. */
const FIRST = 100;

const { world, begin, report } = await openReading(t, 2);
const { db, config } = world.database;
const run = await begin();
await report(run, () => ({ outcome: {} }));
const { runId } = run;
const pool = new pg.Pool({ ...openedConnection(config), max: 1 });
t.teardown(() => pool.end());

/** Copies of the run's first endpoint, with a stream and a finding: each in a run of its own, or all in this run. */
async function copies(count: number, copyRunId: 'gen_random_uuid()' | 'e.run_id'): Promise<void> {
  await sql`
    insert into endpoints select (jsonb_populate_record(e, jsonb_build_object(
      'run_id', ${sql.raw(copyRunId)}, 'id', gen_random_uuid(), 'number', n,
      'names', null, 'planned_at', now(), 'attempted', true, 'unreported', true,
      'endpoint_type', case when n % 2 = 0 then 'CALLER' else 'CALLEE' end,
      'peer_number', case when n % 4 = 1 then n - 1 end))).*
    from endpoints e, generate_series(${FIRST}::int, ${FIRST + count - 1}::int) n where run_id = ${runId} and number = 0`.execute(
    db,
  );
  await sql`
    insert into streams (run_id, endpoint_number, stream, codec, remote, packets_sent, octets_sent, packets_received,
      octets_received, expected, lost, duplicates, reordered, ssrc_changes, rtt_count, feedback, nack_count, pli_count, fir_count,
      sends_skipped, mos, details)
    select run_id, number, 0, 'PCMU', '192.0.2.1:4000', 1, 1, number % 2, 1, 1, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, 4.4 - number / 1e4,
      '{"digits":{"sent":"1","received":"1"}}' from endpoints where number >= ${FIRST} on conflict do nothing`.execute(
    db,
  );
  await sql`
    insert into findings (run_id, endpoint_number, place, kind, tolerated)
    select run_id, number, 0, 'NO_MEDIA', false from endpoints where number >= ${FIRST} on conflict do nothing`.execute(
    db,
  );
}

type Node = { readonly [key: string]: unknown; readonly Plans?: readonly Node[] };
const rowsOf = (node: Node): number => {
  const figure = (name: string): number => Number(node[name] ?? 0);
  const rows = figure('Actual Rows') + figure('Rows Removed by Join Filter') + figure('Rows Removed by Filter');
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), rows * figure('Actual Loops'));
};

const window = { offset: 0, limit: 25, backwards: false } as const;
const kept = { id: runId, isFinal: false, isLarge: true, revisedAt: null };
const READS: Readonly<Record<string, (tx: Kysely<Tables>) => Promise<unknown>>> = {
  'worst calls': (tx) => listWorstEndpoints(tx, kept, { isCall: true }, window),
  'worst endpoints': (tx) => listEndpointsByCalls(tx, kept, 10_000, { order: 'worst' }, window),
  'codec asymmetries': (tx) => codecAsymmetries(tx, runId),
  'lost digits': (tx) => lostDigits(tx, runId),
  'unheard ends': (tx) => unheardThere(tx, runId),
  'judged pairs': (tx) => judgePairs(tx, runId),
  'loose ends': (tx) => looseEnds(tx, runId, FIRST + 1, 400_000),
  'failure clusters': (tx) => failureClusters(tx, runId, 100),
  findings: (tx) => countFindings(tx, runId),
  'packets not sent': (tx) => skippedOfRun(tx, { id: runId, isFolded: false }),
};

t.test('reads of a run whose size statistics do not know', await aboutPlans(world.database), async (t) => {
  for (const table of ['endpoints', 'streams', 'findings'])
    await sql`alter table ${sql.table(table)} disable trigger all, set (autovacuum_enabled = false)`.execute(db);
  await copies(SMALL_RUNS, 'gen_random_uuid()');
  await sql`analyze endpoints, streams, findings`.execute(db);
  await copies(ENDS, 'e.run_id');
  for (const [name, read] of Object.entries(READS)) {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const log = ({ query }: { query: (typeof statements)[number] }): void => void statements.push(query);
    await read(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log }));
    for (const { sql: text, parameters } of statements) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...parameters]);
      const read = rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      t.ok(read < MAX_ROWS * ENDS, `${name}: ${read} rows for ${ENDS} ends: ${text.trim().slice(0, 80)}`);
    }
  }
});
