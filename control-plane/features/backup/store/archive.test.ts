/** What a file may cost before anybody knows who made it: it is read without waiting, and little of it is kept. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import t from 'tap';
import { Header } from 'tar';
import { createArchive, verifiedArchive } from './archive.ts';
import { END_OF_ARCHIVE, packed } from './tar.ts';

const MIB = 1024 * 1024;
const dir = t.testdir({ folder: {} });
const at = (name: string) => path.join(dir, name);
const now = new Date(0);

t.test('what is no file of bytes is refused in words', async (t) => {
  spawnSync('mkfifo', [at('pipe')]);
  const refused: [file: string, why: RegExp][] = [
    [at('pipe'), /^The backup \S+pipe cannot be read: it is not a regular file$/],
    [at('folder'), /^The backup \S+folder cannot be read: it is a folder$/],
    [at('missing'), /^The backup \S+missing cannot be read: ENOENT/],
    ['/dev/zero', /^The backup \/dev\/zero cannot be read: it is not a regular file$/],
    // Regular files, by what the kernel says of them. Who may not open the second one reads that.
    ['/proc/self/pagemap', /is not a complete backup/],
    ['/proc/kmsg', /is not a complete backup|cannot be read: E/],
  ];
  for (const [file, why] of refused) await t.rejects(verifiedArchive(file, null), { message: why }, file);
});

type Kind = ConstructorParameters<typeof Header>[0] & object;

/** The header only: where it is refused, no byte of its content is needed. */
function announced(name: string, size: number, more: Kind = {}): Buffer {
  const header = new Header({ path: name, mode: 0o600, uid: 0, gid: 0, size, mtime: now, type: 'File', ...more });
  header.encode();
  return header.block as Buffer;
}

async function ofTar(...blocks: Buffer[]): Promise<ReadonlyMap<string, unknown>> {
  writeFileSync(at('made'), zstdCompressSync(Buffer.concat(blocks)));
  return verifiedArchive(at('made'), null);
}

t.test('an entry that no backup has is refused at its header', async (t) => {
  const refused: [what: string, header: Buffer, why: RegExp][] = [
    ['rows', announced('rows/users/0000001', 64 * MIB + 1), /rows\/users\/0000001 is longer than 64 MiB/],
    ['JSON', announced('about.json', 256 * MIB + 1), /about\.json is longer than 256 MiB/],
    ['a link', announced('about.json', 0, { type: 'SymbolicLink', linkpath: 'x' }), /about\.json is not a plain file/],
    ['a folder', announced('rows/', 0, { type: 'Directory' }), /rows\/ is not a plain file/],
  ];
  for (const [what, header, why] of refused) await t.rejects(ofTar(header, Buffer.alloc(4096)), { message: why }, what);
  for (const [name, size] of [
    ['rows/users/0000001', 64 * MIB],
    ['about.json', 256 * MIB],
  ] as const)
    await t.rejects(
      ofTar(announced(name, size)),
      { message: /is not a complete backup: (?!.*longer)/ },
      `${name}: it is cut`,
    );
  t.throws(() => packed({ name: 'rows/users/0000001', data: Buffer.alloc(64 * MIB + 1) }, now), /longer than 64 MiB/);
});

t.test('any number of parts is not kept', async (t) => {
  const parts = Array.from({ length: 10_001 }, (_, i) => announced(`rows/t${i}/0000001`, 0));
  await t.rejects(ofTar(...parts, END_OF_ARCHIVE), {
    message: /is not a complete backup: it has more than 10000 parts/,
  });
});

t.test('descriptions that nobody reads are not kept', async (t) => {
  const archive = await createArchive(at('more'), now, { where: '', all: () => [] });
  for (const name of ['about.json', 'more.json', 'jobs.json', 'sequences.json']) await archive.json(name, { name });
  await archive.finish();
  t.same([...(await verifiedArchive(at('more'), null)).keys()], ['about.json', 'jobs.json', 'sequences.json']);
});

t.test('an archive within the archive is not unpacked', async (t) => {
  await t.rejects(ofTar(zstdCompressSync(announced('rows/users/0000001', 64 * MIB + 1))), {
    message: /is not a complete backup: (?!.*longer)/,
  });
});
