/** Entries of a tar archive (POSIX ustar), as far as a backup needs them: plain files with short names, any of which fits into memory. */

const BLOCK = 512;

export type Entry = { readonly name: string; readonly data: Buffer };

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const padding = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

/** @throws if the name does not fit: 100 bytes */
function headerOf(name: string, bytes: number, atSeconds: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (header.write(name, 0, 100, 'utf8') < Buffer.byteLength(name))
    throw new Error(`${name} is too long a name for tar`);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes, 12), 124);
  header.write(octal(atSeconds, 12), 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  header.write(octal(sumOf(header), 7), 148);
  return header;
}

const sumOf = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0);

export const packed = ({ name, data }: Entry, atSeconds: number): Buffer =>
  Buffer.concat([headerOf(name, data.length, atSeconds), data, Buffer.alloc(padding(data.length))]);

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

/** @throws if it ends in the middle of an entry, or a header is none */
export async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let kept: Buffer[] = [];
  let bytes = 0;
  const chunks = source[Symbol.asyncIterator]();
  const take = async (length: number): Promise<Buffer> => {
    while (bytes < length) {
      const next = await chunks.next();
      if (next.done) throw new Error('it ends in the middle');
      kept.push(next.value);
      bytes += next.value.length;
    }
    const all = Buffer.concat(kept);
    kept = [all.subarray(length)];
    bytes -= length;
    return all.subarray(0, length);
  };
  for (;;) {
    const header = await take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const sum = Number.parseInt(header.toString('latin1', 148, 154), 8);
    header.fill(' ', 148, 156);
    if (sum !== sumOf(header)) throw new Error('an entry has no header');
    const name = header.toString('utf8', 0, header.indexOf(0));
    const length = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const data = await take(length);
    await take(padding(length));
    yield { name, data };
  }
}
