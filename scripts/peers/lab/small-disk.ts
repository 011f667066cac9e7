/** A disk of its own for the folder of a lab: a tmpfs, which gets full by being made as small as what lies on it. Only root may mount it. */
import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from '../process.ts';

export type SmallDisk = {
  /** So much is free from now on, and no more. */
  leave(mebibytes: number): Promise<void>;
  /** There is room again. */
  free(): Promise<void>;
  remove(): Promise<void>;
};

const run = promisify(execFile);
const SIZE = '2g';

/** null: only root may mount. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk | null> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const options = `size=${SIZE},mode=0711`;
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return null;
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, folder]);
  return {
    async leave(mebibytes) {
      // What is written meanwhile does not fit into what was measured: then it is measured again.
      await until('the disk is as small as it can be', async () => {
        const { blocks, bfree, bsize } = await statfs(folder);
        const kibibytes = ((blocks - bfree) * bsize) / 1024 + mebibytes * 1024;
        return resize(`${kibibytes}k`).then(
          () => true,
          () => false,
        );
      });
    },
    free: async () => void (await resize(SIZE)),
    remove: async () => void (await run('umount', ['-l', folder])),
  };
}
