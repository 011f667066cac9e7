/** The result of ICE on a stream, in words. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { number } from '../basics/figures.ts';

type Ice = NonNullable<Output<'getTestRunEndpoint'>['streams'][number]['ice']>;

/** `ICE: host to srflx, after 51.2 ms` */
export function iceWords({ state, localType, remoteType, connectMs }: Ice): string {
  if (state === 'FAILED') return 'ICE: no pair of candidates worked';
  if (localType === null || connectMs === null) return 'ICE: no pair of candidates worked in time';
  const lost = state === 'LOST' ? ', then the far end stopped responding' : '';
  return `ICE: ${localType} to ${remoteType}, after ${number(connectMs, 1)} ms${lost}`;
}
