/** Checks the host of a control plane: its disk and its clock. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CheckResult, fail, ok, unknown, warn } from '@carillon/proto/check-result.ts';
import type { Config } from '../config.ts';
import { diskOf, roomOf } from '../store/embedded/disk.ts';

/** The disk of the data folder, which has the embedded database or, with DATABASE_URL, nearly nothing. */
export async function examineDisk({ dataDir, databaseUrl }: Config): Promise<CheckResult> {
  const check = 'disk';
  if (databaseUrl !== null) return ok(check, 'the database is on another server, which watches its own');
  let folder = dataDir;
  while (!existsSync(folder)) folder = path.dirname(folder);
  const disk = await diskOf(folder);
  const text = `${Math.floor(disk.freeBytes / 2 ** 20).toLocaleString('en')} MiB are free at ${dataDir}`;
  const cure = 'free space, enlarge the disk, or keep data for a shorter time (CARILLON_SAMPLE_RETENTION_DAYS)';
  const room = roomOf(disk);
  if (room === 'NONE') return fail(check, text, cure);
  return room === 'LITTLE' ? warn(check, text, cure) : ok(check, text);
}

/** Sessions, tokens and certificates end by this clock. */
export function examineSystemClock(): CheckResult {
  const check = 'clock';
  const { stdout, status } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: 5000,
  });
  const answer = status === 0 ? stdout.trim() : '';
  if (answer === 'yes') return ok(check, 'it is synchronized');
  if (answer === 'no') return warn(check, 'it is not synchronized', 'timedatectl set-ntp true');
  return unknown(check, 'nothing on this host says whether it is synchronized');
}
