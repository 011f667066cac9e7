/** Answers of the API that are long are compressed, if the client takes that. Streams, such as files and events, are not. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { encodingFor } from './encoding.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
/** Shorter ones fit into the first packets of a connection anyway. */
const MIN_BYTES = 10_000;
/** Higher ones take several times as long for a tenth fewer bytes. */
const GZIP = { level: zlib.constants.Z_BEST_SPEED };
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } };

/**
 * Only answers to GET, none of which contains a secret: the length of a compressed answer tells something about its text
 * (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < MIN_BYTES) return payload;
    if (!request.url.startsWith('/api/') || reply.hasHeader('Content-Encoding')) return payload;
    const others = reply.getHeader('Vary');
    reply.header('Vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`);
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding === 'identity') return payload;
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
    return encoding === 'br' ? brotli(payload, BROTLI) : gzip(payload, GZIP);
  });
}
