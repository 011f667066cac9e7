/**
 * The public status pages: `/status/{slug}` for people, `/status/{slug}.json` for programs. They need no log-in, so
 * only published data is returned.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicRoutes } from '../../../http/feature.ts';
import type { StatusPage } from '../contract/status-page.ts';
import { publicStatusPage } from '../operations/status-page.ts';
import { NOT_FOUND_HTML, renderStatusPage, STYLE_HASH } from './html.ts';

/** The cache time of browsers and proxies; each replica caches a page for a part of it. */
const MAX_AGE_SECONDS = 30;
const KEPT_MS = 5000;
const MAX_KEPT = 1000;

const CSP = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Drawn = { readonly atMs: number; readonly page: Promise<StatusPage | undefined> };

export const registerStatusPages: PublicRoutes = (app, ports) => {
  const kept = new Map<string, Drawn>();
  /** Concurrent requests share one database query. */
  const read = (slug: string): Promise<StatusPage | undefined> => {
    const nowMs = ports.now().getTime();
    const present = kept.get(slug);
    if (present && Math.abs(nowMs - present.atMs) < KEPT_MS) return present.page;
    kept.delete(slug);
    // The oldest is deleted: a Map keeps the order in which it was filled.
    for (const [oldest] of kept) if (kept.size >= MAX_KEPT) kept.delete(oldest);
    const page = publicStatusPage(ports, slug);
    kept.set(slug, { atMs: nowMs, page });
    const forget = () => kept.get(slug)?.page === page && kept.delete(slug);
    // Guessed names occupy the cache only during their query.
    page.then((found) => found ?? forget(), forget);
    return page;
  };
  app.get('/status/:name', { schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const isJson = name.endsWith('.json');
    const page = await read(isJson ? name.slice(0, -'.json'.length) : name);
    if (isJson) {
      reply.type('application/json; charset=utf-8').header('Access-Control-Allow-Origin', '*');
      return page ? answer(request, reply, JSON.stringify(page)) : missing(reply, '{"error":"Page not found."}');
    }
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': CSP, 'Referrer-Policy': 'no-referrer' });
    return page ? answer(request, reply, renderStatusPage(page, `${name}.json`)) : missing(reply, NOT_FOUND_HTML);
  });
};

const missing = (reply: FastifyReply, body: string): FastifyReply =>
  reply.code(404).header('Cache-Control', 'no-store').send(body);

function answer(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  reply.headers({ ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` });
  const seen = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return seen.includes(etag) || seen.includes('*') ? reply.code(304).send() : reply.send(body);
}
