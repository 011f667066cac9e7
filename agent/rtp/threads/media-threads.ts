/** The agent's media threads, one per core, as one engine: the port range is split among them. */
import { DtlsContext, type DtlsIdentity } from '../../net/ciphers/dtls.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { LoadedMedia } from '../send/playlists.ts';
import type { MediaConnection } from './media-commands.ts';
import { type MediaThread, type MediaThreadOptions, startMediaThread } from './media-thread-host.ts';

export interface MediaThreads extends Omit<MediaThread, 'memory' | 'connect'> {
  readonly memories: readonly MediaMemory[];
  /** A connection to each thread, for one client thread: see `shardEngines`. */
  connect(): MediaConnection[];
}

type Range = { readonly firstPort: number; readonly lastPort: number };

/** Rejects if one thread cannot start, or the range has no pair of ports for each; `capacity` is that of each thread. */
export async function startMediaThreads(count: number, options: MediaThreadOptions & Range): Promise<MediaThreads> {
  const dtlsIdentity = createIdentity();
  const started = await Promise.allSettled(
    portRanges(count, options).map((range) => startMediaThread({ ...options, ...range, dtlsIdentity })),
  );
  const threads = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all(threads.map((thread) => thread.close()));
    throw failed.reason;
  }
  const first = threads[0]!;
  return {
    ...first,
    memories: threads.map((thread) => thread.memory),
    ended: Promise.race(threads.map((thread) => thread.ended)),
    connect: () => threads.map((thread) => thread.connect()),
    load: async (media: LoadedMedia) => {
      await Promise.all(threads.map((thread) => thread.load(media)));
    },
    unload: (source) => {
      for (const thread of threads) thread.unload(source);
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** One certificate for all threads: a stream's fingerprint is sent before its thread is known. Null: DTLS is not available. */
function createIdentity(): DtlsIdentity | null {
  try {
    const context = new DtlsContext();
    context.close();
    return context.identity;
  } catch {
    return null;
  }
}

/** Divides a range into parts that start with an even port and have at least one pair. RangeError if there are too few. */
export function portRanges(count: number, { firstPort, lastPort }: Range): Range[] {
  const from = firstPort + (firstPort % 2);
  const pairs = Math.floor((lastPort - from + 1) / 2);
  if (pairs < count) throw new RangeError(`${count} media threads cannot share the ports ${firstPort} to ${lastPort}`);
  const boundary = (part: number): number => from + 2 * Math.floor((pairs * part) / count);
  return Array.from({ length: count }, (_, part) => ({
    firstPort: boundary(part),
    lastPort: part === count - 1 ? lastPort : boundary(part + 1) - 1,
  }));
}
