/**
 * The file of a backup: tar in zstd. The first entry is `about.json`, its description. The rows follow in COPY format,
 * in pieces `rows/TABLE/0000001`, and then `jobs.json`. `manifest.json` follows with the bytes and SHA-256 of each part.
 * A file without its manifest, or that differs from it, is damaged. The last entry is `signature.json`, which proves who
 * made it (signature.ts).
 */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { openRegular } from '@carillon/proto/base/files.ts';
import { type Keys, signatureFault, signatureOf } from './signature.ts';
import { END_OF_ARCHIVE, type Entry, entriesOf, packed } from './tar.ts';

export const ABOUT = 'about.json';
export const JOBS = 'jobs.json';
export const SEQUENCES = 'sequences.json';
const TEXTS: ReadonlySet<string> = new Set([ABOUT, JOBS, SEQUENCES]);
const MANIFEST = 'manifest.json';
const SIGNATURE = 'signature.json';
const KEPT: ReadonlySet<string> = new Set([...TEXTS, MANIFEST, SIGNATURE]);
const PIECE_BYTES = 1 << 20;
/** No backup reaches this number: it has one part for each table. */
const MAX_PARTS = 10_000;

type Part = { readonly bytes: number; readonly sha256: string };
/** The parts by name: the name of an entry, without the number of its piece. */
type Manifest = Readonly<Record<string, Part>>;

const jsonOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

const partOf = (name: string): string => name.replace(/\/\d+$/, '');

