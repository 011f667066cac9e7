/** How much more CPU time a longer input takes, on a host that may stall: other processes disturb some attempts, not all. */

const ATTEMPTS = 8;
/** Of CPU time: less is not compared, for the clock and the compiler would be measured. */
const MIN_MS = 1;

/**
 * The four-fold input takes four times the CPU if each byte is read as often as before, and sixteen times if every byte is
 * compared with every other: between the two, at equal distances, lies the limit.
 */
export const LINEAR = 8;

/** CPU time of `work(1)` as a multiple of that of `work(1 / 4)`; stops at the first attempt after which it is linear. */
export function growth(work: (share: number) => void): number {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    small = Math.min(
      small,
      cpuMs(() => work(1 / 4)),
    );
    large = Math.min(
      large,
      cpuMs(() => work(1)),
    );
    if (large <= LINEAR * small) break;
  }
  return large / small;
}

/** Of this thread: what others take is not counted. */
function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(MIN_MS, (user + system) / 1000);
}
