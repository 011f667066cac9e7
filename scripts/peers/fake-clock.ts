/** The calendar clock of a process, set while it runs, by libfaketime (Debian's package faketime). Its monotonic clock is the host's. */
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/** The variant for programs with threads. */
const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1';

export type FakeClock = {
  /** Of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** This many seconds ahead of the host; takes up to two seconds. */
  set(seconds: number): Promise<void>;
};

export async function openFakeClock(file: string): Promise<FakeClock> {
  const [library] = globSync(LIBRARY);
  if (library === undefined) throw new Error('libfaketime is not installed: apt-get install faketime');
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  await set(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { env, set };
}
