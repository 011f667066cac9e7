/** Reads the endpoints of a run: lists, and a single one in full. */
import { columnOf } from '@carillon/proto/figures/call-figures.ts';
import {
  type FigurePlace,
  STREAM_FIGURE_ROWS,
  type StreamFieldsOf,
  streamColumnOf,
} from '@carillon/proto/figures/stream-figures.ts';
import type { Output } from '../../contract/catalogue.ts';
import { NO_DETAILS, NO_PAUSES } from '../../contract/run/stream-details.ts';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import { endpointCallsOf } from '../../domain/sums/endpoint-calls.ts';
import type { Tx } from '../../store/db.ts';
import { messageCounts } from '../../store/measured/messages.ts';
import { streamsOf } from '../../store/measured/streams.ts';
import { type PeerEndpoint, peerOf } from '../../store/run/endpoints.ts';
import { countEvents } from '../../store/run/events.ts';
import { countEndpointsByCalls, endCounts, listEndpointsByCalls } from '../../store/run/views/endpoint-calls.ts';
import { countEndpoints, type EndpointRow, findEndpoint, listEndpoints } from '../../store/run/views/endpoint-lists.ts';
import { type EndpointQuery, isAll } from '../../store/run/views/endpoint-query.ts';
import { requireNamed } from '../request/named.ts';
import { byId, known } from '../request/perform.ts';
import {
  apartOf,
  type CallsQuery,
  callViews,
  filterOf,
  type ListedCall,
  type ListedRows,
  listRows,
  type RunExtent,
} from './calls.ts';
import { endpointView, figures, releaseView } from './endpoint-views.ts';
import { keeping } from './kept-answers.ts';
import { knownRun, workerRef } from './runs.ts';

type Listed = Output<'listTestRunEndpoints'>;

export const listTestRunEndpoints = keeping('listTestRunEndpoints', async ({ ports }, input) => {
  const { db } = ports.database;
  const run = await knownRun(db, input);
  await requireNamed(db, input.projectId, { worker: input.worker_id });
  const { rows, total } = await endpointRows(db, run, filterOf(input), input);
  return { answer: { rows: await withCalls(db, run, rows), total }, isFinal: run.isFinal };
});

export async function endpointRows(
  tx: Tx,
  run: RunExtent,
  filter: EndpointQuery,
  query: CallsQuery,
): Promise<ListedRows> {
  const { order, page, per_page } = query;
  const apart = apartOf(run);
  const window = { offset: (page - 1) * per_page, limit: per_page };
  if (order === 'number' && isAll(filter)) {
    const total = await countEndpoints(tx, run.id, apart);
    return { rows: await listEndpoints(tx, run.id, apart, window), total };
  }
  if (!run.isLasting) return listRows(tx, run, filter, query);
  const total = await countEndpointsByCalls(tx, run, apart, filter);
  return { rows: await listEndpointsByCalls(tx, run, apart, { ...filter, order }, window), total };
}

async function withCalls(tx: Tx, run: RunExtent, rows: readonly EndpointRow[]): Promise<Listed[]> {
  if (!run.isLasting) return rows.map((e) => ({ ...endpointView(e), calls: null }));
  const { id, endpoints: apart, isFolded } = run;
  const endpoints = rows.map(({ number }) => number % apart);
  const ends = Map.groupBy(await endCounts(tx, id, apart, endpoints), ({ endpoint }) => endpoint);
  return rows.map((e) => ({
    ...endpointView(e),
    calls: endpointCallsOf(ends.get(e.number % apart) ?? [], !isFolded),
  }));
}

export const getTestRunEndpoint = keeping('getTestRunEndpoint', async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, endpointId } = input;
  const run = await knownRun(db, input);
  const e = known('endpoint', endpointId, await byId(endpointId, () => findEndpoint(db, testRunId, endpointId)));
  const [call] = await callViews(db, run, [e]);
  const [listed] = await withCalls(db, run, [e]);
  const messages = await messageCounts(db, testRunId, e.number);
  const streams = (await streamsOf(db, testRunId, e.number)).map(streamView);
  const peer = await peerOf(db, testRunId, e.number);
  const answer = {
    ...(listed as Listed),
    ...(call as ListedCall),
    subPopulationInstanceId: e.instance_id,
    phaseReached: PHASES[e.reached] as Phase,
    closedAt: e.closed_at?.toISOString() ?? null,
    endedBy: e.ended_by,
    release: releaseView(e),
    ...figures('DETAIL', (name) => e[columnOf(name)]),
    callerUri: e.caller_uri,
    peerEndpointId: peer?.id ?? null,
    peer: peer === undefined ? null : peerView(peer),
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
  return { answer, isFinal: run.isFinal };
});

const peerView = ({ id, grounds, workerId, workerName, isPlatform }: PeerEndpoint) => ({
  endpointId: id,
  worker: workerRef({ id: workerId, name: workerName, isPlatform }),
  grounds: [...(grounds ?? [])],
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
  const sent = s.expected - s.absent - s.paused;
  return {
    ...details,
    // Older control planes stored it without the remaining fields.
    absence: details.absence && { ...NO_PAUSES, ...details.absence },
    stream: s.stream,
    codec: s.codec,
    scale: s.scale,
    remote: s.remote,
    feedback: s.feedback,
    ...figuresAt('stream', s),
    send: { ...figuresAt('send', s), ...details.send },
    receive: {
      ...figuresAt('receive', s),
      lossFraction: sent > 0 ? s.lost / sent : null,
      ...details.receive,
    },
  };
}
