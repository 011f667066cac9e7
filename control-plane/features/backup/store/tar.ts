/**
 * Entries of a tar archive (POSIX ustar): plain files, each of which fits into memory. The package tar writes and reads
 * the headers.
 */
import { Header, Parser } from 'tar';

const BLOCK = 512;
const MIB = 1024 * 1024;
/** The limit of rows covers a piece of a backup and its last row, which may have 20 MiB of media as hexadecimal digits. */
const MAX_MIB = { rows: 64, json: 256 } as const;

export type Entry = { readonly name: string; readonly data: Buffer };

/** Writing has the same limit as reading, so that every written entry can be read. @throws if it is longer */
function expectLength(name: string, bytes: number): void {
  const maxMib = MAX_MIB[name.endsWith('.json') ? 'json' : 'rows'];
  if (bytes > maxMib * MIB) throw new Error(`${name} is longer than ${maxMib} MiB`);
}

/** @throws if the data is too long, or the name does not fit into a plain header: 100 bytes */
export function packed({ name, data }: Entry, at: Date): Buffer {
  expectLength(name, data.length);
  const header = new Header({ path: name, mode: 0o600, uid: 0, gid: 0, size: data.length, mtime: at, type: 'File' });
  if (header.encode() || !header.block) throw new Error(`${name} does not fit into a header of tar`);
  const padding = (BLOCK - (data.length % BLOCK)) % BLOCK;
  return Buffer.concat([header.block, data, Buffer.alloc(padding)]);
}

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

/** @throws if the archive ends in the middle of an entry, or has a damaged header, or an entry that is too large for memory */
export async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const whole: Entry[] = [];
  let fault: Error | undefined;
  const parser = new Parser({ strict: true, brotli: false, zstd: false });
  parser.on('error', (error: Error) => {
    fault ??= error;
  });
  parser.on('entry', (entry) => {
    try {
      if (entry.type !== 'File') throw new Error(`${entry.path} is not a plain file`);
      // The size is that of the following data: an extended header can give `size` another value.
      expectLength(entry.path, entry.startBlockSize);
    } catch (error) {
      fault ??= error as Error;
      return;
    }
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
