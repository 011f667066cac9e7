/** Media for streams: recordings arrive over the link, are encoded by a separate thread, and are held for allocations. */
import path from 'node:path';
import type { Closers } from '@carillon/proto/base/closers.ts';
import type { Link } from '../link/link.ts';
import { Recordings } from '../link/recordings.ts';
import type { Log } from '../log.ts';
import type { AgentMetrics } from '../metrics/metrics.ts';
import { EncodingThread } from '../playback/encoding-thread-host.ts';
import { MediaCache } from '../playback/media-cache.ts';
import { MediaLibrary } from '../playback/media-library.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';

type Parts = {
  readonly log: Log;
  readonly link: Link;
  readonly media: MediaThreads;
  readonly metrics: Pick<AgentMetrics, 'onRecording'>;
};
export type Playback = { readonly recordings: Recordings; readonly library: MediaLibrary };

/** Rejects when the folder cannot be used. */
export async function openPlayback(
  stateDir: string,
  { log, link, media, metrics }: Parts,
  closers: Closers,
): Promise<Playback> {
  const recordings = new Recordings((frame) => link.send(frame));
  closers.push(() => recordings.close());
  const encoding = new EncodingThread();
  closers.push(() => encoding.close());
  const cache = new MediaCache(path.join(stateDir, 'media'));
  await cache.open();
  const library = new MediaLibrary({
    cache,
    log,
    fetch: (checksum) => recordings.fetch(checksum),
    encode: (source, codec) => encoding.encode(source, codec),
    packetize: (file) => encoding.packetize(file),
    load: (loaded) => media.load(loaded),
    unload: (source) => media.unload(source),
    onRecording: (origin) => metrics.onRecording(origin),
  });
  return { recordings, library };
}
