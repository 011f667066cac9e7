/**
 * Decides which clients may read /metrics, and which names they see. Without a token, anyone who reaches the port may,
 * but without probes.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { inNetworks } from '@carillon/proto/base/networks.ts';
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';

/** The visible probes: those of every organization; those of the only organization; none. */
export type Sight = 'ALL' | 'ONE' | 'NONE';

const isLoopback = inNetworks(['127.0.0.0/8', '::1']);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type Scrape = Pick<FastifyRequest, 'ip' | 'headers'>;

/** A name that another site's page cannot have (DNS rebinding). */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const BY_A_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * True for a scrape from this host itself, but not from a page that a name led here, nor from others through a proxy.
 * An installation with a public address is reached through a proxy that may not identify itself.
 */
const isLocal = ({ ip, headers }: Scrape, publicUrl: string | null): boolean =>
  publicUrl === null &&
  isLoopback(ip) &&
  OWN_HOST.test(headers.host ?? '') &&
  BY_A_PROXY.every((name) => headers[name] === undefined);

/**
 * `token`: the token that a scrape needs; null: none.
 * @throws ApiError UNAUTHORIZED if it is missing or wrong
 */
export function sightOf(token: Secret | null, scrape: Scrape, publicUrl: string | null): Sight {
  if (token === null) return isLocal(scrape, publicUrl) ? 'ONE' : 'NONE';
  const { authorization } = scrape.headers;
  if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token.reveal()}`))) return 'ALL';
  throw new ApiError('UNAUTHORIZED', 'A scrape needs Authorization: Bearer and the CARILLON_METRICS_TOKEN.');
}
