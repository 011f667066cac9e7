/**
 * Limits the growth of a thread's old generation before a mark-sweep. By default V8 lets it grow two- to fourfold on a
 * busy machine: acknowledged batches of the main thread were most of an agent's memory, and dead calls of a signalling
 * thread, which had survived two scavenges, added 9 MiB a minute at 500 calls a second.
 */
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

const MIB = 2 ** 20;
/** Permitted growth of a thread with a small heap. */
const LEAST_GROWTH = 4 * MIB;
/**
 * The same of a signalling thread: a call of a second or more outlives the young generation, 3 MB of them a second at 500
 * calls a second, and a collection costs some 50 ms of CPU whatever it frees.
 */
export const SIGNALLING_GROWTH = 32 * MIB;
/** Permitted relative growth with a large heap: the cost of a collection depends on what survives. */
const GROWTH = 1 / 8;
const LOOK_MS = 5000;

/**
 * V8 starts incremental marking when external memory has grown by 64 MiB since the last collection
 * (`kExternalAllocationSoftLimit`).
 */
const ASKING_BYTES = 80 * MIB;

/**
 * Reports when memory, in bytes, has grown so far above the minimum since its last report that it should be collected.
 */
export class GrowthWatch {
  private least = Number.POSITIVE_INFINITY;
  private readonly leastGrowth: number;

  constructor(leastGrowth = LEAST_GROWTH) {
    this.leastGrowth = leastGrowth;
  }

  /** Call every few seconds: by then the last requested collection is complete. */
  look(held: number): boolean {
    const grown = held > this.least + Math.max(this.leastGrowth, this.least * GROWTH);
    this.least = grown ? Number.POSITIVE_INFINITY : Math.min(this.least, held);
    return grown;
  }
}

/** Bytes of this thread's old objects, and external memory of objects of any age. */
export function heldBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const { used_heap_size: used, external_memory: outside } = getHeapStatistics();
  return used - (young?.space_used_size ?? 0) + outside;
}

/**
 * Asks V8 to collect this thread's heap only. An untouched buffer costs addresses, but no memory, and is freed
 * immediately. V8 then stops the thread for milliseconds at a time, whereas `gc()` of --expose-gc blocks until all is
 * marked. False: the host grants no addresses (ulimit -v), which V8 reports only after several collections; do not ask
 * again.
 */
export function askForCollection(): boolean {
  try {
    new ArrayBuffer(ASKING_BYTES).transfer(0);
    return true;
  } catch {
    return false;
  }
}

/** Watches the thread that calls it from now on. Returns what ends it; it keeps no process and no thread alive. */
export function boundOldGeneration(leastGrowth = LEAST_GROWTH, lookMs = LOOK_MS): () => void {
  const watch = new GrowthWatch(leastGrowth);
  const timer = setInterval(() => {
    if (watch.look(heldBytes()) && !askForCollection()) clearInterval(timer);
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
