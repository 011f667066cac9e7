/** The file that PostgreSQL writes its log to: it keeps its name, and at most two files of it are kept. */
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises';

const MOST_BYTES = 8 * 2 ** 20;

/**
 * Where the log has grown beyond `mostBytes`, what it holds moves to `FILE.1`, in place of what was there. PostgreSQL appends to the open
 * file, which is emptied: it needs no signal. What is written between copy and emptying, some milliseconds, is lost. What fails is told.
 */
export async function keepLogShort(
  file: string,
  log: (message: string, fields: Record<string, unknown>) => void,
  mostBytes = MOST_BYTES,
): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size <= mostBytes) return;
  const copy = `${file}.1.new`;
  try {
    await copyFile(file, copy);
    await rename(copy, `${file}.1`);
  } catch {
    // A full disk: then what is old goes.
    await rm(copy, { force: true });
  }
  await truncate(file).catch((error: Error) => log(`${file} cannot be emptied`, { error: error.message }));
}
