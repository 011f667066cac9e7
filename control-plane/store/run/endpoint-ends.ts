/**
 * Progress and outcomes of endpoints, as reported by agents, or for lost ones: a row is written once per batch. Both
 * statements insert existing rows and update them as a conflict, so that each row is found by its primary key,
 * independent of the planner. A join to `endpoints` would be planned by statistics that a new run lacks, or that come
 * from runs with one call, and could compare every row of the batch with every row of the run.
 */
import { columnOf, FIGURES } from '@carillon/proto/figures/call-figures.ts';
import { type RawBuilder, sql } from 'kysely';
import { PHASES } from '../../contract/run/words.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { isDroppedBy, isUnheardBy } from '../../domain/figures/findings.ts';
import type { RegistrationEndFacts, ReportedOutcome } from '../../domain/run/facts.ts';
import type { ReachedPhases } from '../../domain/run/reached-phases.ts';
import { numbers } from '../arrays.ts';
import { columnsOf, flag, namesOf, number, type StoredColumns, text, unnested } from '../columns.ts';
import type { Tx } from '../db.ts';
import { counted } from './views/run-counts.ts';

const CLOSED = PHASES.indexOf('CLOSED');
const CALLING = PHASES.indexOf('CALLING');
const INCALL = PHASES.indexOf('INCALL');

/** The instants are in Unix milliseconds. */
const PHASE_INSTANTS: StoredColumns<ReachedPhases> = {
  called_at: number('float8', (p) => p.calledUnixMs),
  answered_at: number('float8', (p) => p.answeredUnixMs),
  left_at: number('float8', (p) => p.leftUnixMs),
  closed_at: number('float8', (p) => p.closedUnixMs),
};
const PHASE_COLUMNS: StoredColumns<ReachedPhases> = {
  number: number('int', (p) => p.number),
  phase: number('smallint', (p) => p.phase),
  reached: number('smallint', (p) => p.reached),
  answered: flag((p) => !Number.isNaN(p.answeredUnixMs)),
  ...PHASE_INSTANTS,
};

/** An end with the phases that were reported with it. */
export type EndpointEnd = { readonly outcome: ReportedOutcome; readonly phases: ReachedPhases };

const TYPES = { ms: 'real', count: 'int' } as const;
/** 0 means none. */
const orNone = (value: number): number => value || Number.NaN;

const OUTCOME_COLUMNS: StoredColumns<ReportedOutcome> = {
  ...Object.fromEntries(
    [...FIGURES].map(([name, { unit }]) => [columnOf(name), number(TYPES[unit], (o: ReportedOutcome) => o[name])]),
  ),
  outcome: text((o) => o.outcome),
  cause: text((o) => o.cause),
  cause_text: text((o) => o.causeText),
  cause_status: number('int', (o) => orNone(o.causeStatus)),
  attempted: flag((o) => o.attempted),
  answered: flag((o) => o.attempted && o.finalStatus >= 200 && o.finalStatus <= 299),
  call_result: text((o) => o.callResult),
  final_status: number('int', (o) => orNone(o.finalStatus)),
  final_reason: text((o) => o.finalReason),
  rang: flag((o) => o.rang),
  caller_uri: text((o) => o.callerUri),
  call_id: text((o) => o.callId),
  ended_by: text((o) => o.endedBy),
  tls: text((o) => o.tls),
  refreshes: number('int', (o) => o.refreshes),
  refresh_failures: number('int', (o) => o.refreshFailures),
  refresh_lapses: number('int', (o) => o.refreshLapses),
  refresh_recoveries: number('int', (o) => o.refreshRecoveries),
  q850: number('smallint', (o) => orNone(o.q850)),
  reason_text: text((o) => o.reasonText),
  warning: text((o) => o.warning),
  retry_after_seconds: number('int', (o) => orNone(o.retryAfterSeconds)),
  awaited_ms: number('real', (o) => orNone(o.awaitedMs)),
  absent_ms: number('real', (o) => (o.awaitedMs > 0 ? o.absentMs : Number.NaN)),
  paused_ms: number('real', (o) => (o.awaitedMs > 0 ? o.pausedMs : Number.NaN)),
  unheard: flag((o) => isUnheardBy(o.findings)),
  unreported: flag((o) => o.unreported),
  dropped: flag((o) => isDroppedBy(o.findings, o.cause)),
  kept: flag((o) => o.kept),
};

