/** A body sent byte by byte may hold its connection only as long as its length needs on a slow line. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../limits/limits.ts';
import { sendError } from './errors.ts';

/**
 * The largest random share by which a limit is longer: bodies that began at the same moment must not all end at the
 * same moment.
 */
const SPREAD = 0.2;

/** The time limit for a body of this length; `length` undefined: the route's maximum. */
export const bodyLimitMs = (length: number | undefined, maxBytes: number): number =>
  LIMITS.bodyTime.max + (Math.min(length ?? maxBytes, maxBytes) / LIMITS.bodySpeed.max) * 1000;

/** `onLate`: the body of this request did not arrive in time. */
export function limitBodyTime(
  app: FastifyInstance,
  onLate: (request: FastifyRequest) => void,
  limitMs = bodyLimitMs,
): void {
  app.addHook('preParsing', async (request: FastifyRequest, reply: FastifyReply, payload) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if ((length === undefined && coding === undefined) || length === '0') return payload;
    const declared = Number(length ?? Number.NaN);
    const ms = limitMs(Number.isFinite(declared) ? declared : undefined, request.routeOptions.bodyLimit ?? 0);
    const late = setTimeout(
      () => {
        onLate(request);
        const message = `The body did not arrive within ${Math.ceil(ms / 1000)} s.`;
        reply.header('Connection', 'close');
        sendError(reply, new ApiError('BAD_REQUEST', message), request.id);
        reply.raw.once('finish', () => request.raw.destroy());
      },
      ms * (1 + SPREAD * Math.random()),
    ).unref();
    const done = () => clearTimeout(late);
    request.raw.once('end', done).once('close', done);
    return payload;
  });
}
