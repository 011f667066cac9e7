/** Who may read /metrics. Without a token everybody who reaches the port, but then no organization is named beside another. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * True: the scraper may see every organization's names, for it carries the token.
 * @throws ApiError UNAUTHORIZED if there is one and it does not
 */
export function mayScrape(token: string | null, authorization: string | undefined): boolean {
  if (token === null) return false;
  if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))) return true;
  throw new ApiError('UNAUTHORIZED', 'A scrape needs Authorization: Bearer and the CARILLON_METRICS_TOKEN.');
}
