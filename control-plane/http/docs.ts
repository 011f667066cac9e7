/** The documentation built by scripts/site, at /docs. Its pages use only its own script and style. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ERROR_PAGE } from './errors.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Pictures are SVG files with their own style elements, which count as pictures.
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** This has no effect if the documentation was not built. */
export async function serveDocs(app: FastifyInstance, folder: string | null): Promise<void> {
  if (folder === null || !existsSync(path.join(folder, 'index.html'))) return;
  app.decorate(ERROR_PAGE, true);
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/', 308));
  await app.register(files, {
    root: folder,
    prefix: '/docs/',
    extensions: ['html'],
    decorateReply: false,
    schemaHide: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      reply.header('Cache-Control', 'no-cache');
      // A picture's own style is inline, and the page's policy would forbid it.
      if (!file.endsWith('.svg')) reply.header('Content-Security-Policy', POLICY);
      reply.header('Referrer-Policy', 'same-origin');
    },
  });
}
