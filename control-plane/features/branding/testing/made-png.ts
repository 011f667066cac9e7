/** PNG files for tests. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

type Made = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Absent: all that the size needs, in one colour. */
  readonly pixels?: Buffer;
  /** Chunks between the header and the pixels. */
  readonly before?: readonly Buffer[];
};

/** Eight bits of red, green, blue and alpha, not interlaced. */
export function madePng({ widthPx, heightPx, pixels, before = [] }: Made): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 6], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(widthPx * 4, Buffer.of(0, 0x50, 0xa0, 0xff))]);
  const all = pixels ?? Buffer.concat(Array.from({ length: heightPx }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', deflateSync(all)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
