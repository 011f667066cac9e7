/**
 * Sends one POST to a receiver that users have named: limited in time and size, without redirects, and without
 * connections to private addresses. A name is resolved once, and the checked address is used.
 */
import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Posted, PostRequest } from '../ports.ts';
import { isPublic } from './public-address.ts';

/** The time from the look-up of the name to the last byte that is read. */
const TIMEOUT_MS = 10_000;
/** The stored part of an answer, and roughly the limit for reading. */
const KEPT_BYTES = 1024;

export type PostOptions = {
  /** True: private, loopback and link-local addresses are allowed. */
  readonly allowPrivate: boolean;
  /** True: addresses without TLS are allowed. */
  readonly allowHttp: boolean;
  readonly timeoutMs?: number;
  /** The resolver of names, which returns all addresses. */
  readonly lookup?: typeof systemLookup;
  /** The PEM of the only authority that receivers' certificates may come from; absent: the system's. */
  readonly ca?: string;
};

const TO_PUBLIC_ALONE = 'and this installation sends only to those (CARILLON_WEBHOOKS_ALLOW_PRIVATE)';

/** The reason why nothing is sent to this URL, as far as it is known without resolving its name; null: allowed. */
export function refusal(address: string, { allowPrivate, allowHttp }: PostOptions): string | null {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return 'must begin with https://; this installation does not send without TLS (CARILLON_WEBHOOKS_ALLOW_HTTP)';
  }
  const host = hostOf(url);
  return !allowPrivate && isIP(host) !== 0 && !isPublic(host)
    ? `${host} is not a public address, ${TO_PUBLIC_ALONE}`
    : null;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

export async function post({ url: address, headers, body }: PostRequest, options: PostOptions): Promise<Posted> {
  const startedAtMs = performance.now();
  const done = (answered: Partial<Posted>): Posted => ({
    status: null,
    error: null,
    answer: null,
    retryAfterSeconds: null,
    ...answered,
    durationMs: performance.now() - startedAtMs,
  });
  const refused = refusal(address, options);
  if (refused !== null) return done({ error: refused });
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  try {
    return done(await exchange(new URL(address), headers, body, options, AbortSignal.timeout(timeoutMs)));
  } catch (error) {
    return done({ error: reasonOf(error as Error, timeoutMs) });
  }
}

function exchange(
  url: URL,
  headers: PostRequest['headers'],
  body: string,
  options: PostOptions,
  signal: AbortSignal,
): Promise<Partial<Posted>> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': bytes.length, 'user-agent': 'Carillon', connection: 'close' },
        // The connection is separate: none opened for another name is reused.
        agent: false,
        lookup: guarded(options),
        signal,
        ...(options.ca !== undefined && { ca: options.ca }),
      },
      async (response) => {
        isAnswered = true;
        const retryAfterSeconds = secondsOf(response.headers['retry-after']);
        const answered = { status: response.statusCode ?? null, retryAfterSeconds };
        try {
          resolve({ ...answered, answer: await firstBytes(response) });
        } catch (error) {
          // The status has arrived: a receiver that does not end its answer has still answered.
          resolve(
            signal.aborted ? { ...answered, answer: '' } : { ...answered, answer: `(${(error as Error).message})` },
          );
        } finally {
          request.destroy();
        }
      },
    );
    request.on('error', (error) => isAnswered || reject(error));
    request.end(bytes);
  });
}

async function firstBytes(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= KEPT_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString().replaceAll('\0', '\uFFFD');
}

/** Reads delta seconds; dates are ignored. */
const secondsOf = (retryAfter: string | undefined): number | null =>
  retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;

/** The socket uses this resolver, so that it cannot connect to other addresses. */
function guarded({ allowPrivate, lookup = systemLookup }: PostOptions): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = allowPrivate ? found : found.filter(({ address }) => isPublic(address));
      const [first] = addresses;
      if (!first) return callback(new Error(`${hostname} has no public address, ${TO_PUBLIC_ALONE}`), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}

/** The reason without the URL, whose path may be a secret, and without addresses, which are internal. */
function reasonOf(error: Error & { code?: string; syscall?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer within ${timeoutMs / 1000} s.`;
  if (error.code === 'ENOTFOUND') return 'The name is not in the DNS.';
  if (error.syscall !== undefined && error.code !== undefined) return `${error.syscall}: ${error.code}`;
  return error.message || error.code || error.name;
}
