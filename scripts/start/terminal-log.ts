/** The log file of `npm start` on a terminal. It is limited in size: there are at most two files of that size. */
import { copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';

const LIMIT_BYTES = 50 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

export type TerminalLog = {
  /** The file is opened for appending, because the local agent writes to it, too. */
  readonly fd: number;
  /** Moves the contents to `FILE.1` if they are longer than the limit. */
  check(): void;
};

/**
 * The file is copied and truncated, not renamed, so that the agent's descriptor stays valid. Lines that the agent writes between
 * the two system calls are lost. The log is checked at once and every minute; the timer keeps no process alive.
 */
export function openTerminalLog(file: string, limitBytes = LIMIT_BYTES): TerminalLog {
  const fd = openSync(file, 'a', 0o600);
  const check = (): void => {
    if (fstatSync(fd).size <= limitBytes) return;
    try {
      copyFileSync(file, `${file}.1`);
    } catch {
      // The disk is full: space is more important than old lines.
    }
    ftruncateSync(fd, 0);
  };
  check();
  setInterval(check, CHECK_EVERY_MS).unref();
  return { fd, check };
}
