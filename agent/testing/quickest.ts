/** Whether something is quick, on a host that may stall at any moment: other processes disturb some attempts, not all. */

const ATTEMPTS = 5;
const QUICK_MS = 100;

/** The minimum of a few attempts, in milliseconds; stops at the first that is quick. */
export function quickestMs(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > QUICK_MS; attempt++) {
    const beganMs = performance.now();
    work();
    least = Math.min(least, performance.now() - beganMs);
  }
  return least;
}
