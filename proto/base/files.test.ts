import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { readRegular, readRegularSync } from './files.ts';

const MAX_BYTES = 256 * 1024;
const dir = t.testdir({ folder: {}, empty: '' });
const at = (name: string) => path.join(dir, name);
writeFileSync(at('of the bound'), 'é'.repeat(MAX_BYTES / 2));
writeFileSync(at('a byte more'), 'x'.repeat(MAX_BYTES + 1));
spawnSync('mkfifo', [at('pipe')]);

const canBeOpened = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
};

const both = { readRegular, readRegularSync: async (file: string, most: number) => readRegularSync(file, most) };
for (const [name, read] of Object.entries(both)) {
  t.test(`${name}: what never ends, or is too long, is refused`, async (t) => {
    const refused: [file: string, why: RegExp][] = [
      [at('missing'), /ENOENT/],
      [at('folder'), /^it is a folder$/],
      [at('pipe'), /^it is not a regular file$/],
      ['/dev/zero', /^it is not a regular file$/],
      [at('a byte more'), /^it is longer than 0\.25 MiB$/],
      // Regular files of length 0, by what the kernel says of them.
      ['/proc/self/pagemap', /^it is longer than 0\.25 MiB$/],
      // As long as there is something to read, then a read would wait for ever.
      ['/proc/kmsg', /EAGAIN|longer/],
    ];
    for (const [file, why] of refused) {
      if (file.startsWith('/proc/') && !canBeOpened(file)) t.comment(`${file}: it cannot be opened here`);
      else await t.rejects(read(file, MAX_BYTES), { message: why }, file);
    }
  });

  t.test(`${name}: others are read whole`, async (t) => {
    t.equal(await read(at('of the bound'), MAX_BYTES), 'é'.repeat(MAX_BYTES / 2));
    t.equal(await read(at('empty'), MAX_BYTES), '');
    t.equal(
      await read('/proc/self/cmdline', MAX_BYTES).then((text) => text.length > 0),
      true,
      'its length is 0, as stat says',
    );
  });
}
