/** REST, read from the catalogue: one loop registers every row. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import {
  CATALOGUE,
  type EntranceName,
  type Input,
  type OperationName,
  otherParameters,
  pathParameters,
  type Row,
  takesBody,
} from '../contract/catalogue.ts';
import { type Listed, type Paged, pagination } from '../contract/envelope.ts';
import { HANDLERS } from '../operations/index.ts';
import { audit } from '../operations/people/audit.ts';
import { enter } from '../operations/people/entrance.ts';
import {
  admit,
  type Context,
  type Download,
  type EventStream,
  type Handler,
  type Handlers,
} from '../operations/request/perform.ts';
import type { Ports } from '../ports.ts';
import { readBody } from './body.ts';
import { type OpenStreams, openStreams, sendEvents } from './event-stream.ts';
import { actorOf, type Gate } from './gate.ts';
import { documentation } from './openapi.ts';
import { idempotencyKeyOf, ifMatchOf } from './request-headers.ts';
import type { SessionCookie } from './session-cookie.ts';

const BYTES = 'application/octet-stream';

export const BASE = '/api/v1';

const NAMES = Object.keys(CATALOGUE) as OperationName[];

export function registerRoutes(app: FastifyInstance, ports: Ports, gate: Gate, cookie: SessionCookie): void {
  const streams = openStreams();
  // A server that waits for its answers to end would wait for these for ever.
  app.addHook('preClose', async () => streams.endAll());
  for (const name of NAMES) registerRow(app, { ports, gate, cookie, streams }, name);
}

type House = {
  readonly ports: Ports;
  readonly gate: Gate;
  readonly cookie: SessionCookie;
  readonly streams: OpenStreams;
};
type AnyHandlers = { readonly [N in keyof Handlers]: Handler<OperationName> };

function registerRow(app: FastifyInstance, house: House, name: OperationName): void {
  const { ports, gate, cookie, streams } = house;
  const row: Row = CATALOGUE[name];
  const others = otherParameters(row);
  const part = (names: readonly string[]) => Object.fromEntries(names.map((key) => [key, row.input.shape[key]]));
  const hasBody = takesBody(row);
  const isEntrance = row.by === 'ANYONE';
  app.route({
    method: row.method,
    url: BASE + row.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(row.bodyLimitBytes !== undefined && { bodyLimit: row.bodyLimitBytes }),
    schema: {
      ...documentation(name, row),
      params: z.object(part(pathParameters(row.path))),
      ...(row.method === 'GET' && { querystring: z.object(part(others)) }),
      ...(hasBody && { body: z.strictObject(part(others)) }),
    },
    // Before anything of a stranger's request is read or judged.
    onRequest: isEntrance ? gate.visit : gate.enter,
    // Before anything of it is told to those who may not ask.
    preValidation: async (request) => {
      if (!isEntrance) await admit(ports, actorOf(request), name, (request.params as { projectId?: string }).projectId);
      if (hasBody) request.body = readBody(request.body);
    },
    handler: async (request, reply) => {
      const input = withLastEvent(row, request, {
        ...(hasBody && (request.body as object)),
        ...(row.method === 'GET' && (request.query as object)),
        ...(request.params as object),
      }) as Input<OperationName>;
      const meta = { requestId: request.id };
      if (isEntrance) {
        const visitor = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
        const { answer, sessionToken } = await enter(
          name as EntranceName,
          ports,
          visitor,
          input as Input<EntranceName>,
        );
        if (sessionToken !== null) cookie.set(reply, sessionToken);
        return { data: answer, meta };
      }
      const context = contextOf(ports, request);
      const handle = (HANDLERS as unknown as AnyHandlers)[name as keyof Handlers];
      const answer: unknown = await handle(context, input);
      await audit(ports, context.actor, request.ip, { name, row, input, answer });
      if (name === 'endSession' && (answer as { id: string }).id === context.actor.credentialId) cookie.clear(reply);
      reply.code(row.status);
      if (row.answers === 'events') {
        const { projectId } = input as { projectId?: string };
        const access = async () => {
          await gate.renew(request);
          await admit(ports, actorOf(request), name, projectId);
        };
        return sendEvents(reply, answer as EventStream, { access, streams });
      }
      if (row.answers === 'file') {
        const { fileName, bytes } = answer as Download;
        reply.header('Content-Disposition', `attachment; filename="${fileName}"`);
        return reply.type(row.contentType ?? BYTES).send(Readable.from(bytes, { objectMode: false }));
      }
      if (row.answers === 'single') {
        const { version } = answer as { version?: number };
        if (row.versioned && version !== undefined) reply.header('ETag', `"${version}"`);
        return { data: answer, meta };
      }
      const listed = answer as Listed<unknown>;
      const paged = { pagination: pagination(listed, input as unknown as Paged) };
      return { data: listed.rows, meta: { ...meta, ...paged, ...(listed.search && { search: listed.search }) } };
    },
  });
}

/** Browsers say in a header what they heard last. */
const withLastEvent = (row: Row, request: FastifyRequest, input: object): object => {
  const last = request.headers['last-event-id'];
  return row.answers === 'events' && typeof last === 'string' ? { ...input, after: last.slice(0, 100) } : input;
};

const contextOf = (ports: Ports, request: FastifyRequest): Context => ({
  ports,
  actor: actorOf(request),
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
