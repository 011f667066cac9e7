/** The capacity of a host, before the limits of its policy. Pure. */
import { streamsWithin } from '../net/streams/open-files.ts';
import { STREAMS_AN_ENDPOINT } from '../process/rows.ts';

export type HostCapacity = {
  readonly endpoints: number;
  readonly streams: number;
  /** The limits whose minimum is the capacity for endpoints with one stream; those without media need no port. `openFileStreams` Infinity: the host sets no limit. */
  readonly limits: { readonly own: number; readonly openFileStreams: number; readonly portStreams: number };
};

/** `own`: measured or configured. `openFiles`: descriptors available to the process. `ports`: the range for RTP and RTCP. */
export function capacityWithin(own: number, openFiles: number, ports: { from: number; to: number }): HostCapacity {
  const openFileStreams = streamsWithin(openFiles);
  const portStreams = Math.max(0, Math.floor((ports.to - ports.from + 1) / 2));
  const streams = Math.min(own * STREAMS_AN_ENDPOINT, openFileStreams, portStreams);
  // An agent that can open no stream is of no use; 0 streams would be read as not known.
  return { endpoints: streams === 0 ? 0 : own, streams, limits: { own, openFileStreams, portStreams } };
}
