/** Counts the version in o= over the offers of one session (RFC 3264, 8). */

import { parseSdp } from './parse.ts';
import { isSdpFault, type SdpFault } from './session-description.ts';

const ORIGIN = /^(o=\S+ \S+ )(\S+)/m;

/**
 * `offer` with the right version after `current`, our last description: the same if only the version differs, otherwise
 * incremented. `offer` may have been made before `current`.
 */
export function offerBehind(current: string, offer: string): string | SdpFault {
  const last = parseSdp(current);
  if (isSdpFault(last)) return last;
  const { version } = last.origin;
  const withVersion = (next: string): string => offer.replace(ORIGIN, (_line, head: string) => head + next);
  if (withVersion(version) === current) return current;
  return withVersion(/^\d+$/.test(version) ? String(BigInt(version) + 1n) : '1');
}