const PLANNED_AT: StoredColumns<ReportedOutcome> = { planned_at: number('float8', (o) => o.plannedUnixMs) };
/** Columns whose new value also depends on the existing row. */
const KEPT: StoredColumns<ReportedOutcome> = {
  number: number('int', (o) => o.number),
  callee_uri: text((o) => o.calleeUri ?? ''),
  peer_number: number('int', (o) => o.peer ?? Number.NaN),
};
const END_INSTANTS = { ...PLANNED_AT, ...PHASE_INSTANTS };
const END_COLUMNS: StoredColumns<EndpointEnd> = {
  ...columnsOf({ ...KEPT, ...PLANNED_AT, ...OUTCOME_COLUMNS }, (end: EndpointEnd) => end.outcome),
  ...columnsOf(
    { reached: number('smallint', (p: ReachedPhases) => p.reached), ...PHASE_INSTANTS },
    (end: EndpointEnd) => end.phases,
  ),
};

/** Columns of calls that fail, register, have media, or name a server: most batches have no call of a kind. */
const SELDOM = [
  ['cause', 'cause_text', 'cause_status', 'q850', 'reason_text', 'warning', 'retry_after_seconds'],
  ['refreshes', 'refresh_failures', 'refresh_lapses', 'refresh_recoveries', 'register_rtt_ms', 'options_rtt_ms'],
  ['awaited_ms', 'absent_ms', 'paused_ms', 'time_to_first_media_ms', 'time_to_early_media_ms'],
  ['dns_ms', 'connect_ms', 'tls_ms', 'tls'],
];

/** The plan data of a call: the first call of each endpoint has a row, and later ones are inserted. */
export type CallOrigin = {
  readonly runId: string;
  readonly instanceId: string;
  readonly workerId: string;
  readonly registrarId: string;
  readonly role: EndpointType;
  readonly countsAsCall: boolean;
  /** The distance between the numbers of an endpoint's calls; 0: each endpoint has one call. */
  readonly apart: number;
  /** Null: the URI of the endpoint's first call. */
  readonly calleeUri: string | null;
  /** Not every call of the run is kept: kept ones are counted. */
  readonly keepsSome: boolean;
};

const PLANNED = sql.raw('run_id, id, instance_id, worker_id, registrar_id, endpoint_type, counts_as_call');
const planned = ({ runId, instanceId, workerId, registrarId, role, countsAsCall }: CallOrigin) =>
  sql`${runId}::uuid, gen_random_uuid(), ${instanceId}::uuid, ${workerId}::uuid, ${registrarId}::uuid, ${role},
    ${countsAsCall}::boolean`;

/** The planned URI of a row `f`, which may belong to a later call. */
const plannedUri = ({ runId, apart, calleeUri }: CallOrigin) =>
  calleeUri !== null || apart === 0
    ? sql`${calleeUri ?? ''}`
    : sql`coalesce((select p.callee_uri from endpoints p
        where p.run_id = ${runId}::uuid and p.number = f.number % ${apart}::int), '')`;

const selected = (names: readonly string[], instants: StoredColumns<never>) =>
  sql.raw(names.map((name) => (name in instants ? `to_timestamp(f.${name} / 1000)` : `f.${name}`)).join(', '));

const END_NAMES = Object.keys(END_COLUMNS);
const URI_AT = END_NAMES.indexOf('callee_uri');
const BEFORE_URI = selected(END_NAMES.slice(0, URI_AT), END_INSTANTS);
const AFTER_URI = selected(END_NAMES.slice(URI_AT + 1), END_INSTANTS);
/** A call that was not placed does not name its target. */
const selectedEnd = (origin: CallOrigin) =>
  sql`${BEFORE_URI}, coalesce(nullif(f.callee_uri, ''), ${plannedUri(origin)}), ${AFTER_URI}`;

