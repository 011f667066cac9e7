/**
 * The public status pages: `/status/{slug}` for people, `/status/{slug}.json` for programs, `/status/{slug}/logo` within the
 * page. They need no log-in, so only published data is returned.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Brand, brandStyle } from '../../../domain/brand.ts';
import type { PublicRoutes } from '../../../http/feature.ts';
import { type BrandedPage, publicStatusPage } from '../operations/status-page.ts';
import { NOT_FOUND_HTML, renderStatusPage } from './html.ts';
import { STYLE } from './style.ts';

/** The cache time of browsers and proxies; each replica caches a page for a part of it. */
const MAX_AGE_SECONDS = 30;
const KEPT_MS = 5000;
const MAX_KEPT = 1000;

const policyOf = (style: string, brand: Brand | null): string =>
  `default-src 'none'; ${brand?.logo ? "img-src 'self'; " : ''}style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const styleOf = (brand: Brand | null): string => (brand === null ? STYLE : `${STYLE}${brandStyle(brand)}`);
const tagOf = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 27);

type Drawn = { readonly atMs: number; readonly page: Promise<BrandedPage | undefined> };

export const registerStatusPages: PublicRoutes = (app, ports) => {
  const drawnPages = new Map<string, Drawn>();
  /** Concurrent requests share one database query. */
  const read = (slug: string): Promise<BrandedPage | undefined> => {
    const nowMs = ports.now().getTime();
    const present = drawnPages.get(slug);
    if (present && Math.abs(nowMs - present.atMs) < KEPT_MS) return present.page;
    drawnPages.delete(slug);
    // The oldest is deleted: a Map keeps the order in which it was filled.
    for (const [oldest] of drawnPages) if (drawnPages.size >= MAX_KEPT) drawnPages.delete(oldest);
    const page = publicStatusPage(ports, slug);
    drawnPages.set(slug, { atMs: nowMs, page });
    const forget = () => drawnPages.get(slug)?.page === page && drawnPages.delete(slug);
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
      return page
        ? answer(request, reply, JSON.stringify(page.content))
        : missing(reply, '{"error":"Page not found."}');
    }
    const brand = page?.brand ?? null;
    const style = styleOf(brand);
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': policyOf(style, brand), 'Referrer-Policy': 'no-referrer' });
    if (!page) return missing(reply, NOT_FOUND_HTML);
    // A new logo has a new address: caches keep the old one.
    const logo = `${name}/logo?${tagOf(brand?.logo?.bytes ?? '')}`;
    return answer(request, reply, renderStatusPage(page.content, brand, style, { data: `${name}.json`, logo }));
  });
  app.get('/status/:name/logo', { schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const logo = (await read(name))?.brand?.logo;
    // Whatever a browser takes it for, it runs nothing.
    reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
    if (!logo) return missing(reply.type('text/plain; charset=utf-8'), 'Nothing is published at this address.');
    return answer(request, reply.type('image/png'), logo.bytes);
  });
};

const missing = (reply: FastifyReply, body: string): FastifyReply =>
  reply.code(404).header('Cache-Control', 'no-store').send(body);

function answer(request: FastifyRequest, reply: FastifyReply, body: string | Buffer): FastifyReply {
  const etag = `"${tagOf(body)}"`;
  reply.headers({ ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` });
  const seen = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return seen.includes(etag) || seen.includes('*') ? reply.code(304).send() : reply.send(body);
}
