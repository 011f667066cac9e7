/**
 * The dashboard's files, as `dashboard/build.ts` makes them. Files with a hash in their names never change. The page
 * itself is always reloaded, with a new nonce for the style elements that Mantine adds: the browser allows no other
 * scripts and styles, and no other hosts.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const HIDDEN = { schema: { hide: true } };

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export type ShowDashboard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** @returns answers for the dashboard's page addresses; null: not a page, or the dashboard was not built */
export async function serveDashboard(app: FastifyInstance, folder: string | null): Promise<ShowDashboard> {
  const index = folder === null ? '' : path.join(folder, 'index.html');
  if (folder === null || !existsSync(index)) return () => null;
  const page = readFileSync(index, 'utf8');
  const show = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .code(200)
      .headers({
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': policy(nonce),
        'Referrer-Policy': 'same-origin',
        'Cross-Origin-Opener-Policy': 'same-origin',
      })
      .send(page.replace('__NONCE__', nonce));
  };
  await app.register(files, {
    root: path.join(folder, 'assets'),
    prefix: '/assets/',
    index: false,
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    schemaHide: true,
  });
  app.get('/icon.svg', HIDDEN, (_request, reply) =>
    reply.sendFile('icon.svg', folder, { immutable: false, maxAge: 3_600_000 }),
  );
  app.get('/', HIDDEN, (_request, reply) => show(reply));
  return (request, reply) =>
    request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '') && !isAddressOfOurs(request.url)
      ? show(reply)
      : null;
}

/** These addresses are not pages: an unknown one is answered with an error. */
const isAddressOfOurs = (url: string): boolean =>
  /^\/(api|agent|assets|docs|metrics|healthz|readyz)(\/|\?|$)/.test(url);
