/** Reading the endpoints of a run: lists, and one of them in full. */
import { q850Name } from '@carillon/proto';
import {
  type AnsweredIn,
  answeredIn,
  type CALL_FIGURES,
  columnOf,
  type FigureName,
} from '@carillon/proto/figures/call-figures.ts';
import {
  type FigurePlace,
  STREAM_FIGURE_ROWS,
  type StreamFieldsOf,
  streamColumnOf,
} from '@carillon/proto/figures/stream-figures.ts';
import { validate as isUuid } from 'uuid';
import type { Output } from '../../contract/catalogue.ts';
import { NO_DETAILS } from '../../contract/run/stream-details.ts';
import { PHASES, type Phase } from '../../contract/words.ts';
import type { ExportedEndpoint } from '../../domain/figures/endpoint-csv.ts';
import { failureSentence, findingView } from '../../domain/figures/findings.ts';
import type { Tx } from '../../store/db.ts';
import { messageCounts } from '../../store/measured/messages.ts';
import { streamsOf } from '../../store/measured/streams.ts';
import { windowOf } from '../../store/pages.ts';
import {
  countEndpoints,
  countSomeEndpoints,
  type EndpointQuery,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  listEndpointsFrom,
  listSomeEndpoints,
  listTheseEndpoints,
  listWorstEndpoints,
} from '../../store/run/endpoint-lists.ts';
import { peerOf } from '../../store/run/endpoints.ts';
import { countEvents } from '../../store/run/events.ts';
import { byId, known } from '../request/perform.ts';
import { findingParty, partyOf } from './figures.ts';
import { keeping } from './kept-answers.ts';
import { knownRun, workerRef } from './runs.ts';

type Listed = Output<'listTestRunEndpoints'>;

export const listTestRunEndpoints = keeping('listTestRunEndpoints', async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, outcome, endpoint_type: type, worker_id: workerId, cause, sip_status: sipStatus, finding } = input;
  const { isFinal, isLasting } = await knownRun(db, input);
  // Identifiers are opaque: what is none of ours is nobody's.
  if (workerId !== undefined && !isUuid(workerId)) return { answer: { rows: [], total: 0 }, isFinal };
  const filter: EndpointQuery = { outcome, type, workerId, cause, sipStatus, finding };
  // Where endpoints place more than one call, numbers are not dense.
  const isFiltered = isLasting || Object.values(filter).some((value) => value !== undefined);
  const total = isFiltered ? await countSomeEndpoints(db, testRunId, filter) : await countEndpoints(db, testRunId);
  const page = { page: input.page, per_page: input.per_page };
  const all = { offset: (page.page - 1) * page.per_page, limit: page.per_page };
  let rows: EndpointRow[];
  if (input.order === 'worst') rows = await listWorstEndpoints(db, testRunId, filter, { ...all, backwards: false });
  else if (isFiltered) rows = await listSomeEndpoints(db, testRunId, filter, windowOf(total, page));
  else rows = await listEndpoints(db, testRunId, all);
  return { answer: { rows: rows.map(endpointView), total }, isFinal };
});

/** These, in the order of their numbers. */
export const theseEndpoints = async (tx: Tx, runId: string, ids: readonly string[]): Promise<Listed[]> =>
  (await listTheseEndpoints(tx, runId, ids)).map(endpointView);

/** All of them in the order of their numbers, a page at a time: one question each. */
export async function* everyEndpoint(tx: Tx, runId: string, perPage: number): AsyncGenerator<ExportedEndpoint[]> {
  for (let from = 0; ; ) {
    const rows = await listEndpointsFrom(tx, runId, from, perPage);
    if (rows.length > 0) yield rows.map((e) => ({ ...endpointView(e), endedBy: e.ended_by, release: releaseView(e) }));
    if (rows.length < perPage) return;
    from = (rows.at(-1)?.number ?? 0) + 1;
  }
}

function endpointView(e: EndpointRow): Listed {
  const findings = (e.findings ?? []).map((f) => findingView(f, findingParty(f.kind, e.endpoint_type, e.q850)));
  return {
    id: e.id,
    endpointType: e.endpoint_type,
    phase: PHASES[e.phase] as Phase,
    outcome: e.outcome,
    failure: e.cause === null ? null : failureView(e, e.cause, findings),
    findings,
    media: e.media,
    number: e.number,
    callId: e.call_id,
    plannedAt: e.planned_at?.toISOString() ?? null,
    calleeUri: e.callee_uri,
    worker: workerRef({ id: e.worker_id, name: e.workerName, isPlatform: e.isPlatform }),
    registrar: { id: e.registrar_id, name: e.registrarName ?? '(deleted)', uri: e.registrarUri ?? '' },
    callTiming: callTimingView(e),
    kept: e.outcome === null ? null : e.kept,
  };
}

