/** Entries of a tar archive (POSIX ustar): plain files, any of which fits into memory. Headers are written and read by the package tar. */
import { Header, Parser } from 'tar';

const BLOCK = 512;

export type Entry = { readonly name: string; readonly data: Buffer };

/** @throws if the name does not fit into a plain header: 100 bytes */
export function packed({ name, data }: Entry, at: Date): Buffer {
  const header = new Header({ path: name, mode: 0o600, uid: 0, gid: 0, size: data.length, mtime: at, type: 'File' });
  if (header.encode() || !header.block) throw new Error(`${name} does not fit into a header of tar`);
  const padding = (BLOCK - (data.length % BLOCK)) % BLOCK;
  return Buffer.concat([header.block, data, Buffer.alloc(padding)]);
}

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

/** @throws if it ends in the middle of an entry, or has a damaged header */
export async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const whole: Entry[] = [];
  let fault: Error | undefined;
  const parser = new Parser({ strict: true, brotli: false });
  parser.on('error', (error: Error) => {
    fault ??= error;
  });
  parser.on('entry', (entry) => {
    const pieces: Buffer[] = [];
    entry.on('data', (piece: Buffer) => pieces.push(piece));
    entry.on('end', () => whole.push({ name: entry.path, data: Buffer.concat(pieces) }));
  });
  // The parser reports each whole entry before write() returns.
  for await (const chunk of source) {
    parser.write(chunk);
    if (fault) throw fault;
    yield* whole.splice(0);
  }
  parser.end();
  if (fault) throw fault;
  yield* whole.splice(0);
}
