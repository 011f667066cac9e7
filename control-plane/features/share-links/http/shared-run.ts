/** `/shared/{token}`: the report of one run, for anyone with its address. An unknown address reveals nothing. */
import type { PublicRoutes } from '../../../http/feature.ts';
import { DARK, LIGHT, notFoundPage, publicStyle } from '../../../http/public-page.ts';
import { NetworkLimit } from '../../../limits/networks.ts';
import { UNKNOWN_LINKS } from '../limits/unknown-links.ts';
import { sharedReport } from '../operations/share-links.ts';

const NOT_FOUND_HTML = notFoundPage(publicStyle(LIGHT, DARK, ''));

/** The report declares that it loads nothing. The address is a secret: no referrer and no search index gets it. */
const HEADERS = {
  'Content-Security-Policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

export const registerSharedRuns: PublicRoutes = (app, ports, strangerLog) => {
  const guesses = new NetworkLimit(UNKNOWN_LINKS.unknownLinks);
  app.get('/shared/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const report = await sharedReport(ports, token, request.ip);
    reply.type('text/html; charset=utf-8').headers(HEADERS);
    if (report !== null) return reply.send(report);
    strangerLog.note('SHARE_LINK_UNKNOWN', request.ip);
    const { waitSeconds } = guesses.count(request.ip, ports.now().getTime());
    if (waitSeconds > 0) reply.header('Retry-After', waitSeconds);
    return reply.code(waitSeconds > 0 ? 429 : 404).send(NOT_FOUND_HTML);
  });
};
