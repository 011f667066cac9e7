/** The result of a run, from the figures stored at its end. */
import { sql } from 'kysely';
import type { RunResult } from '../../../contract/run-result.ts';
import type { Tx } from '../../db.ts';

/** The result of run `r` in a statement. Runs that were stored before callQuality and progress existed count by signalling. */
export const runResult = sql<RunResult | null>`case when r.call_timing is not null and r.validity is not null then
  json_build_object(
    'endpoints', r.endpoints,
    'calls', r.call_timing -> 'totalCalls',
    'successful', coalesce(r.call_quality -> 'successful', r.call_timing -> 'successCount'),
    'failed', coalesce((r.call_quality ->> 'failed')::int,
      (r.call_timing ->> 'totalCalls')::int - (r.call_timing ->> 'successCount')::int),
    'answeredFailed', coalesce((r.call_quality ->> 'answeredFailed')::int, 0),
    'findings', coalesce((select json_agg(json_build_object('finding', finding, 'count', n)) from (
      select f ->> 'finding' as finding, sum((f ->> 'count')::int) as n from json_array_elements(r.findings) f
      where f ->> 'severity' = 'FAULT' group by 1 order by n desc, finding) faults), '[]'::json),
    'passed', r.passed,
    'failures', coalesce((r.progress ->> 'failures')::int,
      (r.call_timing ->> 'totalCalls')::int - (r.call_timing ->> 'successCount')::int),
    'verdict', r.validity -> 'verdict',
    'health', (select status from probe_instances where test_run_id = r.id)) end`;

/** Null: the run stored no figures. */
export const resultOfRun = async (tx: Tx, id: string): Promise<RunResult | null> =>
  (
    await sql<{
      result: RunResult | null;
    }>`select ${runResult} as result from test_runs r where r.id = ${id}::uuid`.execute(tx)
  ).rows[0]?.result ?? null;
