/**
 * `node together.ts FILE …`: runs test files in sequence in one process, if separate processes would prove nothing more. Shared
 * modules (tap, tables, zod) are loaded and compiled once. What a file leaves to the end of its process ends with the file.
 */
import path from 'node:path';

const files = process.argv.slice(2);
// This must precede tap, which names its folders by the command line. Without the first file, processes side by side would share
// one.
process.argv.splice(3);
const { default: t } = await import('tap');

type Ending = () => unknown;
const endings: Ending[] = [];
// The files use this same `t`, which ends only with the last file.
t.teardown = (ending: Ending) => {
  endings.push(ending);
};

for (const file of files) {
  const before = t.count;
  await import(path.resolve(file));
  // All tests of the file are registered by now. The next file must not start before they have ended.
  await t.test(file, async (ended) => {
    ended.ok(t.count > before, 'has tests');
    // As in tap, the last teardown runs first.
    for (let ending = endings.pop(); ending !== undefined; ending = endings.pop()) await ending();
  });
}
