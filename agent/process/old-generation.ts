/**
 * How far a thread's old generation may grow before a mark-sweep is forced. Left to itself V8 lets it grow two- to fourfold on a
 * busy machine: with a thousand calls most of what an agent held was batches whose receipt had long come. Only the main thread is
 * watched: what lives on the others for long is there to stay.
 */
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

const MIB = 2 ** 20;
/** A thread that holds little may grow by this much. */
const LEAST_GROWTH = 4 * MIB;
/** And one that holds much by this part of it: what a collection costs is what survives it. */
const GROWTH = 1 / 8;
const LOOK_MS = 5000;

/**
 * V8 starts to mark, step by step beside the thread, when what its objects hold outside of the heap has grown by 64 MiB since the last
 * collection (`kExternalAllocationSoftLimit`).
 */
const ASKING_BYTES = 80 * MIB;

/** Says when what is held, in bytes, has grown so far beyond the least since the last time it said so that it should be collected. */
export class GrowthWatch {
  private least = Number.POSITIVE_INFINITY;

  /** To be asked every few seconds: by then what it asked for before is done. */
  look(held: number): boolean {
    const grown = held > this.least + Math.max(LEAST_GROWTH, this.least * GROWTH);
    this.least = grown ? Number.POSITIVE_INFINITY : Math.min(this.least, held);
    return grown;
  }
}

/** Bytes that this thread's old objects take, and those that objects of any age hold outside of the heap. */
export function heldBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const { used_heap_size: used, external_memory: outside } = getHeapStatistics();
  return used - (young?.space_used_size ?? 0) + outside;
}

/**
 * Asks V8 for a collection of this thread's heap, and of no other's. A buffer that nobody touches costs addresses, no memory, and it is given
 * back at once. V8 then stops the thread for milliseconds at a time, where `gc()` of --expose-gc holds it until all is marked. False: the
 * host grants no addresses (ulimit -v), which V8 knows only after several collections at a stretch; it is not to be asked again.
 */
export function askForCollection(): boolean {
  try {
    new ArrayBuffer(ASKING_BYTES).transfer(0);
    return true;
  } catch {
    return false;
  }
}

/** Watches this thread from now on. Returns what ends it; it keeps no process alive. */
export function boundOldGeneration(): () => void {
  const watch = new GrowthWatch();
  const timer = setInterval(() => {
    if (watch.look(heldBytes()) && !askForCollection()) clearInterval(timer);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
