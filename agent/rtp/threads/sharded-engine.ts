/**
 * Several media threads as one engine: an endpoint's streams live on the thread that its number says, audio and video of a call on
 * the same. All threads have one certificate: the fingerprint that is offered is that of whichever carries the stream.
 */
import { shardOf } from '../../process/threads.ts';
import type { Fingerprint, MediaEngine, MediaStream, StreamProfile } from '../media-engine.ts';

/** One engine over all of them; the engines are of one adapter. RangeError without any. */
export function shardEngines(engines: readonly MediaEngine[]): MediaEngine {
  const [first] = engines;
  if (!first) throw new RangeError('no media thread');
  return engines.length === 1 ? first : new ShardedEngine(first, engines);
}

class ShardedEngine implements MediaEngine {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fingerprint: Fingerprint | null;
  readonly #engines: readonly MediaEngine[];

  constructor(first: MediaEngine, engines: readonly MediaEngine[]) {
    this.adapter = first.adapter;
    this.stamps = first.stamps;
    this.fingerprint = first.fingerprint ?? null;
    this.#engines = engines;
  }

  /** All or none, as one engine does: where a thread cannot, what the others opened is closed. */
  async open(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile?: StreamProfile,
  ): Promise<MediaStream[]> {
    const { length } = this.#engines;
    const shares = this.#engines.map((_, shard) =>
      endpointNumbers.filter((endpoint) => shardOf(endpoint, length) === shard),
    );
    const results = await Promise.allSettled(
      shares.map((share, shard) =>
        share.length === 0 ? [] : this.#engines[shard]!.open(address, owner, share, profile),
      ),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      for (const result of results)
        if (result.status === 'fulfilled') for (const stream of result.value) stream.close();
      throw failed.reason;
    }
    // Each thread answers in the order in which it was asked.
    const opened = results.map((result) => (result.status === 'fulfilled' ? result.value.values() : [].values()));
    return endpointNumbers.map((endpoint) => opened[shardOf(endpoint, length)]!.next().value as MediaStream);
  }

  async close(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.close()));
  }
}
