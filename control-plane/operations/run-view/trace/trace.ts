/** The events and SIP messages of a run. */
import type * as z from 'zod';
import type { Output } from '../../../contract/catalogue.ts';
import { notFound } from '../../../contract/errors.ts';
import type { TraceFilter } from '../../../contract/run/trace.ts';
import type { EventKind } from '../../../contract/run/words.ts';
import type { Tx } from '../../../store/db.ts';
import {
  countMessages,
  findMessage,
  listMessages,
  type MessageQuery,
  type MessageRow,
} from '../../../store/measured/messages.ts';
import { isUuid } from '../../../store/new-id.ts';
import { windowOf } from '../../../store/pages.ts';
import { endpointNumber, peerOf } from '../../../store/run/endpoints.ts';
import { countEvents, type EventQuery, listEvents } from '../../../store/run/events.ts';
import { runCounts } from '../../../store/run/views/run-counts.ts';
import { type Handler, known } from '../../request/perform.ts';
import { knownRun } from '../runs.ts';
import { searchMessages, textAt, unpacked } from './message-search.ts';

/** True if there is a filter. Without a filter, the total is known already. */
const isFiltered = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);

const instant = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

/** @throws ApiError NOT_FOUND */
async function numberOf(tx: Tx, runId: string, id: string | undefined): Promise<number | undefined> {
  if (id === undefined) return undefined;
  return known('endpoint', id, isUuid(id) ? await endpointNumber(tx, runId, id) : undefined);
}

export const listTestRunEvents: Handler<'listTestRunEvents'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, kind, text } = input;
  await knownRun(db, input);
  const endpoint = await numberOf(db, testRunId, input.endpoint_id);
  const filter: EventQuery = { endpoint, kind, text, from: instant(input.from), to: instant(input.to) };
  const total = isFiltered(filter)
    ? await countEvents(db, testRunId, filter)
    : (await runCounts(db, testRunId).executeTakeFirstOrThrow()).events;
  const rows = await listEvents(db, testRunId, filter, windowOf(total, input));
  return {
    rows: rows.map((v) => ({
      id: String(v.seq),
      at: v.at.toISOString(),
      kind: v.kind as EventKind,
      endpointId: v.endpointId,
      detail: v.detail,
    })),
    total,
  };
};

/** @throws ApiError NOT_FOUND */
async function numbersOf(tx: Tx, runId: string, { endpoint_id: id, legs }: Filter): Promise<number[] | undefined> {
  const number = await numberOf(tx, runId, id);
  if (number === undefined) return undefined;
  const peer = legs === 'BOTH' ? await peerOf(tx, runId, number) : undefined;
  return peer === undefined ? [number] : [number, peer.number];
}

type Filter = z.output<z.ZodObject<typeof TraceFilter>>;

/** @throws ApiError NOT_FOUND: unknown endpoint */
export async function messageQuery(tx: Tx, runId: string, filter: Filter): Promise<MessageQuery> {
  const { call_id: callId, method, status, direction } = filter;
  return {
    endpoints: await numbersOf(tx, runId, filter),
    callId,
    method,
    statuses: status === undefined ? undefined : [least(status), greatest(status)],
    sent: direction === undefined ? undefined : direction === 'SENT',
    from: instant(filter.from),
    to: instant(filter.to),
  };
}

export const listTestRunMessages: Handler<'listTestRunMessages'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, text } = input;
  await knownRun(db, input);
  const filter = await messageQuery(db, testRunId, input);
  if (text !== undefined) {
    const { rows, ...found } = await searchMessages(db, testRunId, filter, text, input);
    return { rows: rows.map(messageView), ...found };
  }
  const total = isFiltered(filter)
    ? await countMessages(db, testRunId, filter)
    : (await runCounts(db, testRunId).executeTakeFirstOrThrow()).messages;
  const rows = await listMessages(db, testRunId, filter, windowOf(total, input));
  return { rows: rows.map(messageView), total };
};

/** A status is given as `486`, or as a class such as `4xx`. */
const least = (status: string): number => Number(status.replace(/x/gi, '0'));
const greatest = (status: string): number => Number(status.replace(/x/gi, '9'));

const messageView = (m: MessageRow): Output<'listTestRunMessages'> => ({
  id: `${m.endpoint}-${m.number}`,
  at: m.at.toISOString(),
  endpointId: m.endpointId,
  direction: m.sent ? 'SENT' : 'RECEIVED',
  method: m.method,
  statusCode: m.status === 0 ? null : m.status,
  retransmission: m.retransmission,
  peer: m.peer,
  callId: m.callId,
  lengthBytes: m.length,
});

/** A message's id in the list: the endpoint's number in the run, and the message's number in the endpoint. */
const MESSAGE_ID = /^(\d{1,9})-(\d{1,9})$/;

export const getTestRunMessage: Handler<'getTestRunMessage'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, messageId } = input;
  await knownRun(db, input);
  const [, endpoint, number] = MESSAGE_ID.exec(messageId) ?? [];
  if (endpoint === undefined) throw notFound('message', messageId);
  const found = known('message', messageId, await findMessage(db, testRunId, Number(endpoint), Number(number)));
  const chunk = found.text && (await unpacked(found.text));
  return { ...messageView(found), ...textAt(chunk, found) };
};
