/**
 * Converts any failure to the error envelope (docs/contract.md, Errors), with this project's texts only: internal
 * details are not exposed.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ApiError, type ErrorDetail, errorPage, notFound, printPath } from '../contract/errors.ts';
import type { Log } from '../ports.ts';
import { TROUBLE_WORDS, troubleOf } from '../store/trouble.ts';

export const errorHandler =
  (log: Log) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toApiError(thrown, request);
    if (error.code === 'INTERNAL_ERROR') {
      log.error(
        { requestId: request.id, url: request.routeOptions.url, error: thrown.message, stack: thrown.stack },
        'request failed',
      );
    }
    return sendError(reply, error, request.id);
  };

/** The headers of every answer, from any code. */
export const headersOf = (requestId: string): Readonly<Record<string, string>> => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
});

export const sendError = (reply: FastifyReply, error: ApiError, requestId: string): FastifyReply =>
  reply
    .code(error.status)
    .headers({
      ...headersOf(requestId),
      ...(error.retryAfterSeconds !== null && { 'Retry-After': String(error.retryAfterSeconds) }),
    })
    .send(envelope(error, requestId, reply.server.hasDecorator(ERROR_PAGE) ? errorPage(error.code) : null));

/** Decorates a server that has the documentation. */
export const ERROR_PAGE = 'errorPage';

const envelope = (error: ApiError, requestId: string, docs: string | null) => ({
  error: {
    code: error.code,
    message: error.message,
    ...(error.details.length > 0 && { details: error.details }),
    ...(docs !== null && { docs }),
  },
  meta: { requestId },
});

const UNREADABLE = {
  HPE_HEADER_OVERFLOW: { reason: 'HEADERS_TOO_LONG', message: 'The headers of the request are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { reason: 'SLOW_REQUEST', message: 'The request did not arrive in time.' },
} as const;
const NO_REQUEST = { reason: 'UNREADABLE_REQUEST', message: 'The request is not an HTTP request.' } as const;

const unreadable = ({ code }: { readonly code?: string }) =>
  code === 'HPE_HEADER_OVERFLOW' || code === 'ERR_HTTP_REQUEST_TIMEOUT' ? UNREADABLE[code] : NO_REQUEST;

/** The reason for the audit log. */
export const reasonOf = (thrown: { readonly code?: string }) => unreadable(thrown).reason;

/**
 * Invalid HTTP never becomes a request: it is answered on the raw connection, which is then closed.
 * @returns false: the peer closed the connection, nothing was refused
 */
export function answerUnreadable(thrown: Error & { code?: string }, socket: Socket): boolean {
  if (thrown.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return false;
  }
  const requestId = randomUUID();
  const { message } = unreadable(thrown);
  const body = JSON.stringify(envelope(new ApiError('BAD_REQUEST', message), requestId, null));
  const headers = {
    ...headersOf(requestId),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
  return true;
}

/** The body's content type is not JSON. */
export class NotJson extends ApiError {
  constructor(why: string) {
    super('BAD_REQUEST', `The body is not JSON: ${why}`);
  }
}

/** A request may have very many mistakes; this many are helpful. */
const MAX_DETAILS = 100;
const MAX_NAME = 100;

type Issue = {
  readonly instancePath: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params?: object;
};

/** The names of unknown parameters are included. */
function detailsOf({ instancePath, keyword, message = 'is not valid', params }: Issue): ErrorDetail[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .filter((key) => key !== '');
  const keys: PropertyKey[] = path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  if (keyword === 'unrecognized_keys') {
    const { keys: unknown } = params as { keys: readonly string[] };
    return unknown.map((key) => ({ path: printPath([...keys, key.slice(0, MAX_NAME)]), message: 'unknown field' }));
  }
  return [{ path: printPath(keys), message }];
}

/** The time after which to ask again if the database prevents an answer. */
export const RETRY_SECONDS = 5;

function toApiError(thrown: FastifyError | Error, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const trouble = troubleOf(thrown);
  if (trouble !== null) return new ApiError('UNAVAILABLE', TROUBLE_WORDS[trouble], [], RETRY_SECONDS);
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const details = thrown.validation.flatMap(detailsOf).slice(0, MAX_DETAILS);
    const first = details[0];
    const message = first ? `${first.path || 'The request'}: ${first.message}` : 'The request is not valid.';
    return new ApiError('VALIDATION_ERROR', message, details);
  }
  const { code, statusCode = 500 } = thrown as FastifyError;
  // The parameter is longer than any identifier of this API.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return notFound('resource', request.url);
  if (code === 'FST_ERR_BAD_URL') return new ApiError('BAD_REQUEST', 'The address has an invalid % sequence.');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('BAD_REQUEST', `The body is longer than ${request.routeOptions.bodyLimit} bytes.`);
  }
  if (statusCode < 500) return new ApiError('BAD_REQUEST', `The request cannot be read: ${thrown.message}`);
  return new ApiError(
    'INTERNAL_ERROR',
    'The server failed; the request is not the cause. Try again. The request id identifies the error in the log.',
  );
}
