/** `/shared/{token}`: the report of one run, for everybody with its address. An unknown address reveals nothing. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sharedReport } from '../operations/run-view/share-links.ts';
import type { Ports } from '../ports.ts';
import { NOT_FOUND_HTML } from './status-page/html.ts';

/** The report states what it may load: nothing. The address is a secret: no referrer and no search index gets it. */
const HEADERS = {
  'Content-Security-Policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

export function registerSharedRuns(app: FastifyInstance, ports: Ports): void {
  app.get('/shared/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const report = await sharedReport(ports, token, request.ip);
    reply.type('text/html; charset=utf-8').headers(HEADERS);
    return report ? reply.send(Readable.from(report, { objectMode: false })) : reply.code(404).send(NOT_FOUND_HTML);
  });
}