const SET_INSTANTS = sql.raw(
  Object.keys(PHASE_INSTANTS)
    .map((name) => `${name} = coalesce(e.${name}, excluded.${name})`)
    .join(', '),
);
const REFRESH_COLUMNS: StoredColumns<readonly [number, number, number, number, number]> = {
  number: number('int', ([endpoint]) => endpoint),
  refreshes: number('int', ([, made]) => made),
  refresh_failures: number('int', ([, , failed]) => failed),
  refresh_lapses: number('int', ([, , , lapsed]) => lapsed),
  refresh_recoveries: number('int', ([, , , , recovered]) => recovered),
};
/** The values only grow: they come from the end of the first call or of the registration, whichever is later. */
const grown = (name: string): string => `${name} = greatest(e.${name}, excluded.${name})`;
const SET_REFRESHES = sql.raw(
  Object.keys(REFRESH_COLUMNS)
    .filter((name) => name !== 'number')
    .map(grown)
    .join(', '),
);
const SET_OUTCOME = sql.raw(
  [...Object.keys(OUTCOME_COLUMNS), ...Object.keys(PLANNED_AT)]
    .map((name) => (name in REFRESH_COLUMNS ? grown(name) : `${name} = excluded.${name}`))
    .join(', '),
);

/** A phase never decreases, and its first instant stays. An endpoint of another instance is not changed. */
export async function raisePhases(tx: Tx, origin: CallOrigin, rows: readonly ReachedPhases[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into endpoints as e (${PLANNED}, callee_uri, ${namesOf(PHASE_COLUMNS)})
    select ${planned(origin)}, ${plannedUri(origin)}, ${selected(Object.keys(PHASE_COLUMNS), PHASE_INSTANTS)}
    from ${unnested(PHASE_COLUMNS, rows, 'f')}
    on conflict (run_id, number) do update set phase = greatest(e.phase, excluded.phase),
      reached = greatest(e.reached, excluded.reached), answered = e.answered or excluded.answered, ${SET_INSTANTS}
    where e.instance_id = excluded.instance_id`.execute(tx);
}

function closing<Row>(origin: CallOrigin, ends: readonly EndpointEnd[], returned: RawBuilder<unknown>) {
  const { runId, instanceId } = origin;
  const kept = sql`written where kept and counts_as_call`;
  return sql<Row>`
    with written as (
      insert into endpoints as e (${PLANNED}, phase, ${namesOf(END_COLUMNS)})
      select ${planned(origin)}, ${CLOSED}, ${selectedEnd(origin)}
      from ${unnested(END_COLUMNS, ends, 'f', SELDOM)}
      on conflict (run_id, number) do update set phase = excluded.phase, reached = greatest(e.reached, excluded.reached),
        callee_uri = coalesce(nullif(excluded.callee_uri, ''), e.callee_uri),
        peer_number = case when e.endpoint_type = 'CALLEE' then excluded.peer_number end, ${SET_INSTANTS}, ${SET_OUTCOME}
      where e.instance_id = excluded.instance_id and e.outcome is null
      returning ${returned}, e.kept, e.counts_as_call
    )${origin.keepsSome ? sql`, kept_calls as (${counted('kept', runId, instanceId, kept)})` : sql``}
    select * from written`;
}

/**
 * Each end is written once, and a second report changes nothing; returns the numbers of the written ones. NaN: not
 * measured. An endpoint of another instance is not changed. `ends`: each endpoint once.
 */
export async function closeEndpoints(tx: Tx, origin: CallOrigin, ends: readonly EndpointEnd[]): Promise<Set<number>> {
  if (ends.length === 0) return new Set();
  const { rows } = await closing<{ number: number }>(origin, ends, sql`e.number`).execute(tx);
  return new Set(rows.map((row) => row.number));
}

/** Refreshes of registrations over many calls are reported with the first of these calls. */
export async function addRefreshes(tx: Tx, origin: CallOrigin, ends: RegistrationEndFacts): Promise<void> {
  const rows = ends.endpoint.map(
    (endpoint, i) =>
      [
        endpoint,
        ends.refreshes[i] as number,
        ends.refreshFailures[i] as number,
        ends.refreshLapses[i] as number,
        ends.refreshRecoveries[i] as number,
      ] as const,
  );
  if (rows.length === 0) return;
  await sql`
    insert into endpoints as e (${PLANNED}, callee_uri, ${namesOf(REFRESH_COLUMNS)})
    select ${planned(origin)}, '', ${selected(Object.keys(REFRESH_COLUMNS), {})} from ${unnested(REFRESH_COLUMNS, rows, 'f')}
    on conflict (run_id, number) do update set ${SET_REFRESHES}
    where e.instance_id = excluded.instance_id`.execute(tx);
}

/** The data of a call in its row besides its end, including earlier reports. NaN: not reported. */
export type ReportedCall = ReachedPhases & { readonly id: string; readonly calleeUri: string };

/** In Unix milliseconds. Citus returns from a write only what is immutable, which the parts of an instant are not, unlike those of an interval. */
const instantOf = (column: string) =>
  sql`coalesce(extract(epoch from e.${sql.raw(column)} - timestamptz 'epoch') * 1000, 'NaN')::float8`;
const REPORTED = sql`e.number, e.id, e.callee_uri as "calleeUri", e.phase, e.reached, ${instantOf('called_at')} as "calledUnixMs",
  ${instantOf('answered_at')} as "answeredUnixMs", ${instantOf('left_at')} as "leftUnixMs", ${instantOf('closed_at')} as "closedUnixMs"`;

/** The same as `closeEndpoints`; returns the written rows. */
export const closeKeptCalls = async (
  tx: Tx,
  origin: CallOrigin,
  ends: readonly EndpointEnd[],
): Promise<ReportedCall[]> =>
  ends.length === 0 ? [] : (await closing<ReportedCall>(origin, ends, REPORTED).execute(tx)).rows;

/** Deletes the rows of calls that are not kept, and returns what they had while open. */
export async function dropOpenCalls(tx: Tx, origin: CallOrigin, calls: readonly number[]): Promise<ReportedCall[]> {
  if (calls.length === 0) return [];
  const { rows } = await sql<ReportedCall>`
    select ${REPORTED} from drop_open_calls(${origin.runId}::uuid, ${origin.instanceId}::uuid, ${numbers(calls)}::int[]) e`.execute(
    tx,
  );
  return rows;
}

export type LostCall = ReportedCall & { readonly answered: boolean; readonly attempted: boolean };

/** Closes endpoints whose worker will never close them: known data stays, the rest was not measured. Returns their rows. */
export async function closeLostEndpoints(
  tx: Tx,
  runId: string,
  instanceId: string,
  reason: string,
  at: Date,
): Promise<LostCall[]> {
  const { rows } = await sql<LostCall>`
    update endpoints e set
      phase = ${CLOSED}, closed_at = coalesce(closed_at, ${at}), outcome = 'CALL_FAILED', cause = 'WORKER_LOST',
      cause_text = ${reason},
      attempted = reached >= ${CALLING}, answered = answered or reached >= ${INCALL},
      call_result = case when reached >= ${CALLING} then 'ERROR' end
    where run_id = ${runId}::uuid and instance_id = ${instanceId}::uuid and outcome is null
    returning ${REPORTED}, e.answered, e.attempted`.execute(tx);
  return rows;
}

/** Calls that are established or being placed. */
export const openCalls = async (tx: Tx, runId: string) =>
  (
    await sql<
      ReportedCall & { readonly answered: boolean; readonly endpointType: EndpointType; readonly countsAsCall: boolean }
    >`
      select ${REPORTED}, e.answered, e.endpoint_type as "endpointType", e.counts_as_call as "countsAsCall"
      from endpoints e where e.run_id = ${runId}::uuid and e.outcome is null`.execute(tx)
  ).rows;
