/** Starts the media threads, and finds out how many endpoints they can carry. */
import type { Closers } from '@carillon/proto/base/closers.ts';
import { type Capacity, capacityOf, hardware, withAdapter } from '../calibrate/calibration.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { rowsFor } from '../process/rows.ts';
import { type MediaThreads, startMediaThreads } from '../rtp/threads/media-threads.ts';
import { AGENT_VERSION } from '../version.ts';

export type Media = { readonly media: MediaThreads; readonly found: Capacity };

/** Rejects when a thread cannot start: no port is free, or an adapter that was requested is not available. */
export async function openMedia(config: Config, log: Log, closers: Closers): Promise<Media> {
  const made = await capacityOf(config, { ...config, build: AGENT_VERSION, hardware: hardware() });
  const media = await startMediaThreads(config.mediaThreads, {
    adapter: config.io,
    capacity: rowsFor(made.endpoints),
    firstPort: config.rtpPorts.from,
    lastPort: config.rtpPorts.to,
    realtime: config.realtime,
  });
  closers.push(() => media.close());
  const found = withAdapter(made, config.capacity, media.adapter);
  if (found.unused) log.warn({ reason: found.unused }, 'the calibration is not used');
  if (media.fallbackReason)
    log.warn({ reason: media.fallbackReason }, 'RTP uses node:dgram: fewer streams, more noise');
  if (media.realtimeFault) log.warn({ reason: media.realtimeFault }, 'RTP runs without real-time priority');
  if (media.srtpFallbackReason)
    log.warn({ reason: media.srtpFallbackReason }, 'SRTP uses node:crypto: fewer streams, and no DTLS');
  return { media, found };
}
