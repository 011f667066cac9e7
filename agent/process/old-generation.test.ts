/** A thread's old generation: when a collection is requested, and that V8 runs it. */
import { once } from 'node:events';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import fc from '../../scripts/test-run/properties.ts';
import { signallingRoom } from './heap.ts';
import { askForCollection, GrowthWatch, heldBytes } from './old-generation.ts';

const MIB = 2 ** 20;

t.test('a collection is asked for when what is held has grown by an eighth, and by 4 MiB at least', async (t) => {
  const table: readonly [name: string, held: readonly number[], asked: readonly number[]][] = [
    ['nothing to compare with', [500], []],
    ['steady', [40, 40, 40, 40], []],
    ['little grows by 4 MiB', [10, 12, 14, 14.1, 10], [3]],
    ['much grows by an eighth', [80, 86, 90, 90.1], [3]],
    ['step by step is growth, too', [40, 41, 42, 43, 44, 45, 46], [6]],
    ['from the least, wherever V8 has collected by itself', [60, 30, 33, 34, 35], [4]],
    ['what survived is the new measure', [40, 46, 46, 50, 51.7, 52], [1, 5]],
    ['after one it is asked for again only for new growth', [40, 46, 60, 60, 60, 67.5, 68], [1, 6]],
  ];
  for (const [name, held, asked] of table) {
    const watch = new GrowthWatch();
    const indices = held.flatMap((mib, index) => (watch.look(mib * MIB) ? [index] : []));
    t.same(indices, asked, name);
  }
  const watch = new GrowthWatch(32 * MIB);
  const indices = [40, 60, 72, 73, 60, 80, 93].flatMap((mib, index) => (watch.look(mib * MIB) ? [index] : []));
  t.same(indices, [3, 6], 'a thread that may grow more');
});

t.test('whatever is held: never twice running, and never less than 4 MiB of growth between', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 }), (held) => {
      const watch = new GrowthWatch();
      let least = Number.POSITIVE_INFINITY;
      let before = true;
      for (const mib of held) {
        const asked = watch.look(mib * MIB);
        if (asked && (before || mib - least < 4)) return false;
        least = asked ? Number.POSITIVE_INFINITY : Math.min(least, mib);
        before = asked || least === Number.POSITIVE_INFINITY;
      }
      return true;
    }),
  );
});

t.test('V8 collects when it is asked, and what was dropped is held no longer', async (t) => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  });
  observer.observe({ entryTypes: ['gc'] });
  t.teardown(() => observer.disconnect());
  const before = heldBytes();
  const kept: Uint8Array[] = [];
  for (let i = 0; i < 20; i++) kept.push(new Uint8Array(MIB).fill(1));
  // V8 may have freed older objects meanwhile.
  t.ok(heldBytes() - before > 12 * MIB, 'memory outside of the heap counts');
  kept.length = 0;
  const resident = process.memoryUsage.rss();
  askForCollection();
  t.ok(heldBytes() - before < 30 * MIB, 'what was asked with is not held');
  t.ok(process.memoryUsage.rss() - resident < 16 * MIB, 'nor was it ever touched');
  await until('V8 has collected', () => collections > 0);
  const heldNow = (): number => {
    // V8 subtracts what it has freed when the next buffer is created.
    new ArrayBuffer(MIB);
    return heldBytes();
  };
  await until('what was dropped is free', () => heldNow() - before < 10 * MIB);
});

t.test('a thread of the agent that is watched does not keep what was dropped', async (t) => {
  const worker = new Worker(new URL('../testing/old-generation-thread.ts', import.meta.url), {
    resourceLimits: signallingRoom(),
  });
  const [{ before, filled, after }] = await once(worker, 'message');
  t.ok(filled - before >= 24 * MIB, 'it was full of dead objects');
  t.ok(after - before <= 6 * MIB, 'which are gone, although nothing is created any more');
});
