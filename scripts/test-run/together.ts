/**
 * `node together.ts FILE …`: test files in sequence in one process, if separate processes would prove nothing more: they
 * compute. Shared modules (tap, tables, zod) are loaded and compiled once.
 */
import path from 'node:path';
import t from 'tap';

for (const file of process.argv.slice(2)) {
  const before = t.counts.total;
  await import(path.resolve(file));
  // All its tests are registered by now; the next file must not start before they have ended.
  await t.test(file, async (ended) => ended.ok(t.counts.total > before, 'has tests'));
}
