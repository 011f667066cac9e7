/** Failed calls over the runs of a project: of the last runs that had failures, as far as one request looks. */
import { q850Name } from '@carillon/proto';
import type { Input, Output } from '../../contract/catalogue.ts';
import {
  countFailedCalls,
  type FailedQuery,
  failedCalls,
  runsWithFailures,
} from '../../store/run/views/failed-calls.ts';
import { listed } from '../request/listed.ts';
import { requireNamed } from '../request/named.ts';
import type { Handler } from '../request/perform.ts';
import { partyOf } from './figures.ts';
import { workerRef } from './runs.ts';

/** One request looks at up to this many runs; a single run is looked at whole. */
const MAX_RUNS = 200;
const MAX_ROWS = 300_000;

type Row = Omit<Awaited<ReturnType<typeof failedCalls>>[number], 'place'>;

const queryOf = (input: Input<'listFailedCalls'>): FailedQuery => ({
  sipStatus: input.sip_status,
  cause: input.cause,
  number: input.number,
  callId: input.call_id,
  workerId: input.worker_id,
  from: input.from === undefined ? undefined : new Date(input.from),
  to: input.to === undefined ? undefined : new Date(input.to),
});

/** The runs that may be looked at together. */
function withinReach<R extends { readonly rows: number }>(runs: readonly R[]): R[] {
  let rows = 0;
  const beyond = runs.findIndex((run, i) => {
    rows += run.rows;
    return i >= MAX_RUNS || (i > 0 && rows > MAX_ROWS);
  });
  return runs.slice(0, beyond < 0 ? runs.length : beyond);
}

export const listFailedCalls: Handler<'listFailedCalls'> = async ({ ports }, input) => {
  const query = queryOf(input);
  const { db } = ports.database;
  await requireNamed(db, input.projectId, { test: input.test_id, worker: input.worker_id });
  const period = { testId: input.test_id, from: query.from, to: query.to };
  const runs = await runsWithFailures(db, input.projectId, period, MAX_RUNS + 1);
  const looked = withinReach(runs);
  const ids = looked.map(({ id }) => id);
  const total = await countFailedCalls(db, ids, query);
  const found = await listed(input, total, (w) => failedCalls(db, ids, query, input.sort, w));
  const complete = looked.length === runs.length;
  const until = complete ? null : (looked.at(-1)?.submittedAt.toISOString() ?? null);
  return {
    ...found,
    rows: found.rows.map(view),
    search: { scanned: looked.length, limit: MAX_RUNS, complete, until },
  };
};

function view(e: Row): Output<'listFailedCalls'> {
  const apart = e.isLasting ? e.runEndpoints : null;
  return {
    id: e.id,
    run: { id: e.run_id, testId: e.testId, testName: e.testName, submittedAt: e.submittedAt.toISOString() },
    endpointType: e.endpoint_type,
    endpointNumber: apart === null ? e.number : e.number % apart,
    call: apart === null ? null : Math.floor(e.number / apart) + 1,
    outcome: e.outcome ?? 'CALL_FAILED',
    failure: e.cause === null ? null : failureOf(e, e.cause),
    finalStatus: e.final_status,
    callId: e.call_id,
    calleeUri: e.callee_uri,
    plannedAt: e.planned_at?.toISOString() ?? null,
    worker: workerRef({ id: e.worker_id, name: e.workerName, isPlatform: e.isPlatform }),
  };
}

const failureOf = (e: Row, cause: string): Output<'listFailedCalls'>['failure'] => ({
  cause,
  party: partyOf(cause, e.endpoint_type, e.q850),
  sipStatus: e.cause_status,
  reason: e.cause_text ?? '',
  q850: e.q850,
  q850Name: e.q850 === null ? null : q850Name(e.q850),
  reasonText: e.reason_text,
  warning: e.warning,
  retryAfterSeconds: e.retry_after_seconds,
});
