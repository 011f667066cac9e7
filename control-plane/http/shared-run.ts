/** `/shared/{token}`: the report of one run, for everybody with its address. An unknown address reveals nothing. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { StrangerLog } from '../operations/people/stranger-log.ts';
import { sharedReport } from '../operations/run-view/share-links.ts';
import type { Ports } from '../ports.ts';
import { NOT_FOUND_HTML } from './status-page/html.ts';
import { watchStrangers } from './strangers.ts';

/** The report states what it may load: nothing. The address is a secret: no referrer and no search index gets it. */
const HEADERS = {
  'Content-Security-Policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Addresses that lead nowhere, of a network in a minute. */
const GUESSES_PER_MINUTE = 30;

export function registerSharedRuns(app: FastifyInstance, ports: Ports, strangerLog: StrangerLog): void {
  const guesses = watchStrangers(GUESSES_PER_MINUTE);
  app.get('/shared/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const report = await sharedReport(ports, token, request.ip);
    reply.type('text/html; charset=utf-8').headers(HEADERS);
    if (report) return reply.send(Readable.from(report, { objectMode: false }));
    strangerLog.note('SHARE_LINK_UNKNOWN', request.ip);
    const { waitSeconds } = guesses.refused(request.ip, ports.now().getTime());
    if (waitSeconds > 0) reply.header('Retry-After', waitSeconds);
    return reply.code(waitSeconds > 0 ? 429 : 404).send(NOT_FOUND_HTML);
  });
}
