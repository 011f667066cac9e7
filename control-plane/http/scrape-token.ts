/** Who may read /metrics, and which names. Without a token anyone who reaches the port, but without probes. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { Secret } from '@carillon/proto/secret.ts';
import { ApiError } from '../contract/errors.ts';

/** Whose probes are named: every organization's; those of the only one, if there is one; none. */
export type Sight = 'ALL' | 'ONE' | 'NONE';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * `token`: required of a scrape; null: none. `from`: the scraper's address.
 * @throws ApiError UNAUTHORIZED if it is missing or wrong
 */
export function sightOf(token: Secret | null, authorization: string | undefined, from: string): Sight {
  if (token === null) return LOOPBACK.check(from, isIPv6(from) ? 'ipv6' : 'ipv4') ? 'ONE' : 'NONE';
  if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token.reveal()}`))) return 'ALL';
  throw new ApiError('UNAUTHORIZED', 'A scrape needs Authorization: Bearer and the CARILLON_METRICS_TOKEN.');
}
