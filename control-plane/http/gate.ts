/**
 * Checks of every API request before it is read: key or session, rate limit of its network, API access of the plan,
 * request budget. Headers of the answer show the budget.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { BudgetSpent, budgetHeaders, spend } from '../limits/budget.ts';
import { LIMITS } from '../limits/limits.ts';
import { NetworkLimit } from '../limits/networks.ts';
import { noteRefusal } from '../limits/refusals.ts';
import type { StrangerLog } from '../limits/stranger-log.ts';
import { type Actor, authenticate } from '../operations/request/actor.ts';
import { authenticateSession } from '../operations/request/session.ts';
import type { Ports } from '../ports.ts';
import { requireOwnPage, type SessionCookie } from './session-cookie.ts';

const ACTOR = 'actor';

export type Gate = {
  /** A hook for routes whose every request takes one request from the budget. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Checks that the request's key or session is still valid. @throws ApiError UNAUTHORIZED, FORBIDDEN */
  readonly renew: (request: FastifyRequest) => Promise<void>;
  /** A hook for log-in routes, which have no identity yet. */
  readonly visit: (request: FastifyRequest) => Promise<void>;
  /** A hook for routes that are only for API keys, and take from the budget themselves. */
  readonly identify: (request: FastifyRequest) => Promise<void>;
};

export function createGate(ports: Ports, cookie: SessionCookie, strangerLog: StrangerLog): Gate {
  const strangers = new NetworkLimit(LIMITS.refusedRequests);
  const requireOurPage = (request: FastifyRequest): void => {
    try {
      requireOwnPage(request);
    } catch (error) {
      strangerLog.note('FOREIGN_PAGE', request.ip);
      throw error;
    }
  };
  const byKey = (request: FastifyRequest) => {
    requireOneAuthorization(request.raw.rawHeaders);
    return authenticate(ports, request.headers.authorization);
  };
  /** An Authorization header takes precedence over a cookie, because it is never sent by accident. */
  const byEither = (request: FastifyRequest): Promise<Actor> => {
    const token = request.headers.authorization === undefined ? cookie.read(request) : undefined;
    if (token === undefined) return byKey(request);
    if (request.method !== 'GET') requireOurPage(request);
    return authenticateSession(ports, token);
  };
  const identify = async (request: FastifyRequest, who: (r: FastifyRequest) => Promise<Actor>): Promise<void> => {
    const actor = await Promise.resolve()
      .then(() => who(request))
      .catch(async (error: unknown) => {
        throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? await refuse(request, error) : error;
      });
    request.setDecorator(ACTOR, actor);
  };
  /** Handles a request without a valid key or session. */
  async function refuse({ ip: address }: FastifyRequest, error: ApiError): Promise<ApiError> {
    const { waitSeconds, news } = strangers.count(address, ports.now().getTime());
    const stranger = { organizationId: null, userId: null, actor: '', via: 'LOGIN' as const, target: {} };
    if (news > 0) await noteRefusal(ports, { ...stranger, action: 'requestRefused', address }, news);
    if (waitSeconds === 0) return error;
    const message = `Too many requests without a valid key or session. Try again in ${waitSeconds} s.`;
    return new ApiError('RATE_LIMITED', message, [], waitSeconds);
  }
  return {
    identify: (request) => identify(request, byKey),
    async renew(request) {
      request.setDecorator(ACTOR, await byEither(request));
    },
    async visit(request) {
      if (request.method !== 'GET') requireOurPage(request);
    },
    async enter(request, reply) {
      await identify(request, byEither);
      try {
        reply.headers(budgetHeaders(await spend(ports, actorOf(request))));
      } catch (error) {
        if (error instanceof BudgetSpent) reply.headers(budgetHeaders(error.budget));
        throw error;
      }
    },
  };
}

export const actorOf = (request: FastifyRequest): Actor => request.getDecorator<Actor>(ACTOR);

/** Two parties on the way could each use a different one (RFC 9110, 5.3). @throws ApiError BAD_REQUEST */
function requireOneAuthorization(rawHeaders: readonly string[]): void {
  const given = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  if (given.length > 1)
    throw new ApiError('BAD_REQUEST', 'A request has one Authorization header; this one has several.');
}
