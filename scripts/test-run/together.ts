/**
 * `node together.ts FILE …`: test files one after the other in one process, where a process of its own would prove nothing more: they compute.
 * What each would load and compile (tap, tables, zod) is loaded once.
 */
import path from 'node:path';
import t from 'tap';

for (const file of process.argv.slice(2)) {
  const before = t.counts.total;
  await import(path.resolve(file));
  // All its tests are registered by now; the next file must not start before they have ended.
  await t.test(file, async (ended) => ended.ok(t.counts.total > before, 'has tests'));
}
