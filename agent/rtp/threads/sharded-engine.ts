/**
 * Several media threads as one engine: an endpoint's number determines the thread of its streams, so audio and video of
 * a call are on the same one. All threads have one certificate, so the offered fingerprint is right for any of them.
 */
import { shardOf } from '../../process/threads.ts';
import { type Fingerprint, type MediaEngine, type MediaStream, promised, type StreamProfile } from '../media-engine.ts';

/** One engine over all of them; they must use the same adapter. RangeError if the list is empty. */
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

  open(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile?: StreamProfile,
  ): Promise<MediaStream[]> {
    return promised((opened) => this.request(address, owner, endpointNumbers, profile, opened));
  }

  /** Opens all streams or none, as one engine does: if a thread fails, the streams of the others are closed. */
  request(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile: StreamProfile | undefined,
    opened: (streams: MediaStream[] | Error) => void,
  ): void {
    const { length } = this.#engines;
    const shardAt = (endpoint: number): number => shardOf(endpoint, length);
    const shards = [...new Set(endpointNumbers.map(shardAt))];
    if (shards.length === 0) opened([]);
    const results = new Map<number, MediaStream[] | Error>();
    for (const shard of shards) {
      const numbers = endpointNumbers.filter((endpoint) => shardAt(endpoint) === shard);
      this.#engines[shard]!.request(address, owner, numbers, profile, (result) => {
        results.set(shard, result);
        if (results.size === shards.length) opened(joined(endpointNumbers.map(shardAt), results));
      });
    }
  }

  turn(): void {
    for (const engine of this.#engines) engine.turn();
  }

  async close(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.close()));
  }
}

/** In the order of `shards`; each thread answers requests in order. */
function joined(shards: readonly number[], results: ReadonlyMap<number, MediaStream[] | Error>): MediaStream[] | Error {
  const failed = [...results.values()].find((result) => result instanceof Error);
  const streams = new Map([...results].map(([shard, result]) => [shard, result instanceof Error ? [] : result]));
  if (failed === undefined) {
    const next = new Map([...streams].map(([shard, opened]) => [shard, opened.values()]));
    return shards.map((shard) => next.get(shard)?.next().value as MediaStream);
  }
  for (const stream of [...streams.values()].flat()) stream.close();
  return failed;
}
