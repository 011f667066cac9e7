/**
 * Long lists: 100,000 test runs, 50,000 endpoints and the like. Every statement that answers a page is explained by PostgreSQL:
 * the blocks that it reads are bounded, and the plans are in this test's output.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import type { KnownName } from '../contract/catalogue.ts';
import type { Listed } from '../contract/envelope.ts';
import { aboutPlans } from '../testing/database.ts';
import { list, openReading, type ReadQuery } from '../testing/reading.ts';
import { messageChunk } from '../testing/world.ts';
import type { Tables } from './db.ts';
import { openedConnection } from './db.ts';
import { windowOf } from './pages.ts';

const RUNS = 100_000;
const ENDPOINTS = 50_000;
const SIBLINGS = 4;
const TRACE = 100_000;
/**
 * In blocks of 8 KiB, about eight a row: an index and its row in two tables. A list read from its beginning would take
 * thousands; durations would depend on the machine.
 */
const MAX_BLOCKS = 1000;
/** From the sixth execution on, a plan may be a generic one. */
const TIMES = 10;

const { world, begin, report } = await openReading(t, 2);
const { db, config } = world.database;
const run = await begin();
await report(run, () => ({ outcome: {}, messages: [messageChunk(0, ['OPTIONS'])] }));
const probe = await db.selectFrom('probes').selectAll().executeTakeFirstOrThrow();

const plans = await aboutPlans(world.database);

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ ...openedConnection(config), types, max: 2 });
pool.on('error', () => undefined);
t.teardown(() => pool.end());

const SEEDED = [
  'test_runs',
  'endpoints',
  'probes',
  'probe_instances',
  'probe_incidents',
  'run_events',
  'sip_messages',
] as const;
/** Checks foreign keys, or does not; our own triggers work in any case. */
const references = (table: (typeof SEEDED)[number], isOn: boolean) =>
  isOn
    ? sql`alter table ${sql.table(table)} enable trigger all`
    : sql`alter table ${sql.table(table)} disable trigger all, enable trigger user`;

t.test('seeds', plans, async (t) => {
  const begunMs = performance.now();
  // Without the control plane's statement limit: a busy host takes longer for this many rows.
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // Every row refers to rows that exist: proving it a million times is half of the cost of creating the data.
  for (const table of SEEDED) await references(table, false).execute(db);
  // Runs begin as PENDING and progress; these ended long ago.
  await sql`alter table test_runs disable trigger test_runs_forward`.execute(db);
  await sql`
    insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds,
      buildup_seconds, max_execution_seconds, config, submitted_at, queued_at, started_at, ended_at, summary, call_timing,
      sip_responses, sip_requests, validity, failure_clusters, progress)
    select gen_random_uuid(), project_id, organization_id, test_id, test_name, 'COMPLETED', endpoints, duration_seconds,
      buildup_seconds, max_execution_seconds, config, at, at, at, at + interval '10 s', summary, call_timing, sip_responses,
      sip_requests, validity, failure_clusters, progress
    from test_runs, generate_series(1, ${RUNS - 1}) i, lateral (select now() - (i / 3) * interval '7 min' as at) s
    where id = ${run.runId}`.execute(db);
  await sql`alter table test_runs enable trigger test_runs_forward`.execute(db);
  await sql`
    insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call,
      phase, reached, outcome, attempted, answered, call_result, final_status, rang, planned_at, pdd_ms, closed_at)
    select run_id, i, gen_random_uuid(), instance_id, worker_id, registrar_id, endpoint_type, callee_uri, true, 7, 5,
      case when i % 50 = 0 then 'CALL_FAILED' else 'SUCCESS' end, true, true, 'SUCCESS', 200, true, now(), 10, now()
    from endpoints, generate_series(4, ${ENDPOINTS - 1}) i where run_id = ${run.runId} and number = 0`.execute(db);
  await sql`
    insert into probes select (p).* from (
      select jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'slug', 'sibling-' || i,
        'name', 'Front door (' || i || ')', 'parent_probe_id', p.id)) as p
      from probes p, generate_series(1, ${SIBLINGS - 1}) i where id = ${probe.id}) s`.execute(db);
  // Verdicts are counted per row, for other pages: half of the cost of creating the data.
  await sql`alter table probe_instances disable trigger probe_verdicts_first`.execute(db);
  await sql`
    insert into probe_instances (id, probe_id, test_run_id, status, scheduled_at)
    select gen_random_uuid(), ${probe.id}, id, case when i % 20 = 0 then 'UNHEALTHY' else 'HEALTHY' end, submitted_at
    from (select id, submitted_at, row_number() over () as i from test_runs) r`.execute(db);
  await sql`alter table probe_instances enable trigger probe_verdicts_first`.execute(db);
  await sql`
    insert into probe_incidents (id, probe_id, severity, started_at, ended_at)
    select gen_random_uuid(), id, case when i % 10 = 0 then 'DOWN' else 'DEGRADED' end, now() - i * interval '5 min',
      case when i > 1 then now() - i * interval '5 min' + interval '1 min' end
    from probes, generate_series(1, ${TRACE / SIBLINGS}) i`.execute(db);
  await sql`
    insert into run_events (run_id, at, endpoint_number, kind, detail)
    select ${run.runId}, now() + i * interval '3 ms', i % ${ENDPOINTS}, 'PHASE', 'CALLING'
    from generate_series(1, ${TRACE}) i`.execute(db);
  await sql`
    insert into sip_messages (run_id, endpoint_number, number, chunk, "offset", length, at, sent, method, status, retransmission,
      peer, call_id)
    select ${run.runId}, i % ${ENDPOINTS}, 10 + i / ${ENDPOINTS}, 0, 0, 7, now() + i * interval '3 ms', true, 'OPTIONS', 0, false,
      '127.0.0.1:5060', 'call-' || i % ${ENDPOINTS} from generate_series(1, ${TRACE}) i`.execute(db);
  await sql`update run_counts set events = events + ${TRACE}, messages = messages + ${TRACE}
    where run_id = ${run.runId} and instance_id = (select min(instance_id::text)::uuid from run_counts where run_id = ${run.runId})`.execute(
    db,
  );
  for (const table of SEEDED) await references(table, true).execute(db);
  await sql`analyze`.execute(db);
  t.comment(`seeded in ${Math.round((performance.now() - begunMs) / 1000)} s`);
});

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** The statements that an answer needs, as they are sent. */
async function statementsOf<T>(
  work: (run: typeof begun) => Promise<T>,
): Promise<{ answer: T; statements: Statement[] }> {
  const statements: Statement[] = [];
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters });
    },
  });
  const ports = { ...world.ports, database: { ...world.database, db: watched } };
  const answer = await work({ ...begun, context: { ...begun.context, ports } });
  return { answer, statements };
}
const begun = run;

