/** A finished build takes its place: what reads the place meanwhile never finds half of it. */
import { renameSync, rmSync } from 'node:fs';

/** Beside the place of a build, where one rename puts it there. Processes that build at the same time have one each. */
export const besideOf = (place: string): string => `${place}-${process.pid}`;

/** More processes do not build the same at the same time. */
const MOST_AT_ONCE = 100;

/** Moves `built` to `place`, instead of the build that was there. Of several at once the last one stays. @throws Error of the file system */
export function putBuild(built: string, place: string): void {
  const replaced = `${built}-replaced`;
  for (let tries = 1; ; tries++) {
    unless(['ENOENT'], () => renameSync(place, replaced));
    // Another build may have taken the place meanwhile.
    const isThere = unless(tries < MOST_AT_ONCE ? ['ENOTEMPTY', 'EEXIST'] : [], () => renameSync(built, place));
    rmSync(replaced, { recursive: true, force: true });
    if (isThere) return;
  }
}

/** False: it failed by one of these codes. */
function unless(codes: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
