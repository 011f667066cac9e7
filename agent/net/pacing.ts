/** Punctual wake-ups: threads sleep until an instant instead of for a duration, with the least slack that the kernel grants. */
import { getPriority, setPriority } from 'node:os';
import { C, type Libc, pin } from './libc.ts';

/** A low real-time priority: above every ordinary thread, below the kernel's own. */
const REALTIME_PRIORITY = 10;

/**
 * Nice values: before ordinary threads on a shared core, media before signalling, and never before threads of the same urgency.
 */
export const NICE = { MEDIA: -10, SIGNALLING: -5 } as const;

export type Pacing = {
  /** Blocks the thread until the instant, in ms on CLOCK_MONOTONIC; returns immediately if it has passed. */
  sleepUntilMs(atMs: number): void;
};

/** The pacing of the calling thread. Its timer slack, 50 us by default, becomes 1 ns. */
export function createPacing(libc: Libc): Pacing {
  libc.prctl(C.PR_SET_TIMERSLACK, 1, 0, 0, 0);
  const spec = pin(16);
  return {
    sleepUntilMs(atMs) {
      const seconds = Math.floor(atMs / 1000);
      spec.u32[0] = seconds;
      spec.u32[2] = Math.floor((atMs - seconds * 1000) * 1e6);
      libc.clockNanosleep(C.CLOCK_MONOTONIC, C.TIMER_ABSTIME, spec.address, 0);
    },
  };
}

/**
 * Raises the priority of the calling thread if the host permits it (CAP_SYS_NICE, or RLIMIT_NICE of 30), and returns
 * its nice value. Only on Linux: elsewhere a nice value applies to the whole process (setpriority(2), "C library/kernel
 * differences"). With autogroups or a cgroup (sched(7)) it counts within that group, not against other groups.
 */
export function preferThread(nice: number): number {
  if (process.platform !== 'linux') return getPriority();
  try {
    if (getPriority() > nice) setPriority(nice);
  } catch {
    // The thread continues with its priority, which is returned.
  }
  return getPriority();
}

/** Gives the calling thread SCHED_FIFO; null on success, otherwise the reason. */
export function becomeRealtime(libc: Libc): string | null {
  const parameter = pin(4);
  parameter.i32[0] = REALTIME_PRIORITY;
  if (libc.schedSetscheduler(0, C.SCHED_FIFO, parameter.address) === 0) return null;
  const errno = libc.errno();
  return errno === C.EPERM
    ? `the host does not permit it: CAP_SYS_NICE is needed, or RLIMIT_RTPRIO of ${REALTIME_PRIORITY} (ulimit -r)`
    : `sched_setscheduler failed with errno ${errno}`;
}
