/** REST, read from the catalogue: one loop registers every row. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { CATALOGUE, type Input, type OperationName, pathParameters, type Row } from '../contract/catalogue.ts';
import type { Listed, Paged } from '../contract/envelope.ts';
import { ApiError } from '../contract/errors.ts';
import { type Actor, authenticate } from '../operations/actor.ts';
import { HANDLERS } from '../operations/index.ts';
import { perform } from '../operations/perform.ts';
import type { Ports } from '../ports.ts';

export const BASE = '/api/v1';

const NAMES = Object.keys(CATALOGUE) as OperationName[];
const MAX_IDEMPOTENCY_KEY = 200;

const ACTOR = 'actor';

export function registerRoutes(app: FastifyInstance, ports: Ports): void {
  app.decorateRequest(ACTOR, null);
  for (const name of NAMES) registerRow(app, ports, name);
}

function registerRow(app: FastifyInstance, ports: Ports, name: OperationName): void {
  const row: Row = CATALOGUE[name];
  const inPath = pathParameters(row.path);
  const part = (ofPath: boolean) =>
    z.object(Object.fromEntries(Object.entries(row.input.shape).filter(([key]) => inPath.includes(key) === ofPath)));
  const isGet = row.method === 'GET';
  app.route({
    method: row.method,
    url: BASE + row.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      params: part(true),
      ...(isGet && { querystring: part(false) }),
    },
    // Before anything of a stranger's request is read or judged.
    onRequest: async (request) => {
      request.setDecorator(ACTOR, await authenticate(ports, request.headers.authorization));
    },
    handler: async (request, reply) => {
      const actor = request.getDecorator<Actor>(ACTOR);
      const input = {
        ...(request.params as object),
        ...(isGet ? (request.query as object) : {}),
      } as Input<OperationName>;
      const context = { ports, actor, idempotencyKey: idempotencyKeyOf(request) };
      const answer: unknown = await perform(HANDLERS, name, context, input);
      const meta = { requestId: request.id };
      reply.code(row.status);
      if (row.answers === 'single') return { data: answer, meta };
      return listEnvelope(answer as Listed<unknown>, input as unknown as Paged, meta);
    },
  });
}

function listEnvelope({ rows, total }: Listed<unknown>, { page, per_page }: Paged, meta: { requestId: string }) {
  const pagination = { page, perPage: per_page, total, totalPages: Math.max(1, Math.ceil(total / per_page)) };
  return { data: rows, meta: { ...meta, pagination } };
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_IDEMPOTENCY_KEY) return value;
  throw new ApiError('VALIDATION_ERROR', `Idempotency-Key has 1 to ${MAX_IDEMPOTENCY_KEY} characters.`);
}

/** Methods that a path of the catalogue takes, for 405. */
export function allowedMethods(url: string): string[] {
  const path = url.split('?')[0] as string;
  return NAMES.map((name) => CATALOGUE[name])
    .filter((row) => new RegExp(`^${BASE}${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map((row) => row.method);
}
