/** The MCP endpoint's address: permitted clients and methods. mcp/ handles the content. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { StrangerLog } from '../limits/stranger-log.ts';
import type { Actor } from '../operations/request/actor.ts';
import { type errorHandler, NotJson, sendError } from './errors.ts';
import { actorOf, type Gate } from './gate.ts';
import { BODY_LIMIT_BYTES } from './routes.ts';

const MCP_URL = '/api/mcp';

export type AnswerMcp = (exchange: {
  readonly actor: Actor;
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  /** The reason why the body could not be parsed; null: it was parsed. */
  readonly notJson: string | null;
}) => Promise<void>;

type McpRoute = {
  readonly answer: AnswerMcp;
  readonly publicUrl: string | null;
  readonly onError: ReturnType<typeof errorHandler>;
  readonly strangerLog: StrangerLog;
};

export function registerMcp(
  app: FastifyInstance,
  gate: Gate,
  { answer, publicUrl, onError, strangerLog }: McpRoute,
): void {
  const pass = async (request: FastifyRequest, reply: FastifyReply, notJson: string | null): Promise<void> => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
    const { ip: address, raw, body } = request;
    await answer({ actor: actorOf(request), address, request: raw, response: reply.raw, body, notJson });
  };
  const hosts = new Set(['localhost', ...(publicUrl ? [new URL(publicUrl).hostname] : [])]);
  app.route({
    method: 'POST',
    url: MCP_URL,
    bodyLimit: BODY_LIMIT_BYTES,
    schema: { hide: true },
    onRequest: [
      async (request) => {
        const fault = foreignHost(hosts, request.headers.host, request.headers.origin);
        if (fault === null) return;
        strangerLog.note('FOREIGN_HOST', request.ip);
        throw fault;
      },
      async (request, reply) => {
        await gate.identify(request).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'UNAUTHORIZED') reply.header('WWW-Authenticate', 'Bearer');
          throw error;
        });
      },
    ],
    handler: async (request, reply) =>
      pass(request, reply, request.body === undefined ? 'The request has no body.' : null),
    // The client is known by then, so that errors are answered in JSON-RPC.
    errorHandler: (error, request, reply) =>
      error instanceof NotJson ? pass(request, reply, error.message) : onError(error, request, reply),
  });
  // The request is refused before its body is read, which may be anything.
  app.route({
    // The route of HEAD is added with that of GET.
    method: app.supportedMethods.filter((method) => method !== 'POST' && method !== 'HEAD'),
    url: MCP_URL,
    schema: { hide: true },
    onRequest: async (request, reply) => refuseMethod(request, reply),
    handler: refuseMethod,
  });
}

/** True for the address of this endpoint, with any method. */
export const isMcp = (url: string): boolean => url.split('?')[0] === MCP_URL;

export function refuseMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('Allow', 'POST');
  const message = 'This MCP endpoint is stateless: it accepts only POST, and has no stream and no session.';
  return sendError(reply, new ApiError('METHOD_NOT_ALLOWED', message), request.id);
}

/**
 * DNS rebinding: a page in a browser can use its own name that resolves to this server; numeric addresses and known
 * names are safe (MCP specification, Streamable HTTP, security).
 */
function foreignHost(
  known: ReadonlySet<string>,
  host: string | undefined,
  origin: string | undefined,
): ApiError | null {
  const isKnown = (name: string): boolean => known.has(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0;
  const names = [hostname(`http://${host ?? ''}`), ...(origin === undefined ? [] : [hostname(origin)])];
  const stranger = names.find((name) => name === null || !isKnown(name));
  if (stranger === undefined) return null;
  return new ApiError(
    'FORBIDDEN',
    `${JSON.stringify(stranger ?? '')} is not a host name of this installation (CARILLON_PUBLIC_URL).`,
  );
}

const hostname = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null);
