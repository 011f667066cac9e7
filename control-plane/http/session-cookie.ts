/**
 * The session cookie of the dashboard. The browser sends it for any page, so a change needs proof that the page is the
 * dashboard's: a header that other origins cannot set without permission, and the dashboard's own origin.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_HEADER } from '../contract/call.ts';
import { ApiError } from '../contract/errors.ts';
import { DEVICE_SECONDS, SESSION_SECONDS } from '../operations/request/session.ts';

export type SessionCookie = {
  read(request: FastifyRequest): Secret | undefined;
  set(reply: FastifyReply, token: Secret): void;
  clear(reply: FastifyReply): void;
  /** The token of a browser with an earlier log-in; null: unknown. */
  readDevice(request: FastifyRequest): Secret | null;
  setDevice(reply: FastifyReply, token: Secret): void;
};

/** Over https the name binds the cookie to this host (`__Host-`); browsers refuse such a name without TLS. */
export function sessionCookie(publicUrl: string | null): SessionCookie {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = secure ? '__Host-carillon' : 'carillon';
  const deviceName = `${name}-browser`;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    read: ({ cookies }) => (cookies[name] === undefined ? undefined : new Secret(cookies[name])),
    set: (reply, token) => void reply.setCookie(name, token.reveal(), { ...options, maxAge: SESSION_SECONDS }),
    clear: (reply) => void reply.clearCookie(name, options),
    readDevice: ({ cookies }) => (cookies[deviceName] === undefined ? null : new Secret(cookies[deviceName])),
    setDevice: (reply, token) =>
      void reply.setCookie(deviceName, token.reveal(), { ...options, maxAge: DEVICE_SECONDS }),
  };
}

/** @throws ApiError FORBIDDEN */
export function requireOwnPage(request: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  // Browsers send Sec-Fetch-Site on trusted connections (https, this host); otherwise the origin must be this server's.
  const isOwnOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  const isOurs = site === undefined ? isOwnOrigin : site === 'same-origin';
  if (request.headers[SESSION_HEADER] !== undefined && isOurs) return;
  throw new ApiError('FORBIDDEN', 'A session can make changes only from the dashboard. Programs use an API key.');
}