const literal = (value: unknown): string =>
  value === null ? 'null' : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));

/**
 * Prepared once and explained several times, as the control plane does with its statements: PostgreSQL may change to a generic
 * plan. The most blocks that one of those `times` read, with its plan.
 */
async function explained({ sql, parameters }: Statement, times: number): Promise<{ blocks: number; plan: string[] }> {
  const client = await pool.connect();
  try {
    await client.query(`prepare explained as ${sql}`);
    const values = parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : '';
    let most = { blocks: -1, plan: [] as string[] };
    for (let i = 0; i < times; i++) {
      const { rows } = await client.query(`explain (analyze, buffers) execute explained${values}`);
      const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN'] as string);
      const blocks = blocksOf(plan);
      if (blocks > most.blocks) most = { blocks, plan };
    }
    return most;
  } finally {
    await client.query('deallocate explained');
    client.release();
  }
}

/** Of the whole statement: its top node includes the nodes below it. */
function blocksOf(plan: readonly string[]): number {
  const line = plan.find((line) => line.includes('Buffers:')) ?? '';
  return [...line.matchAll(/\b(?:hit|read)=(\d+)/g)].reduce((sum, [, blocks]) => sum + Number(blocks), 0);
}

/** The first and the last page are requested; the middle one is printed. */
async function bounded(t: Test, what: string, statements: readonly Statement[], isAskedFor: boolean): Promise<void> {
  for (const statement of statements) {
    const times = isAskedFor ? TIMES : 1;
    const { blocks, plan } = await explained(statement, times);
    const [table = '?'] = /(?<=from ")\w+/.exec(statement.sql) ?? [];
    const told = `${what}: ${table}: ${blocks} blocks, the most of ${times}`;
    if (isAskedFor) t.ok(blocks <= MAX_BLOCKS, told);
    t.comment([told, statement.sql, ...plan].join('\n'));
  }
}

for (const [name, more, total] of [
  ['listTestRuns', {}, RUNS],
  ['listTestRunEndpoints', {}, ENDPOINTS],
  ['listProbeInstances', { probeId: probe.id }, RUNS],
  ['listProbeInstances', { probeId: probe.id, status: 'UNHEALTHY' }, RUNS / 20],
  ['listProbeIncidents', { probeId: probe.id }, TRACE],
  ['listProbeIncidents', { probeId: probe.id, severity: 'DOWN', state: 'resolved' }, TRACE / 10],
  ['listTestRunEvents', {}, null],
  ['listTestRunMessages', {}, null],
] as const satisfies readonly (readonly [KnownName, ReadQuery, number | null])[]) {
  t.test(`${name} ${Object.keys(more).slice(1)}`.trim(), plans, async (t) => {
    const length = (await list(run, name, more)).total;
    if (total !== null) t.equal(length, total, 'every row is counted');
    for (const per_page of [25, 100]) {
      const last = Math.ceil(length / per_page);
      for (const page of [1, last, last >> 1]) {
        const { answer, statements } = await statementsOf((watched) =>
          list(watched, name, { ...more, page, per_page }),
        );
        t.equal(answer.total, length);
        t.equal(answer.rows.length, Math.min(per_page, length - (page - 1) * per_page));
        t.ok(statements.length <= 4, `${statements.length} statements, with those that find the project and its part`);
        await bounded(t, `page ${page} of ${per_page}`, statements, page === 1 || page === last);
      }
    }
  });
}

t.test('pages from either end are one list', plans, async (t) => {
  const order = async (name: KnownName, more: ReadQuery, expected: string[]) => {
    const total = expected.length;
    for (const page of [
      1,
      2,
      Math.floor(total / 200),
      Math.ceil(total / 200),
      Math.floor(total / 100),
      Math.ceil(total / 100),
    ]) {
      const { rows } = (await list(run, name, { ...more, page, per_page: 100 })) as Listed<{ id: string }>;
      t.same(
        rows.map((r) => r.id),
        expected.slice((page - 1) * 100, page * 100),
        `${name} ${page}`,
      );
    }
  };
  const ids = async (query: ReturnType<typeof sql<{ id: string }>>) => (await query.execute(db)).rows.map((r) => r.id);
  await order('listTestRuns', {}, await ids(sql`select id from test_runs order by submitted_at desc, id desc`));
  await order(
    'listTestRunEndpoints',
    {},
    await ids(sql`select id from endpoints where run_id = ${run.runId} order by number`),
  );
  await order(
    'listProbeInstances',
    { probeId: probe.id },
    await ids(sql`select id from probe_instances order by scheduled_at desc, id desc`),
  );
  await order(
    'listProbeIncidents',
    { probeId: probe.id },
    await ids(sql`select id from probe_incidents order by ended_at is not null, started_at desc, id desc`),
  );
  await order(
    'listTestRunMessages',
    {},
    await ids(sql`
      select endpoint_number || '-' || number as id from sip_messages where run_id = ${run.runId}
      order by at, endpoint_number, number`),
  );
});

t.test('the lengths follow what is changed and deleted', async (t) => {
  const lengths = async () => {
    const total = async (name: KnownName, more: ReadQuery = {}) =>
      (await list(run, name, { probeId: probe.id, ...more })).total;
    return {
      runs: await total('listTestRuns'),
      instances: await total('listProbeInstances'),
      unhealthy: await total('listProbeInstances', { status: 'UNHEALTHY' }),
      degraded: await total('listProbeInstances', { status: 'DEGRADED' }),
      incidents: await total('listProbeIncidents'),
      open: await total('listProbeIncidents', { state: 'open' }),
      down: await total('listProbeIncidents', { severity: 'DOWN' }),
    };
  };
  const counted = async () => {
    const n = async (query: ReturnType<typeof sql<{ n: number }>>) => Number((await query.execute(db)).rows[0]?.n);
    return {
      runs: await n(sql`select count(*) as n from test_runs`),
      instances: await n(sql`select count(*) as n from probe_instances where probe_id = ${probe.id}`),
      unhealthy: await n(
        sql`select count(*) as n from probe_instances where probe_id = ${probe.id} and status = 'UNHEALTHY'`,
      ),
      degraded: await n(
        sql`select count(*) as n from probe_instances where probe_id = ${probe.id} and status = 'DEGRADED'`,
      ),
      incidents: await n(sql`select count(*) as n from probe_incidents`),
      open: await n(sql`select count(*) as n from probe_incidents where ended_at is null`),
      down: await n(sql`select count(*) as n from probe_incidents where severity = 'DOWN'`),
    };
  };
  const changes = {
    'as seeded': sql`select 1`,
    'executions are graded again': sql`update probe_instances set status = 'DEGRADED' where status = 'UNHEALTHY' and id::text < '8'`,
    'incidents turn worse': sql`update probe_incidents set severity = 'DOWN' where started_at < now() - interval '30 days'`,
    'incidents are resolved': sql`update probe_incidents set ended_at = now() where ended_at is null`,
    'runs go, and their executions': sql`delete from test_runs where submitted_at < now() - interval '160 days'`,
    'a sibling goes': sql`delete from probes where slug = 'sibling-1'`,
    'nothing is changed': sql`delete from test_runs where false`,
  };
  for (const [what, change] of Object.entries(changes)) {
    await change.execute(db);
    t.same(await lengths(), await counted(), what);
  }
});

t.test('a page lies where it lies', (t) => {
  const rows = Array.from({ length: 57 }, (_, i) => i);
  for (const per_page of [1, 7, 19, 25, 57, 100]) {
    for (let page = 1; page <= 60; page++) {
      const { offset, limit, backwards } = windowOf(rows.length, { page, per_page });
      const from = backwards ? rows.toReversed() : rows;
      const shown = from.slice(offset, offset + limit);
      const expected = rows.slice((page - 1) * per_page, page * per_page);
      if (!t.same(backwards ? shown.toReversed() : shown, expected)) return t.end();
      if (limit > 0) t.ok(offset <= rows.length / 2, 'no more than half is passed over');
    }
  }
  return t.end();
});
