/** The log file of `npm start` on a terminal, kept below a size: two files of that size at most. */
import { copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';

const LIMIT_BYTES = 50 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

export type TerminalLog = {
  /** Opened for appending: the local agent writes to it, too. */
  readonly fd: number;
  /** Moves what is there to `FILE.1` if it is longer than the limit. */
  check(): void;
};

/**
 * Copied and cut, not renamed: the agent's descriptor stays valid. Lines that the agent writes between the two system calls are lost.
 * The log is checked at once and every minute; the timer keeps no process alive.
 */
export function openTerminalLog(file: string, limitBytes = LIMIT_BYTES): TerminalLog {
  const fd = openSync(file, 'a', 0o600);
  const check = (): void => {
    if (fstatSync(fd).size <= limitBytes) return;
    try {
      copyFileSync(file, `${file}.1`);
    } catch {
      // A full disk: room matters more than old lines.
    }
    ftruncateSync(fd, 0);
  };
  check();
  setInterval(check, CHECK_EVERY_MS).unref();
  return { fd, check };
}
