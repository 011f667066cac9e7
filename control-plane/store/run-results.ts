/** What a run came to, from the figures that were kept when it ended. */
import { sql } from 'kysely';
import type { RunResult } from '../contract/run.ts';

/** Of the run `r` of a statement. Runs that ended before progress was kept have failures of calls alone. */
export const runResult = sql<RunResult | null>`case when r.call_timing is not null and r.validity is not null then
  json_build_object(
    'calls', r.call_timing -> 'totalCalls',
    'successful', r.call_timing -> 'successCount',
    'failures', coalesce((r.progress ->> 'failures')::int,
      (r.call_timing ->> 'totalCalls')::int - (r.call_timing ->> 'successCount')::int),
    'verdict', r.validity -> 'verdict',
    'health', (select status from probe_instances where test_run_id = r.id)) end`;
