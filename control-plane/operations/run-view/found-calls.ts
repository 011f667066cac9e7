/** Calls over the runs of a project, or of all, or failed calls: of the last runs that had some, as far as one request looks. */
import { q850Name } from '@carillon/proto';
import type { Input, Output } from '../../contract/catalogue.ts';
import { FAILED_OUTCOMES } from '../../contract/run/words.ts';
import { windowOf } from '../../store/pages.ts';
import { namesOfProjects } from '../../store/people/found-names.ts';
import { countFoundCalls, type FoundQuery, foundCalls, runsWithCalls } from '../../store/run/views/found-calls.ts';
import { listed } from '../request/listed.ts';
import { requireNamed } from '../request/named.ts';
import type { Context, Handler } from '../request/perform.ts';
import { inviteAt } from './endpoint-views.ts';
import { partyOf } from './figures.ts';
import { workerRef } from './runs.ts';

/** One request looks at up to this many runs; a single run is looked at whole. */
const MAX_RUNS = 10_000;
const MAX_ROWS = 300_000;
/** Calls of all projects that are found together. */
const MAX_FOUND = 6;

type Row = Omit<Awaited<ReturnType<typeof foundCalls>>[number], 'place'>;

const queryOf = (input: Input<'listCalls'>): FoundQuery => ({
  outcomes: input.outcome,
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

export const listCalls: Handler<'listCalls'> = async (context, input) => {
  const { rows, ...found } = await search(context, input);
  return { ...found, rows: rows.map(view) };
};

export const listFailedCalls: Handler<'listFailedCalls'> = async (context, input) => {
  const { rows, ...found } = await search(context, { ...input, outcome: FAILED_OUTCOMES });
  return { ...found, rows: rows.map(failedView) };
};

/** Looks through all projects together. Large runs are left out, because one of them would hide all others. */
export const findCalls: Handler<'findCalls'> = async ({ ports, actor }, { number, call_id: callId }) => {
  const { db } = ports.database;
  const names = new Map((await namesOfProjects(db, actor)).map(({ id, name }) => [id, name]));
  const runs = await runsWithCalls(db, [...names.keys()], {}, MAX_RUNS + 1);
  let rows = 0;
  const looked = runs.slice(0, MAX_RUNS).filter((run) => {
    if (rows + run.rows > MAX_ROWS) return false;
    rows += run.rows;
    return true;
  });
  const ids = looked.map(({ id }) => id);
  const first = { offset: 0, limit: MAX_FOUND, backwards: false, after: null };
  const calls = await foundCalls(db, ids, { number, callId }, '-plannedAt', first);
  return {
    calls: calls.map((e) => ({ ...view(e), projectId: e.projectId, projectName: names.get(e.projectId) ?? '' })),
    complete: looked.length === runs.length,
  };
};

async function search({ ports }: Context, input: Input<'listCalls'>) {
  const query = queryOf(input);
  const { db } = ports.database;
  await requireNamed(db, input.projectId, { test: input.test_id, worker: input.worker_id });
  const { outcomes, from, to } = query;
  const submittedTo = input.submitted_to === undefined ? undefined : new Date(input.submitted_to);
  const period = { outcomes, testId: input.test_id, from, to, submittedTo };
  const runs = await runsWithCalls(db, [input.projectId], period, MAX_RUNS + 1);
  const looked = withinReach(runs);
  const ids = looked.map(({ id }) => id);
  const { sort, page, per_page, cursor } = input;
  // A page and the number of all calls are found by one look at them, which begins at the end that is probably nearer.
  const most = looked.reduce((sum, { rows }) => sum + rows, 0);
  const ahead = { offset: (page - 1) * per_page, limit: per_page, backwards: false };
  const near = windowOf(most, input);
  const guess = { ...(near.backwards ? near : ahead), after: null, counts: true };
  const first = cursor === undefined ? await foundCalls(db, ids, query, sort, guess) : null;
  const isNone = first?.length === 0 && page === 1;
  const total = first?.[0]?.total ?? (isNone ? 0 : await countFoundCalls(db, ids, query));
  const found = await listed(input, total, async (w) => {
    // From the end, it is the right page if the runs have as many calls as they can have.
    if (first === null || (guess.backwards && total !== most)) return foundCalls(db, ids, query, sort, w);
    return w.backwards === guess.backwards ? first : first.toReversed();
  });
  // The search goes on with the first run that was not looked at.
  const until = runs[looked.length]?.submittedAt.toISOString() ?? null;
  return { ...found, search: { scanned: looked.length, limit: MAX_RUNS, complete: until === null, until } };
}

const view = (e: Row): Output<'listCalls'> => ({
  ...callOf(e),
  outcome: e.outcome,
  inviteAt: inviteAt(e),
  callSetupMs: e.call_setup_ms,
  callDurationMs: e.call_duration_ms,
  mos: e.mos,
});

const failedView = (e: Row): Output<'listFailedCalls'> => ({ ...callOf(e), outcome: e.outcome ?? 'CALL_FAILED' });

function callOf(e: Row): Omit<Output<'listFailedCalls'>, 'outcome'> {
  const apart = e.isLasting ? e.runEndpoints : null;
  return {
    id: e.id,
    run: { id: e.run_id, testId: e.testId, testName: e.testName, submittedAt: e.submittedAt.toISOString() },
    endpointType: e.endpoint_type,
    endpointNumber: apart === null ? e.number : e.number % apart,
    call: apart === null ? null : Math.floor(e.number / apart) + 1,
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
