/**
 * A document that anyone may read, without a key: its bytes are made once, plain and compressed, so that an answer
 * costs only its transmission.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingFor } from '../encoding.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
/** A higher quality, with a smaller result, takes many times as long. */
const BROTLI_QUALITY = 9;

type KeptBytes = { readonly tag: string; readonly bytes: Readonly<Record<Encoding, Buffer>> };

/** `make`: called once, at the first request. */
export function keptDocument(contentType: string, make: () => string) {
  let kept: Promise<KeptBytes> | undefined;
  const prepare = async (): Promise<KeptBytes> => {
    const identity = Buffer.from(make());
    const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
    const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    const [br, gzipped] = await Promise.all([brotli(identity, { params }), gzip(identity)]);
    return { tag, bytes: { identity, br, gzip: gzipped } };
  };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    kept ??= prepare();
    const { tag, bytes } = await kept;
    const encoding = encodingFor(request.headers['accept-encoding']);
    reply.headers({
      'Content-Type': contentType,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
      ETag: `"${tag}-${encoding}"`,
    });
    if (isCurrent(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(bytes[encoding]);
  };
}

/** The tag matches in any encoding: a client's copy is the same document. */
const isCurrent = (given: string | undefined, tag: string): boolean =>
  given !== undefined && (given.trim() === '*' || given.includes(`"${tag}-`));
