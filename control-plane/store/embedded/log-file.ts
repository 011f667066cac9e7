/** PostgreSQL's log file: it keeps its name, and at most two files are kept. */
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 8 * 2 ** 20;

/**
 * When the log exceeds `maxBytes`, its content moves to `FILE.1` and replaces the file there. PostgreSQL appends to
 * the open file, which is truncated: no signal is needed. Lines written between copy and truncation, some milliseconds,
 * are lost. Errors are reported.
 */
export async function keepLogShort(
  file: string,
  log: (message: string, fields: Record<string, unknown>) => void,
  maxBytes = MAX_BYTES,
): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size <= maxBytes) return;
  const copy = `${file}.1.new`;
  const removeCopy = () => rm(copy, { recursive: true, force: true });
  try {
    // If a pipe were in its place, the copy would never end.
    await removeCopy();
    await copyFile(file, copy);
    await rename(copy, `${file}.1`);
  } catch {
    // The disk is full, so the old file is deleted.
    await removeCopy();
  }
  await truncate(file).catch((error: Error) => log(`${file} cannot be emptied`, { error: error.message }));
}
