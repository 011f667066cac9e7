/** A thread with the given limits: what its heap does while much survives for a while and is then dropped. */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

/** `youngMiB`: the largest new space, both halves. `collections`: of the whole heap. */
export type HeapGrowth = { readonly youngMiB: number; readonly collections: number };

const MIB = 2 ** 20;
const OBJECTS = 1_000_000;
const LOOK_EVERY = 50_000;

let collections = 0;
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
});
observer.observe({ entryTypes: ['gc'] });
const ring = new Array<object>(200_000);
let youngMiB = 0;
for (let i = 0; i < OBJECTS; i++) {
  ring[i % ring.length] = { i, list: [i] };
  if (i % LOOK_EVERY !== 0) continue;
  // A collection that V8 has begun ends in the event loop.
  await sleep(1);
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  youngMiB = Math.max(youngMiB, (space?.space_size ?? 0) / MIB);
}
await sleep(1);
observer.disconnect();
parentPort?.postMessage({ youngMiB, collections } satisfies HeapGrowth);
