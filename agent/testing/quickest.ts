/** Whether something is quick, on a host that may stop at any moment: what others took of the time is in some attempts, not in all. */

const ATTEMPTS = 5;
const QUICK_MS = 100;

/** The least of a few attempts, in milliseconds; the first that is quick ends it. */
export function quickestMs(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > QUICK_MS; attempt++) {
    const beganMs = performance.now();
    work();
    least = Math.min(least, performance.now() - beganMs);
  }
  return least;
}
