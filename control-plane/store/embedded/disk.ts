/** Free space on the disk of the embedded database. */
import { statfs } from 'node:fs/promises';

export type Disk = { readonly freeBytes: number; readonly sizeBytes: number };
type Room = 'ENOUGH' | 'LITTLE' | 'NONE';

const MIB = 1 << 20;
/** PostgreSQL writes ahead in files of 16 MiB, and stops if the next one does not fit. */
const NONE_BYTES = 32 * MIB;
/** A tenth of a disk counts as little, but a gibibyte of a large disk does not. */
const LITTLE_PART = 0.1;
const LITTLE_BYTES = { least: 2 * NONE_BYTES, most: 1024 * MIB } as const;

/** Blocks that are reserved for root are not counted: PostgreSQL never runs as root. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

export function roomOf({ freeBytes, sizeBytes }: Disk): Room {
  if (freeBytes < NONE_BYTES) return 'NONE';
  const { least, most } = LITTLE_BYTES;
  return freeBytes < Math.max(least, Math.min(most, sizeBytes * LITTLE_PART)) ? 'LITTLE' : 'ENOUGH';
}
