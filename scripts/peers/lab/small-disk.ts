/** A separate disk for the folder of a lab: a tmpfs, which is filled by making it as small as its contents. Only root may mount it. */
import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from '../process.ts';

export type SmallDisk = {
  /** From now on, only this much is free. */
  leave(mebibytes: number): Promise<void>;
  /** The space is available again. */
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
      // Data written meanwhile do not fit into the measured size: then it is measured again.
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
