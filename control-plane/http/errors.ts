/** Whatever went wrong, in the error envelope of spec section 7. Texts of ours only: nothing internal leaves the house. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ApiError, type ErrorDetail } from '../contract/errors.ts';
import type { Log } from '../ports.ts';

export const errorHandler =
  (log: Log) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toApiError(thrown);
    if (error.status >= 500) {
      log.error(
        { requestId: request.id, url: request.routeOptions.url, error: thrown.message, stack: thrown.stack },
        'request failed',
      );
    }
    return sendError(reply, error, request.id);
  };

export const sendError = (reply: FastifyReply, error: ApiError, requestId: string): FastifyReply =>
  reply.code(error.status).send({
    error: {
      code: error.code,
      message: error.message,
      ...(error.details.length > 0 && { details: error.details }),
    },
    meta: { requestId },
  });

function toApiError(thrown: FastifyError | Error): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const details: ErrorDetail[] = thrown.validation.map((v) => ({
      path: v.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: v.message ?? 'is not valid',
    }));
    const first = details[0];
    const message = first ? `${first.path || 'The request'}: ${first.message}` : 'The request is not valid.';
    return new ApiError('VALIDATION_ERROR', message, details);
  }
  const status = (thrown as FastifyError).statusCode ?? 500;
  if (status < 500) return new ApiError('BAD_REQUEST', `The request cannot be read: ${thrown.message}`);
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong here, not with the request. Try again; the request id helps us to find it.',
  );
}
