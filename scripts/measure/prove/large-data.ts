/**
 * The rows of a large installation: real runs of one agent against SIPp, multiplied by SQL. Rows of copies are those of real runs,
 * with other numbers, names and instants; the figures of the largest run are settled by the control plane's own code.
 */

import { settleRun } from '../../../control-plane/operations/run/settle.ts';
import { openDatabase } from '../../../control-plane/store/db.ts';
import { ensureSamplePartitions } from '../../../control-plane/store/measured/samples.ts';
import { worldOn } from '../../../control-plane/testing/world.ts';
import type { Lab, RunDetail } from '../../peers/lab/lab.ts';

export const SIZES = {
  runs: 10_000,
  endpoints: 5000,
  callsEach: 20,
  customers: 50,
  workers: 1000,
  projectsEach: 5,
  probes: 1000,
  executionsEach: 40,
  auditEntries: 50_000,
} as const;

/** How many endpoints the run has that is multiplied. */
export const BASE_ENDPOINTS = 125;
const TIMES = SIZES.endpoints / BASE_ENDPOINTS;

/** Each column that differs in a copy, as SQL over the row `o` and the number `n` of the copy. */
type Changes = Readonly<Record<string, string>>;

/** Copies the rows of `from` that `where` selects, once for each number from `first` to `last`. */
async function copyRows(
  lab: Lab,
  table: string,
  changes: Changes,
  { where, numbers }: { where: string; numbers: string },
): Promise<void> {
  const columns = await lab.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO' order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name }) => changes[name] ?? `o."${name}"`).join(', ');
  const insertion = `insert into ${table} (${names}) select ${values} from ${table} o, ${numbers} where ${where}`;
  await lab.query(table === 'test_runs' ? [anyStatus(true), insertion, anyStatus(false)].join('; ') : insertion);
}

/** A UUID of version 8 (RFC 9562), the same for the same parts. */
const derived = (...parts: string[]): string =>
  `overlay(overlay(md5(concat(${parts.join(', ')})) placing '8' from 13) placing '8' from 17)::uuid`;
const moved = (columns: readonly string[], by: string): Changes =>
  Object.fromEntries(columns.map((column) => [column, `o."${column}" + ${by}`]));

/** The database refuses runs that do not begin as PENDING; each of 50,000 copies would be written four times. */
const anyStatus = (isAllowed: boolean): string =>
  `alter table test_runs ${isAllowed ? 'disable' : 'enable'} trigger test_runs_forward`;

