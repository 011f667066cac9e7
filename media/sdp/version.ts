/** The version in o= over the offers of one session (RFC 3264, 8). */

import { parseSdp } from './parse.ts';
import { isSdpFault, type SdpFault } from './session-description.ts';

const ORIGIN = /^(o=\S+ \S+ )(\S+)/m;

/**
 * `offer` with the version that it has to have after `current`, our own last description: the same, word for word, if nothing but the version
 * differs, else one more. `offer` may have been made before `current` was.
 */
export function offerBehind(current: string, offer: string): string | SdpFault {
  const last = parseSdp(current);
  if (isSdpFault(last)) return last;
  const { version } = last.origin;
  const withVersion = (next: string): string => offer.replace(ORIGIN, (_line, head: string) => head + next);
  if (withVersion(version) === current) return current;
  return withVersion(/^\d+$/.test(version) ? String(BigInt(version) + 1n) : '1');
}
