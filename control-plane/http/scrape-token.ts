/** Who may read /metrics, and whose names. Without a token everybody who reaches the port, but then strangers read of no probe. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { Secret } from '@carillon/proto/secret.ts';
import { ApiError } from '../contract/errors.ts';

/** Whose probes are named: every organization's; those of the only one, where there is one; nobody's. */
export type Sight = 'ALL' | 'ONE' | 'NONE';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * `token`: what a scrape has to carry; null: nothing. `from`: the scraper's address.
 * @throws ApiError UNAUTHORIZED if there is one and it does not
 */
export function sightOf(token: Secret | null, authorization: string | undefined, from: string): Sight {
  if (token === null) return LOOPBACK.check(from, isIPv6(from) ? 'ipv6' : 'ipv4') ? 'ONE' : 'NONE';
  if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token.reveal()}`))) return 'ALL';
  throw new ApiError('UNAUTHORIZED', 'A scrape needs Authorization: Bearer and the CARILLON_METRICS_TOKEN.');
}