class Sums {
  readonly #parts = new Map<string, { bytes: number; readonly hash: Hash }>();
  add({ name, data }: Entry): void {
    const part = this.#parts.get(partOf(name)) ?? { bytes: 0, hash: createHash('sha256') };
    part.bytes += data.length;
    part.hash.update(data);
    this.#parts.set(partOf(name), part);
  }
  get parts(): number {
    return this.#parts.size;
  }
  manifest(): Manifest {
    return Object.fromEntries(
      [...this.#parts].map(([name, { bytes, hash }]) => [name, { bytes, sha256: hash.digest('hex') }]),
    );
  }
}

export type ArchiveWriter = {
  json(name: string, value: unknown): Promise<void>;
  pieces(part: string, data: AsyncIterable<Buffer>): Promise<void>;
  /** The file has its name and is on the disk from here on. */
  finish(): Promise<{ readonly bytes: number; readonly isSigned: boolean }>;
  discard(): Promise<void>;
};

/** @throws if the file exists: a backup replaces no file */
export async function createArchive(file: string, at: Date, keys: Keys): Promise<ArchiveWriter> {
  const unfinished = `${file}.unfinished-${process.pid}`;
  // The name appears with the last byte, so that a killed backup leaves no file that looks complete.
  if (await isThere(file)) throw taken(file);
  const compress = createZstdCompress();
  const out = createWriteStream(unfinished, { mode: 0o600, flush: true });
  const written = finished(compress.pipe(out));
  // An awaited promise still rejects.
  written.catch(() => undefined);
  compress.on('error', (error) => out.destroy(error));
  out.on('error', (error) => compress.destroy(error));
  const sums = new Sums();
  const put = async (entry: Entry): Promise<void> => {
    if (compress.errored) throw compress.errored;
    if (!compress.write(packed(entry, at))) {
      await Promise.race([once(compress, 'drain'), written]);
    }
  };
  const add = async (entry: Entry): Promise<void> => {
    sums.add(entry);
    await put(entry);
  };
  return {
    json: (name, value) => add({ name, data: jsonOf(value) }),
    async pieces(part, data) {
      let kept: Buffer[] = [];
      let bytes = 0;
      let n = 0;
      const flush = async (): Promise<void> => {
        await add({ name: `${part}/${String(++n).padStart(7, '0')}`, data: Buffer.concat(kept) });
        kept = [];
        bytes = 0;
      };
      for await (const chunk of data) {
        kept.push(chunk);
        bytes += chunk.length;
        if (bytes >= PIECE_BYTES) await flush();
      }
      if (bytes > 0 || n === 0) await flush();
    },
    async finish() {
      const manifest = jsonOf(sums.manifest());
      await put({ name: MANIFEST, data: manifest });
      const signature = signatureOf(keys, manifest);
      if (signature) await put({ name: SIGNATURE, data: jsonOf(signature) });
      compress.end(END_OF_ARCHIVE);
      await written;
      await publish(unfinished, file);
      const folder = await open(path.dirname(path.resolve(file)), 'r');
      await folder.sync().finally(() => folder.close());
      return { bytes: out.bytesWritten, isSigned: signature !== null };
    },
    async discard() {
      compress.destroy();
      out.destroy();
      await rm(unfinished, { force: true });
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const taken = (file: string): Error =>
  new Error(`${file} exists: a backup replaces no file. Use another name. Nothing was written.`);

/** @throws if another backup has taken the name in the meantime */
async function publish(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    // The file system has no hard links.
    if (await isThere(file)) throw taken(file);
    await rename(unfinished, file);
  }
  await rm(unfinished, { force: true });
}

/** @throws an error that describes why the file cannot be read */
export const openBackup = (file: string): Promise<FileHandle> =>
  openRegular(file).catch((error: Error) => {
    throw new Error(`The backup ${file} cannot be read: ${error.message}`, { cause: error });
  });

/** @throws an error that describes the file's damage */
async function* readArchive(file: string): AsyncGenerator<Entry> {
  const source = (await openBackup(file)).createReadStream();
  const data = createZstdDecompress();
  source.on('error', (error) => data.destroy(error));
  try {
    yield* entriesOf(source.pipe(data));
  } catch (error) {
    throw damaged(file, (error as Error).message);
  } finally {
    source.destroy();
    data.destroy();
  }
}

const damaged = (file: string, why: string): Error =>
  new Error(
    `${file} is not a complete backup: ${why}. Nothing was restored. Take another copy of it, or another backup.`,
  );

/**
 * Returns the JSON entries once every part has been verified against the manifest, and the manifest against its
 * signature.
 * @param keys null: its maker is trusted
 * @throws an error that describes the file's damage
 */
export async function verifiedArchive(file: string, keys: Keys | null): Promise<ReadonlyMap<string, unknown>> {
  const sums = new Sums();
  const kept = new Map<string, Buffer>();
  for await (const entry of readArchive(file)) {
    if (KEPT.has(entry.name)) kept.set(entry.name, entry.data);
    if (entry.name === MANIFEST || entry.name === SIGNATURE) continue;
    sums.add(entry);
    if (sums.parts > MAX_PARTS) throw damaged(file, `it has more than ${MAX_PARTS} parts`);
  }
  const signed = kept.get(MANIFEST);
  if (signed === undefined) throw damaged(file, 'it has no manifest');
  const manifest = JSON.parse(signed.toString()) as Manifest;
  const found = sums.manifest();
  for (const name of new Set([...Object.keys(manifest), ...Object.keys(found)])) {
    if (manifest[name]?.sha256 !== found[name]?.sha256) throw damaged(file, `${name} is not what the manifest says`);
  }
  const fault = keys === null ? null : signatureFault(keys, signed, kept.get(SIGNATURE) ?? null);
  if (fault !== null) throw new Error(`${file} was not restored: ${fault}`);
  const texts = [...kept].filter(([name]) => TEXTS.has(name));
  return new Map(texts.map(([name, data]) => [name, JSON.parse(data.toString())]));
}

/** Yields the parts with rows, in the order of the file; each must be read to its end before the next. */
export async function* partsOf(
  file: string,
): AsyncGenerator<{ readonly part: string; readonly data: AsyncGenerator<Buffer> }> {
  const entries = readArchive(file);
  let next = await entries.next();
  while (!next.done) {
    const part = partOf(next.value.name);
    if (part.endsWith('.json')) {
      next = await entries.next();
      continue;
    }
    async function* data(): AsyncGenerator<Buffer> {
      while (!next.done && partOf(next.value.name) === part) {
        yield next.value.data;
        next = await entries.next();
      }
    }
    yield { part, data: data() };
  }
}