/** One run of 5,000 endpoints with 20 calls each, from a run with fewer of them: the copies follow one another. Its id. */
export async function makeLargeRun(lab: Lab, base: RunDetail): Promise<string> {
  const [made] = await lab.query<{ id: string; seconds: number }>(
    `select ${derived(`id`, `'large'`)} as id, ceil(extract(epoch from ended_at - started_at)) as seconds from test_runs where id = $1`,
    [base.id],
  );
  const { id, seconds } = made as { id: string; seconds: number };
  const first = Date.parse(base.startedAt ?? '') - (TIMES - 1) * seconds * 1000;
  const database = openDatabase(
    { host: `${lab.dataDir}/postgres`, user: 'postgres', database: 'postgres' },
    {
      max: 2,
      statementLimitMs: 600_000,
      onError: (error) => {
        throw error;
      },
    },
  );
  try {
    await database.transaction((tx) => ensureSamplePartitions(tx, [first, Date.now()], new Set()));
    const by = `make_interval(secs => (n - ${TIMES - 1}) * ${seconds})`;
    const number = (column: string) =>
      `(o."${column}" / ${BASE_ENDPOINTS}) * ${SIZES.endpoints} + n * ${BASE_ENDPOINTS} + o."${column}" % ${BASE_ENDPOINTS}`;
    const instance = derived('o.instance_id', `'large'`);
    const run = { run_id: `'${id}'::uuid` };
    const one = { where: `o.run_id = '${base.id}'`, numbers: 'generate_series(0, 0) n' };
    const each = { ...one, numbers: `generate_series(0, ${TIMES - 1}) n` };
    const groups = `jsonb_set(o.config, '{groups}', (select jsonb_agg(jsonb_set(g, '{subPopulations}', (
        select jsonb_agg(jsonb_set(s, '{endpoints}', to_jsonb((s ->> 'endpoints')::int * ${TIMES})))
        from jsonb_array_elements(g -> 'subPopulations') s))) from jsonb_array_elements(o.config -> 'groups') g))`;
    const start = `- make_interval(secs => ${(TIMES - 1) * seconds})`;
    await copyRows(
      lab,
      'test_runs',
      {
        ...{ id: `'${id}'`, status: `'RUNNING'`, endpoints: `o.endpoints * ${TIMES}`, config: groups },
        ...{ ended_at: 'null', ending_event: `'closed'`, labels: `'{"size": "large"}'` },
        ...Object.fromEntries(['submitted_at', 'queued_at', 'started_at'].map((c) => [c, `o.${c} ${start}`])),
      },
      { where: `o.id = '${base.id}'`, numbers: one.numbers },
    );
    await copyRows(
      lab,
      'sub_population_instances',
      { ...run, id: derived('o.id', `'large'`), endpoints: `o.endpoints * ${TIMES}` },
      one,
    );
    await copyRows(
      lab,
      'endpoints',
      {
        ...run,
        ...{
          id: 'gen_random_uuid()',
          number: number('number'),
          instance_id: instance,
          call_id: `n || '-' || o.call_id`,
        },
        ...moved(['planned_at', 'called_at', 'answered_at', 'left_at', 'closed_at'], by),
      },
      each,
    );
    const endpoint = { ...run, endpoint_number: number('endpoint_number') };
    await copyRows(lab, 'findings', { ...endpoint, ...moved(['at'], by) }, each);
    await copyRows(lab, 'streams', endpoint, each);
    await copyRows(lab, 'samples', { ...endpoint, ...moved(['at'], by) }, each);
    await copyRows(lab, 'run_events', { ...endpoint, ...moved(['at'], by) }, each);
    const message = { ...endpoint, chunk_endpoint: number('chunk_endpoint'), call_id: `n || '-' || o.call_id` };
    await copyRows(lab, 'sip_messages', { ...message, ...moved(['at'], by) }, each);
    await copyRows(lab, 'sip_chunks', endpoint, each);
    await copyRows(lab, 'rtp_headers', { ...endpoint, ...moved(['began_at'], by) }, each);
    const share = { ...run, instance_id: instance };
    await copyRows(lab, 'rollups', { ...share, ...moved(['at'], by) }, each);
    await copyRows(lab, 'mos_counts', { ...share, ...moved(['at'], by) }, each);
    await copyRows(lab, 'start_noise', { ...share, batch: 'o.batch + n * 1000000', ...moved(['at'], by) }, each);
    await copyRows(lab, 'noise', { ...run, ...moved(['at'], by) }, each);
    const sum = (column: string) => `o."${column}" * ${TIMES}`;
    await copyRows(lab, 'sip_counts', { ...share, count: sum('count'), retransmissions: sum('retransmissions') }, one);
    const counts = { events: sum('events'), messages: sum('messages'), kept: sum('kept') };
    await copyRows(
      lab,
      'run_counts',
      { ...run, instance_id: `case when o.instance_id = '${NIL}' then o.instance_id else ${instance} end`, ...counts },
      one,
    );
    await copyRows(lab, 'call_tallies', { ...run, second: `o.second + (n - ${TIMES - 1}) * ${seconds}` }, each);
    await lab.query('analyze');
    const world = worldOn(database);
    await settleRun(world.ports, id, 1);
    await lab.query(`update test_runs set ended_at = $2 where id = $1`, [id, base.endedAt]);
  } finally {
    await database.close();
  }
  return id;
}

const NIL = '00000000-0000-0000-0000-000000000000';

type RunCopies = {
  readonly run: RunDetail;
  /** The numbers of its copies, as SQL that names them `n`. */
  readonly numbers: string;
  /** Each copy was so much earlier, as SQL over `n`. */
  readonly earlier: string;
  readonly changes?: Changes;
};

/** Runs like this one that have ended, with what is kept of runs for longer than their details. */
async function copyRun(lab: Lab, { run, numbers, earlier, changes = {} }: RunCopies): Promise<void> {
  const id = derived('o.id', 'n');
  const of = { run_id: derived('o.run_id', 'n') };
  const back = (columns: readonly string[]) =>
    Object.fromEntries(columns.map((column) => [column, `o."${column}" - ${earlier}`]));
  const where = `o.run_id = '${run.id}'`;
  await copyRows(
    lab,
    'test_runs',
    {
      // What is kept for a month only is not copied: retention has nothing to do.
      ...{ id, is_baseline: 'false', details_deleted_at: 'now()' },
      ...back(['submitted_at', 'queued_at', 'started_at', 'ended_at', 'deadline_at']),
      ...changes,
    },
    { where: `o.id = '${run.id}'`, numbers },
  );
  await copyRows(lab, 'run_history', { ...of, ...back(['at']) }, { where, numbers });
  await copyRows(lab, 'sub_population_instances', { ...of, id: derived('o.id', 'n') }, { where, numbers });
  const share = { ...of, instance_id: derived('o.instance_id', 'n') };
  await copyRows(
    lab,
    'endpoints',
    {
      ...{ ...share, id: derived('o.id', 'n'), call_id: `n || '-' || o.call_id` },
      ...back(['planned_at', 'called_at', 'answered_at', 'left_at', 'closed_at']),
    },
    { where, numbers },
  );
  await copyRows(lab, 'findings', { ...of, ...back(['at']) }, { where, numbers });
  await copyRows(lab, 'streams', of, { where, numbers });
  await copyRows(lab, 'sip_counts', share, { where, numbers });
}

