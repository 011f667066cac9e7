/** REST, read from the catalogue: one loop registers every row. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { CATALOGUE, type Input, type OperationName, pathParameters, type Row } from '../contract/catalogue.ts';
import { type Listed, type Paged, pagination } from '../contract/envelope.ts';
import { ApiError } from '../contract/errors.ts';
import { HANDLERS } from '../operations/index.ts';
import { perform } from '../operations/perform.ts';
import type { Ports } from '../ports.ts';
import { actorOf, type Gate } from './gate.ts';
import { documentation } from './openapi.ts';

export const BASE = '/api/v1';

const NAMES = Object.keys(CATALOGUE) as OperationName[];
const MAX_IDEMPOTENCY_KEY = 200;

export function registerRoutes(app: FastifyInstance, ports: Ports, gate: Gate): void {
  for (const name of NAMES) registerRow(app, ports, gate, name);
}

function registerRow(app: FastifyInstance, ports: Ports, gate: Gate, name: OperationName): void {
  const row: Row = CATALOGUE[name];
  const inPath = pathParameters(row.path);
  const part = (ofPath: boolean) =>
    z.object(Object.fromEntries(Object.entries(row.input.shape).filter(([key]) => inPath.includes(key) === ofPath)));
  const isGet = row.method === 'GET';
  app.route({
    method: row.method,
    url: BASE + row.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...documentation(name, row),
      params: part(true),
      ...(isGet && { querystring: part(false) }),
    },
    // Before anything of a stranger's request is read or judged.
    onRequest: gate.enter,
    handler: async (request, reply) => {
      const actor = actorOf(request);
      const input = {
        ...(request.params as object),
        ...(isGet ? (request.query as object) : {}),
      } as Input<OperationName>;
      const context = { ports, actor, idempotencyKey: idempotencyKeyOf(request) };
      const answer: unknown = await perform(HANDLERS, name, context, input);
      const meta = { requestId: request.id };
      reply.code(row.status);
      if (row.answers === 'single') return { data: answer, meta };
      const listed = answer as Listed<unknown>;
      const paged = { pagination: pagination(listed, input as unknown as Paged) };
      return { data: listed.rows, meta: { ...meta, ...paged, ...(listed.search && { search: listed.search }) } };
    },
  });
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
