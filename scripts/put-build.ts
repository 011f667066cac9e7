/** Puts a finished build in its place. Programs that read the place at the same time never find half of it. */
import { renameSync, rmSync } from 'node:fs';

/**
 * A path beside the place of a build, from which one rename moves it there. Each process that builds at the same time has its
 * own.
 */
export const besideOf = (place: string): string => `${place}-${process.pid}`;

/** At most this many processes make the same build at the same time. */
const MAX_AT_ONCE = 100;

/**
 * Moves `built` to `place`, and replaces the existing build. If several do so at once, the last one stays. @throws Error of the
 * file system
 */
export function putBuild(built: string, place: string): void {
  const replaced = `${built}-replaced`;
  for (let attempt = 1; ; attempt++) {
    unless(['ENOENT'], () => renameSync(place, replaced));
    // Another build may have taken the place in the meantime.
    const isThere = unless(attempt < MAX_AT_ONCE ? ['ENOTEMPTY', 'EEXIST'] : [], () => renameSync(built, place));
    rmSync(replaced, { recursive: true, force: true });
    if (isThere) return;
  }
}

/** False: the action failed with one of these codes. */
function unless(codes: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
