/**
 * The measured capacity of a host, stored in the state folder. It is valid for the build and the hardware that it was
 * measured with.
 */
import { rename } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { readRegular, writeDraft } from '@carillon/proto/base/files.ts';
import * as z from 'zod';
import { makeStateFolder } from '../state-folder.ts';

const Calibration = z.object({
  at: z.iso.datetime(),
  build: z.string(),
  hardware: z.string(),
  adapter: z.string(),
  mediaThreads: z.int().positive(),
  signallingThreads: z.int().positive(),
  /** The number of endpoints with a bidirectional, fully measured G.711 stream each. */
  endpoints: z.int().nonnegative(),
  callsPerSecond: z.number().nonnegative(),
});
export type Calibration = z.infer<typeof Calibration>;

const FILE = 'calibration.json';

/** The host's processors, as far as they matter here. */
export const hardware = (): string => `${availableParallelism()} x ${cpus()[0]?.model.trim() || process.arch}`;

/** Null: there is no calibration, or the file cannot be read; the host can be measured again at any time. */
export async function readCalibration(stateDir: string): Promise<Calibration | null> {
  try {
    return Calibration.parse(JSON.parse(await readRegular(path.join(stateDir, FILE))));
  } catch {
    return null;
  }
}

export async function writeCalibration(stateDir: string, calibration: Calibration): Promise<void> {
  await makeStateFolder(stateDir);
  const draft = path.join(stateDir, `${FILE}.draft`);
  await writeDraft(draft, `${JSON.stringify(calibration, null, 2)}\n`);
  await rename(draft, path.join(stateDir, FILE));
}

export type Setting = Pick<Calibration, 'build' | 'hardware' | 'mediaThreads' | 'signallingThreads'>;

/** Why it is not valid for this agent; null: it is valid. */
function stale(calibration: Calibration, now: Setting): string | null {
  for (const what of ['build', 'hardware', 'mediaThreads', 'signallingThreads'] as const)
    if (calibration[what] !== now[what]) return otherwise(calibration, what, now[what]);
  return null;
}

const otherwise = (calibration: Calibration, what: keyof Setting | 'adapter', now: string | number): string =>
  `it was measured with ${what} ${calibration[what]}, which is now ${now}: run carillon-agent calibrate`;

export type Capacity = {
  readonly endpoints: number;
  /** The last calibration, valid or not; null: it does not exist. */
  readonly calibration: Calibration | null;
  /** Why the calibration is not used; null: it is used, or does not exist. */
  readonly unused: string | null;
};

type CalibrationInput = { readonly stateDir: string; readonly capacity: number; readonly isCapacityGiven: boolean };

/**
 * The capacity if datagrams turn out to use another I/O path than at the calibration: `given` endpoints, and at most
 * the old number.
 */
export function withAdapter(found: Capacity, given: number, adapter: string): Capacity {
  const { calibration, unused, endpoints } = found;
  if (calibration === null || unused !== null || calibration.adapter === adapter) return found;
  return { calibration, unused: otherwise(calibration, 'adapter', adapter), endpoints: Math.min(endpoints, given) };
}

/** The result of a calibration, unless the environment sets a value or the host has changed. */
export async function capacityOf(given: CalibrationInput, now: Setting): Promise<Capacity> {
  const { capacity, isCapacityGiven } = given;
  const calibration = await readCalibration(given.stateDir);
  if (calibration === null) return { endpoints: capacity, calibration, unused: null };
  const unused = isCapacityGiven ? 'CARILLON_CAPACITY takes precedence' : stale(calibration, now);
  return { endpoints: unused === null ? calibration.endpoints : capacity, calibration, unused };
}
