/** REST, read from the catalogue: one loop registers every row. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import {
  type EntranceName,
  type Input,
  type KnownName,
  type OperationName,
  type OperationRow,
  otherParameters,
  pathParameters,
  takesBody,
} from '../contract/catalogue.ts';
import { type Listed, type Paged, pagination } from '../contract/envelope.ts';
import { ENTRANCES, HANDLERS } from '../handlers.ts';
import { audit, nameBefore } from '../operations/people/audit.ts';
import { enter } from '../operations/people/entrance.ts';
import { noteForbidden } from '../operations/people/refusals.ts';
import { isReplayed } from '../operations/request/change.ts';
import {
  type Admission,
  admit,
  type Context,
  type Download,
  type EventStream,
  perform,
} from '../operations/request/perform.ts';
import { type WrittenAnswer, writtenAnswer } from '../operations/run-view/kept-answers.ts';
import type { Ports } from '../ports.ts';
import { readBody, refuseFields } from './body.ts';
import { type OpenStreams, openStreams, sendEvents } from './event-stream.ts';
import { actorOf, type Gate } from './gate.ts';
import { locationOf, readingPath } from './location.ts';
import { documentation } from './openapi/openapi.ts';
import { idempotencyKeyOf, ifMatchOf, isHeld } from './request-headers.ts';
import type { SessionCookie } from './session-cookie.ts';

const BYTES = 'application/octet-stream';
const JSON_TYPE = 'application/json; charset=utf-8';

const BASE = '/api/v1';

const NAMES = Object.keys(CATALOGUE) as OperationName[];

export function registerRoutes(app: FastifyInstance, ports: Ports, gate: Gate, cookie: SessionCookie): void {
  const streams = openStreams();
  // A server waits until its answers end, and would wait for these for ever.
  app.addHook('preClose', async () => streams.endAll());
  for (const name of NAMES) registerRow(app, { ports, gate, cookie, streams }, name);
}

type HttpParts = {
  readonly ports: Ports;
  readonly gate: Gate;
  readonly cookie: SessionCookie;
  readonly streams: OpenStreams;
};

/** The limit of a body, unless the row has its own. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

type ProjectId = { readonly projectId?: string };

function registerRow(app: FastifyInstance, parts: HttpParts, name: OperationName): void {
  const row: OperationRow = CATALOGUE[name];
  const others = otherParameters(row);
  const part = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, row.input.shape[key]]));
  const hasBody = takesBody(row);
  const inputOf = (request: FastifyRequest) =>
    withLastEvent(row, request, {
      ...(hasBody && (request.body as object)),
      ...(row.method === 'GET' && (request.query as object)),
      ...(request.params as object),
    });
  app.route({
    method: row.method,
    url: BASE + row.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(!isEntrance(name) && { bodyLimit: row.bodyLimitBytes ?? BODY_LIMIT_BYTES }),
    schema: {
      ...documentation(name, row),
      params: z.object(part(pathParameters(row.path))),
      ...(row.method === 'GET' && { querystring: z.strictObject(part(others)) }),
      ...(hasBody && { body: z.strictObject(part(others)) }),
    },
    ...(isEntrance(name) ? entering(parts, name, inputOf) : asking(parts, name, inputOf)),
  });
}

type InputOf = (request: FastifyRequest) => object;
type Hooks = Pick<RouteOptions, 'onRequest' | 'preValidation' | 'handler'>;

/** The routes of log-in rows, which have no identity yet. */
function entering<N extends EntranceName>({ ports, gate, cookie }: HttpParts, name: N, inputOf: InputOf): Hooks {
  const row: OperationRow = CATALOGUE[name];
  return {
    onRequest: gate.visit,
    preValidation: async (request) => readBodyOf(row, request),
    handler: async (request, reply) => {
      const userAgent = request.headers['user-agent'] ?? '';
      const visitor = { address: request.ip, userAgent, device: cookie.readDevice(request) };
      const { answer, sessionToken, deviceToken } = await enter(
        ENTRANCES,
        name,
        ports,
        visitor,
        inputOf(request) as Input<N>,
      ).finally(() => {
        // Anybody reads the page of the log-in, as often as they like.
        if (row.method !== 'GET') ports.memory.forget();
      });
      if (sessionToken !== null) cookie.set(reply, sessionToken);
      if (deviceToken !== null) cookie.setDevice(reply, deviceToken);
      return { data: answer, meta: { requestId: request.id } };
    },
  };
}