/** Runs of tests: 100 a day. */
export async function makeRuns(lab: Lab, sources: readonly RunDetail[]): Promise<void> {
  for (const [i, run] of sources.entries())
    await copyRun(lab, {
      run,
      numbers: `generate_series(${i + 1}, ${SIZES.runs}, ${sources.length}) n`,
      earlier: `n * interval '14.4 minutes'`,
      changes: {
        labels: `jsonb_build_object('commit', left(md5(n::text), 8), 'branch', case n % 3 when 0 then 'main' else 'release/2026.' || n % 12 end)`,
      },
    });
}

/** Copies of the probe `probe`, every 25th of which fails since ten executions; executions are 5 minutes apart. */
export async function makeProbes(lab: Lab, good: RunDetail, bad: RunDetail): Promise<void> {
  const { probes, executionsEach } = SIZES;
  const id = derived(`'probe'`, 'n');
  const isBad = 'n % 25 = 0';
  const since = `now() - interval '50 minutes'`;
  await copyRows(
    lab,
    'probes',
    {
      ...{
        id,
        slug: `'probe-' || n`,
        name: `'Front door ' || n`,
        enabled: 'true',
        next_tick_at: `now() + interval '1 day'`,
      },
      ...{
        status: `case when ${isBad} then 'UNHEALTHY' else 'HEALTHY' end`,
        told_status: `case when ${isBad} then 'UNHEALTHY' else 'HEALTHY' end`,
      },
      ...{ failing_since: `case when ${isBad} then ${since} end`, strikes: `case when ${isBad} then 10 else 0 end` },
      last_message: `case when ${isBad} then o.last_message end`,
    },
    { where: `o.slug = 'probe-bad'`, numbers: `generate_series(1, ${probes}) n` },
  );
  await copyRows(
    lab,
    'probe_thresholds',
    { id: 'gen_random_uuid()', probe_id: id },
    {
      where: `o.probe_id = (select id from probes where slug = 'probe-bad')`,
      numbers: `generate_series(1, ${probes}) n`,
    },
  );
  // Execution e of probe p has the number p * 100 + e.
  const all = `(select p * 100 + e as n, p, e from generate_series(1, ${probes}) p, generate_series(1, ${executionsEach}) e) c`;
  const failing = `(p % 25 = 0 and e <= 10)`;
  for (const [run, of] of [
    [good, `not ${failing}`],
    [bad, failing],
  ] as const) {
    const numbers = `(select * from ${all} where ${of}) c`;
    const probe = derived(`'probe'`, 'p');
    const earlier = `e * interval '5 minutes'`;
    await copyRun(lab, { run, numbers, earlier, changes: { probe_id: probe, test_name: `'Front door ' || p` } });
    await copyRows(
      lab,
      'probe_instances',
      {
        ...{ id: 'gen_random_uuid()', probe_id: probe, test_run_id: derived('o.test_run_id', 'n') },
        ...{
          scheduled_at: `o.scheduled_at - ${earlier}`,
          tick_at: `o.scheduled_at - ${earlier}`,
          graded_at: `o.graded_at - ${earlier}`,
        },
      },
      { where: `o.test_run_id = '${run.id}'`, numbers },
    );
  }
  await lab.query(
    `insert into probe_incidents (id, probe_id, severity, started_at, ended_at, opened_by_run_id, reason, first_failed_at)
     select gen_random_uuid(), b.id, 'DOWN', ${since} - d * interval '1 day', case when d > 0 then ${since} - d * interval '1 day' + interval '1 hour' end,
       '${bad.id}', o.last_message, ${since} - d * interval '1 day'
     from probes b, probes o, generate_series(0, 3) d where o.slug = 'probe-bad' and b.slug <> o.slug and b.failing_since is not null`,
  );
}

/** Projects and use of the customers, and a full audit log. */
export async function makeUse(lab: Lab): Promise<void> {
  await lab.query(
    `insert into projects (id, organization_id, slug, name)
     select gen_random_uuid(), o.id, 'site-' || n, 'Site ' || n from organizations o, generate_series(1, ${SIZES.projectsEach}) n where o.slug <> 'lab'`,
  );
  const months = `(select to_char(now() at time zone 'UTC' - m * interval '1 month', 'YYYY-MM') as month, m from generate_series(0, 11) m) c`;
  await lab.query(
    `insert into project_usage_months (organization_id, month, project_id, endpoint_seconds, runs)
     select p.organization_id, month, p.id, 60 * (1000 + (hashtext(p.id::text) & 65535)), 40 + m from projects p, ${months} where p.slug like 'site-%'`,
  );
  await lab.query(
    `insert into usage_months (organization_id, month, endpoint_seconds, runs)
     select organization_id, month, sum(endpoint_seconds), sum(runs) from project_usage_months
     where organization_id <> (select id from organizations where slug = 'lab') group by 1, 2`,
  );
  await copyRows(
    lab,
    'audit_entries',
    { at: `o.at - n * interval '3 minutes'` },
    {
      where: 'true',
      numbers: `generate_series(1, ${SIZES.auditEntries} / (select count(*)::int from audit_entries)) n`,
    },
  );
}
