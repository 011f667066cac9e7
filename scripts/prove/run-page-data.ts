/**
 * An ended run, written into the database as ingest would have summed it up: pages read sums, never samples. Half of its
 * endpoints call the others; every second of every share has its row.
 */
import { randomUUID } from 'node:crypto';
import type { LabDatabase } from '../peers/lab/database.ts';

const SHARES = 20;

export type RunPageApi = <T>(method: string, url: string, body?: object) => Promise<T>;

/** Half of the endpoints call the others over `seconds`; the id of their run. One endpoint: a run without any. */
export async function seedRun(
  database: LabDatabase,
  api: RunPageApi,
  projectId: string,
  endpoints: number,
  seconds: number,
): Promise<string> {
  const calls = Math.max(1, endpoints / 2);
  const [cloud] = await api<{ id: string }[]>('GET', `/projects/${projectId}/registrars`);
  const group = (name: string, role: string, callee: object) => ({
    name,
    registrarId: cloud?.id,
    callee,
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role, endpoints: calls }],
  });
  const test = await api<{ id: string }>('POST', `/projects/${projectId}/tests`, {
    name: `${endpoints} endpoints`,
    buildup: Math.ceil(seconds / 2),
    durationSeconds: Math.ceil(seconds / 2),
    groups: [
      group('callers', 'CALLER', { mode: 'GROUP', group: 'callees' }),
      group('callees', 'CALLEE', { mode: 'RECEIVE' }),
    ],
  });
  const worker = await api<{ id: string }>('POST', '/workers', { name: `edge-${endpoints}` });
  const run = randomUUID();
  const all = endpoints === 1 ? 0 : endpoints;
  const ask = (sql: string) => database.query(sql.replaceAll('$RUN', `'${run}'::uuid`));
  await ask(`
    insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds, buildup_seconds,
      max_execution_seconds, config, submitted_at, started_at)
    select $RUN, t.project_id, p.organization_id, t.id, t.name, 'PENDING', ${endpoints}, ${seconds}, ${Math.ceil(seconds / 2)}, 7200, t.config,
      date_trunc('second', now()) - interval '2 hours', date_trunc('second', now()) - interval '2 hours'
    from tests t join projects p on p.id = t.project_id where t.id = '${test.id}'`);
  const t0 = `(select started_at from test_runs where id = $RUN)`;
  await ask(`
    insert into sub_population_instances (run_id, id, sub_population_id, group_id, worker_id, role, endpoints, status)
    select $RUN, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '${worker.id}', 'CALLER', ${Math.ceil(all / SHARES)}, 'DONE'
    from generate_series(1, ${all === 0 ? 0 : SHARES})`);
  await ask(`
    insert into endpoints (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call, phase,
      reached, outcome, cause, cause_text, cause_status, attempted, answered, call_result, final_status, final_reason, rang, call_id,
      planned_at, closed_at, called_at, answered_at, left_at, time_to_trying_ms, time_to_ringing_ms, pdd_ms, call_setup_ms,
      time_to_first_media_ms, call_duration_ms, invite_late_ms)
    select $RUN, n, gen_random_uuid(), i.id, '${worker.id}', '${cloud?.id}', case when calls then 'CALLER' else 'CALLEE' end,
      'sip:e' || n || '@192.0.2.10:5060', calls, 7, case when bad then 2 else 5 end, case when bad then 'CALL_FAILED' else 'SUCCESS' end,
      case when bad then 'REJECTED' end, case when bad then 'Busy Here' end, case when bad then 486 end, true, not bad,
      case when bad then 'REJECTED' else 'SUCCESS' end, case when bad then 486 else 200 end, case when bad then 'Busy Here' else 'OK' end,
      true, 'call-' || n, at, at + case when bad then interval '1 s' else interval '20 min' end, at,
      case when not bad then at + make_interval(secs => setup / 1000) end, at + interval '20 min',
      setup / 4, setup / 2, setup / 2, case when not bad then setup end, 20, case when bad then 0 else 1200000 end, random()
    from (
      select n, n % 2 = 0 as calls, n % 50 = 0 as bad, ${t0} + make_interval(secs => n::float8 * ${seconds / 2} / ${Math.max(1, all)}) as at,
        40 + 400 * random() * random() as setup
      from generate_series(0, ${all} - 1) n) e
    join (select id, row_number() over () - 1 as k from sub_population_instances where run_id = $RUN) i on i.k = n % ${SHARES}`);
  await ask(`
    insert into streams (run_id, endpoint_number, stream, codec, remote, packets_sent, octets_sent, packets_received, octets_received,
      expected, lost, discarded, duplicates, reordered, ssrc_changes, plc_events, plc_ms, jitter_mean_ms, jitter_max_ms, rtt_mean_ms,
      rtt_max_ms, rtt_count, mos, r_factor, scale, feedback, nack_count, pli_count, fir_count, sends_skipped)
    select $RUN, n, 0, 'PCMU', '192.0.2.10:4000', 60000, 9600000, 59900, 9584000, 60000, 100, 0, 0, 0, 0, 3, 60, 2, 9, 20, 30, 200,
      4.4 - random(), 90, 'nb', true, 0, 0, 0, 0
    from generate_series(0, ${all} - 1) n`);
  const seconds_ = `generate_series(0, ${all === 0 ? -1 : seconds - 1}) s`;
  const shares = `(select id from sub_population_instances where run_id = $RUN) i`;
  await ask(`
    insert into rollups
    select $RUN, i.id, ${t0} + s * interval '1 s', 100, 5000, 5000, 5000, 5 + (s % 7), 0, 100, 0, 0.01, 100, 420, 4, 4.4, 8500, 80, 93,
      100, 200 + s % 50, 0, 9, 10, 20, 1, 30, 10, 0.1, 0, 0.02, 10, 5, 0, 1, 'nb' from ${shares}, ${seconds_}`);
  await ask(`
    insert into mos_counts select $RUN, i.id, ${t0} + s * interval '1 s', 'nb', 78 + b * 2, 20 from ${shares}, ${seconds_}, generate_series(0, 4) b`);
  await ask(`
    insert into noise (run_id, worker_id, at, seconds, pacing_error, slots_planned, slots_skipped, loop_delay, thread_cpu, steal,
      receive_drops, received, clock_steps, stamps, loop_delay_p99_ms, pacing_error_p99_ms)
    select $RUN, '${worker.id}', ${t0} + s * interval '1 s', 1, '{}', 50000, 0, '{}', 0.4, 0, 0, 50000, 0, 'kernel', 2 + (s % 300 = 0)::int * 20, 0.2
    from ${seconds_}`);
  await ask(`insert into sip_counts select $RUN, i.id, false, 'INVITE', x.s, x.r, 250, 0
    from (select id from sub_population_instances where run_id = $RUN) i, (values (100, 'Trying'), (180, 'Ringing'), (200, 'OK'), (486, 'Busy Here')) x (s, r)`);
  await database.query('analyze');
  await ask(`update test_runs set status = 'QUEUED' where id = $RUN`);
  await ask(`update test_runs set status = 'RUNNING' where id = $RUN`);
  const drawn = await api<Record<string, unknown>>('GET', `/projects/${projectId}/test-runs/${run}`);
  const validity = { verdict: 'VALID', reasons: [], checks: [] };
  const clusters = { failureClusters: drawn['failureClusters'], otherFailures: 0 };
  await database.query(
    `update test_runs set status = 'COMPLETED', ended_at = started_at + make_interval(secs => $2), summary = $3, call_timing = $4,
       sip_responses = $5, sip_requests = $6, validity = $7, failure_clusters = $8, progress = $9, starts = $10 where id = $1`,
    [
      run,
      seconds,
      ...[
        drawn['summary'],
        drawn['callTiming'],
        drawn['sipResponses'],
        drawn['sipRequests'],
        validity,
        clusters,
        drawn['progress'],
        drawn['starts'],
      ].map((v) => JSON.stringify(v)),
    ],
  );
  return run;
}
