/** Files that a process reads when it starts: what cannot be used is refused in words, in bounded time. */
import { readFile, stat } from 'node:fs/promises';

type FsError = NodeJS.ErrnoException;

/** Of our own files none comes near. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A pipe that nobody writes to, or a device, would never end. @param mostBytes longer files are refused */
async function readRegular(file: string, mostBytes = MOST_BYTES): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  if (found.size > mostBytes) throw new Error(`it is longer than ${mostBytes / 1024 / 1024} MiB`);
  return readFile(file, 'utf8');
}

/** @param what begins the sentence of an error, whose `cause` is that of the file system */
export const readText = (what: string, file: string): Promise<string> =>
  readRegular(file).catch((error: FsError) => {
    throw new Error(`${what} ${file} cannot be read: ${error.message}`, { cause: error });
  });
