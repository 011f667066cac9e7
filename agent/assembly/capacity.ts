/** How much a host carries, whatever its owner allows. Pure. */
import { streamsWithin } from '../net/streams/open-files.ts';
import { STREAMS_AN_ENDPOINT } from '../process/rows.ts';

export type HostCapacity = { readonly endpoints: number; readonly streams: number };

/** `endpoints`: what was found or configured. `openFiles`: descriptors that the process may have. */
export function capacityWithin(endpoints: number, openFiles: number): HostCapacity {
  const streams = Math.min(endpoints * STREAMS_AN_ENDPOINT, streamsWithin(openFiles));
  return { endpoints: Math.min(endpoints, streams), streams };
}