function failureView(e: EndpointRow, cause: string, findings: Listed['findings']): NonNullable<Listed['failure']> {
  const words = { cause, sipStatus: e.cause_status, reason: e.cause_text ?? '', ...saidView(e) };
  const retryAfterSeconds = e.retry_after_seconds;
  const { q850Name: _, ...said } = words;
  return {
    ...words,
    party: partyOf(cause, e.endpoint_type, e.q850),
    retryAfterSeconds,
    sentence: failureSentence({ ...said, retryAfterSeconds }, findings),
  };
}

const releaseView = (e: EndpointRow): ExportedEndpoint['release'] => {
  const said = saidView(e);
  return Object.values(said).every((one) => one === null) ? null : said;
};

/** What the far end said of why it refused or ended the call. */
const saidView = (e: EndpointRow) => ({
  q850: e.q850,
  q850Name: e.q850 === null ? null : q850Name(e.q850),
  reasonText: e.reason_text,
  warning: e.warning,
});

const figures = <Where extends 'LIST' | 'DETAIL'>(where: Where, of: (name: FigureName) => number | null) =>
  Object.fromEntries(answeredIn(where).map((name) => [name, of(name)])) as {
    [K in AnsweredIn<Where>]: (typeof CALL_FIGURES)[K]['unit'] extends 'ms' ? number | null : number;
  };

const whole = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

/** Null for an endpoint that never reached the timing collector; never filled with zeros (docs/contract.md, Resources). */
function callTimingView(e: EndpointRow): Output<'listTestRunEndpoints'>['callTiming'] {
  const calling =
    e.attempted || (e.endpoint_type === 'CALLER' && e.outcome === null && e.reached >= PHASES.indexOf('CALLING'));
  if (!calling) return null;
  return {
    ...figures('LIST', (name) => whole(e[columnOf(name)])),
    finalStatusCode: e.final_status,
    finalReasonPhrase: e.final_reason,
    callResult: e.call_result ?? 'IN_PROGRESS',
  };
}

export const getTestRunEndpoint = keeping('getTestRunEndpoint', async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, endpointId } = input;
  const { isFinal } = await knownRun(db, input);
  const e = known('endpoint', endpointId, await byId(endpointId, () => findEndpoint(db, testRunId, endpointId)));
  const messages = await messageCounts(db, testRunId, e.number);
  const streams = (await streamsOf(db, testRunId, e.number)).map(streamView);
  const peer = await peerOf(db, testRunId, e.number);
  const answer = {
    ...endpointView(e),
    subPopulationInstanceId: e.instance_id,
    phaseReached: PHASES[e.reached] as Phase,
    closedAt: e.closed_at?.toISOString() ?? null,
    endedBy: e.ended_by,
    release: releaseView(e),
    ...figures('DETAIL', (name) => e[columnOf(name)]),
    peerEndpointId: peer?.id ?? null,
    tls: e.tls,
    registrationRefreshes: refreshesView(e),
    finalStatusCode: e.final_status,
    streams,
    counts: {
      events: await countEvents(db, testRunId, { endpoint: e.number }),
      actionsDone: await countEvents(db, testRunId, { endpoint: e.number, kind: 'ACTION' }),
      actionsFailed: await countEvents(db, testRunId, { endpoint: e.number, kind: 'ACTION_FAILED' }),
      sipMessages: messages.all,
      sipMessagesSent: messages.sent,
      sipMessagesReceived: messages.all - messages.sent,
      retransmissions: messages.retransmissions,
    },
  };
  return { answer, isFinal };
});

function refreshesView(e: EndpointRow): Output<'getTestRunEndpoint'>['registrationRefreshes'] {
  if (e.refreshes === null) return null;
  return {
    made: e.refreshes,
    failed: e.refresh_failures ?? 0,
    lapsed: e.refresh_lapses ?? 0,
    recovered: e.refresh_recoveries ?? 0,
  };
}

type StreamRow = Awaited<ReturnType<typeof streamsOf>>[number];

const figuresAt = <P extends FigurePlace>(place: P, s: StreamRow) =>
  Object.fromEntries(
    STREAM_FIGURE_ROWS.filter(([, row]) => row.place === place).map(([name, { json }]) => [
      json,
      s[streamColumnOf(name)],
    ]),
  ) as StreamFieldsOf<P, number | null, number>;

function streamView(s: StreamRow): Output<'getTestRunEndpoint'>['streams'][number] {
  const details = { ...NO_DETAILS, ...s.details };
  return {
    ...details,
    stream: s.stream,
    codec: s.codec,
    scale: s.scale,
    remote: s.remote,
    feedback: s.feedback,
    ...figuresAt('stream', s),
    send: { ...figuresAt('send', s), ...details.send },
    receive: {
      ...figuresAt('receive', s),
      lossFraction: s.expected > 0 ? s.lost / s.expected : null,
      ...details.receive,
    },
  };
}
