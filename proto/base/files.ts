/** A process's own files and folders. Those that cannot be used are refused with an explanation, in bounded time. */
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

type FsError = NodeJS.ErrnoException;

/**
 * Makes a folder and the folders above it. If node:fs is asked for both, it never returns where a folder exists and nothing can
 * be made in it (/proc).
 * @param what begins the sentence of an error
 */
export const makeFolder = (folder: string, mode: number, what = 'The folder'): Promise<void> =>
  makeWithParents(path.resolve(folder), mode).catch((error: FsError) => {
    throw new Error(`${what} ${folder} cannot be made: ${error.message}`, { cause: error });
  });

async function makeWithParents(folder: string, mode: number): Promise<void> {
  if ((await makeOne(folder, mode)) === 'made') return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeWithParents(parent, mode);
  if ((await makeOne(folder, mode)) !== 'made') throw new Error(`nothing can be made in ${parent}`);
}

/** Afterwards the folder exists, or the folder above it is missing. */
async function makeOne(folder: string, mode: number): Promise<'made' | 'no parent'> {
  try {
    await mkdir(folder, { mode });
    return 'made';
  } catch (error) {
    const { code } = error as FsError;
    if (code === 'ENOENT') return 'no parent';
    // On file systems that are read-only or belong to others, an existing folder gives other codes than EEXIST.
    if (
      await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return 'made';
    throw code === 'EEXIST' ? new Error('it exists, and is not a folder') : error;
  }
}

/** None of our own files is nearly as long. */
const MAX_BYTES = 16 * 1024 * 1024;

/** No read waits: files of the kernel claim to be regular, and some of them (/proc/kmsg) never have anything to read. */
const UNWAITING = constants.O_RDONLY | constants.O_NONBLOCK;
const PIECE_BYTES = 64 * 1024;

function expectRegular(found: Stats): void {
  if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file');
}

/** Refuses everything but regular files: reading a pipe without a writer, or a device, would never end. */
export async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, UNWAITING);
  try {
    expectRegular(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param maxBytes the maximum length of a file; longer files are refused */
export async function readRegular(file: string, maxBytes = MAX_BYTES): Promise<string> {
  const handle = await openRegular(file);
  const content = new Content(maxBytes);
  try {
    while (content.add((await handle.read(content.piece)).bytesRead));
    return content.text();
  } finally {
    await handle.close();
  }
}

export function readRegularSync(file: string, maxBytes: number): string {
  const fd = openSync(file, UNWAITING);
  const content = new Content(maxBytes);
  try {
    expectRegular(fstatSync(fd));
    while (content.add(readSync(fd, content.piece)));
    return content.text();
  } finally {
    closeSync(fd);
  }
}

/** The content of a file. Its bytes are counted, because the kernel reports a length of 0 for its own files. */
class Content {
  readonly piece = Buffer.allocUnsafe(PIECE_BYTES);
  readonly #maxBytes: number;
  readonly #read: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds the first `bytes` of the piece, which were read. False: the file has ended. */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new Error(`it is longer than ${this.#maxBytes / 1024 / 1024} MiB`);
    this.#read.push(Buffer.from(this.piece.subarray(0, bytes)));
    return bytes > 0;
  }

  text(): string {
    return Buffer.concat(this.#read).toString();
  }
}

/** @param what begins the sentence of an error, whose `cause` is that of the file system */
export const readText = (what: string, file: string): Promise<string> =>
  readRegular(file).catch((error: FsError) => {
    throw new Error(`${what} ${file} cannot be read: ${error.message}`, { cause: error });
  });

const DRAFT = { mode: 0o600, flag: 'wx', flush: true } as const;

/**
 * Writes a draft that is then renamed to the final file. What is in its place is removed first: a killed process may have left
 * another draft, and a pipe would wait for a reader for ever.
 */
export async function writeDraft(draft: string, content: string | Uint8Array): Promise<void> {
  await rm(draft, { force: true });
  await writeFile(draft, content, DRAFT);
}

export function writeDraftSync(draft: string, content: string | Uint8Array): void {
  rmSync(draft, { force: true });
  writeFileSync(draft, content, DRAFT);
}

/** Null: the file does not exist. @param what begins the sentence of an error */
export const readIfThere = (what: string, file: string): Promise<string | null> =>
  readText(what, file).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

const isMissing = (error: unknown): boolean =>
  (error as FsError).code === 'ENOENT' || ((error as Error).cause as FsError | undefined)?.code === 'ENOENT';
