/** The folder for tests' databases and files. It is in memory if there is space, so that tests do not wait for the disk. */
import { accessSync, constants, statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** A whole test run needs about a third of it. */
const ROOM_BYTES = 8 * 1024 ** 3;

/** A folder in memory with enough space for all tests; null: the host has none (the one of containers has 64 MiB). */
export function memoryFolder(): string | null {
  try {
    accessSync(IN_MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : null;
  } catch {
    return null;
  }
}
