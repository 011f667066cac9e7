/** `/shared/{token}`: the report of one run, for anyone with its address. An unknown address reveals nothing. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../limits/limits.ts';
import { NetworkLimit } from '../limits/networks.ts';
import type { StrangerLog } from '../limits/stranger-log.ts';
import { sharedReport } from '../operations/run-view/share-links.ts';
import type { Ports } from '../ports.ts';
import { NOT_FOUND_HTML } from './status-page/html.ts';

/** The report declares that it loads nothing. The address is a secret: no referrer and no search index gets it. */
const HEADERS = {
  'Content-Security-Policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

export function registerSharedRuns(app: FastifyInstance, ports: Ports, strangerLog: StrangerLog): void {
  const guesses = new NetworkLimit(LIMITS.sharedLinks);
  app.get('/shared/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const report = await sharedReport(ports, token, request.ip);
    reply.type('text/html; charset=utf-8').headers(HEADERS);
    if (report) return reply.send(Readable.from(report, { objectMode: false }));
    strangerLog.note('SHARE_LINK_UNKNOWN', request.ip);
    const { waitSeconds } = guesses.count(request.ip, ports.now().getTime());
    if (waitSeconds > 0) reply.header('Retry-After', waitSeconds);
    return reply.code(waitSeconds > 0 ? 429 : 404).send(NOT_FOUND_HTML);
  });
}