/** The routes of all other rows: requests have a key or a session. */
function asking<N extends KnownName>(parts: HttpParts, name: N, inputOf: InputOf): Hooks {
  const { ports, gate } = parts;
  const row: OperationRow = CATALOGUE[name];
  const admitted = new WeakMap<FastifyRequest, Admission<N>>();
  return {
    // This precedes the reading of any untrusted request data.
    onRequest: gate.enter,
    // This precedes errors that could reveal something to unauthorized callers.
    preValidation: async (request) => {
      const { projectId } = request.params as ProjectId;
      const actor = actorOf(request);
      const admission = await admit(ports, actor, name, projectId).catch(async (error: unknown) => {
        throw await noteForbidden(ports, actor, request.ip, name, error);
      });
      admitted.set(request, admission);
      readBodyOf(row, request);
    },
    handler: async (request, reply) => {
      const input = inputOf(request) as Input<N>;
      const context = contextOf(ports, request);
      const named = await nameBefore(ports, context.actor, row, input);
      const answer = await perform(HANDLERS, admitted.get(request) as Admission<N>, context, input).finally(() => {
        // Cached data is refreshed before a change is announced.
        if (row.method !== 'GET') ports.memory.forget();
      });
      if (isReplayed(answer)) reply.header('Idempotency-Replayed', 'true');
      else await audit(ports, context.actor, request.ip, { name, row, input, answer, nameBefore: named });
      if (row.endsSession && (answer as { id: string }).id === context.actor.credentialId) parts.cookie.clear(reply);
      reply.code(row.status);
      return send(parts, request, reply, { name, row, input, answer });
    },
  };
}

type HandledRequest = {
  readonly name: KnownName;
  readonly row: OperationRow;
  readonly input: object;
  readonly answer: unknown;
};

function send(
  { ports, gate, streams }: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
  handled: HandledRequest,
): unknown {
  const { name, row, input, answer } = handled;
  const written = writtenAnswer(answer as object);
  if (written) return sendWritten(request, reply, written, metaOf(request, handled));
  switch (row.answers) {
    case 'events': {
      const { projectId } = input as ProjectId;
      const access = async () => {
        await gate.renew(request);
        await admit(ports, actorOf(request), name, projectId);
      };
      return sendEvents(reply, answer as EventStream, { access, streams });
    }
    case 'file': {
      const { fileName, bytes } = answer as Download;
      reply.header('Content-Disposition', `attachment; filename="${fileName}"`);
      return reply.type(row.contentType ?? BYTES).send(Readable.from(bytes, { objectMode: false }));
    }
    case 'single': {
      const { version } = answer as { version?: number };
      if (row.versioned && version !== undefined) reply.header('ETag', `"${version}"`);
      const place = readingPath(row, Object.keys(answer as object));
      if (place !== undefined) reply.header('Location', BASE + locationOf(place, { ...input, ...(answer as object) }));
      return { data: answer, meta: metaOf(request, handled) };
    }
    case 'list':
      return { data: (answer as Listed<unknown>).rows, meta: metaOf(request, handled) };
  }
}

function metaOf(request: FastifyRequest, { row, input, answer }: HandledRequest): object {
  const meta = { requestId: request.id };
  if (row.answers !== 'list') return meta;
  const listed = answer as Listed<unknown>;
  const { nextCursor } = listed;
  const paged = { pagination: pagination(listed, input as Paged), ...(nextCursor !== undefined && { nextCursor }) };
  return { ...meta, ...paged, ...(listed.search && { search: listed.search }) };
}

/** The client may cache it but must revalidate: names and permissions change. */
function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, etag }: WrittenAnswer,
  meta: object,
): unknown {
  reply.header('ETag', etag);
  reply.header('Cache-Control', 'private, no-cache');
  reply.header('Vary', 'Authorization, Cookie');
  if (isHeld(request, etag)) return reply.code(304).send();
  reply.header('Content-Type', JSON_TYPE);
  return `{"data":${json},"meta":${JSON.stringify(meta)}}`;
}

const isEntrance = (name: OperationName): name is EntranceName => (CATALOGUE[name] as OperationRow).by === 'ANYONE';

/** @throws ApiError VALIDATION_ERROR: an unexpected body or query */
function readBodyOf(row: OperationRow, request: FastifyRequest): void {
  if (row.method !== 'GET') refuseFields(request.query, 'unknown parameter: this operation has no query');
  if (takesBody(row)) request.body = readBody(request.body);
  else refuseFields(request.body, 'unknown field: this takes no body');
}

/** Browsers send the id of the last event in a header. */
const withLastEvent = (row: OperationRow, request: FastifyRequest, input: object): object => {
  const last = request.headers['last-event-id'];
  return row.answers === 'events' && typeof last === 'string' ? { ...input, after: last.slice(0, 100) } : input;
};

const contextOf = (ports: Ports, request: FastifyRequest): Context => ({
  ports,
  actor: actorOf(request),
  address: request.ip,
  idempotencyKey: idempotencyKeyOf(request),
  ifMatch: ifMatchOf(request),
});

/** Methods that a path of the catalogue takes, for 405. */
export function allowedMethods(url: string): string[] {
  const path = url.split('?')[0] as string;
  return NAMES.map((name) => CATALOGUE[name])
    .filter((row) => new RegExp(`^${BASE}${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map((row) => row.method);
}
