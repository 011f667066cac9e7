/** What a host was found to carry, kept in the state folder. It holds for the build and the hardware that it was measured with. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import * as z from 'zod';

const Calibration = z.object({
  at: z.iso.datetime(),
  build: z.string(),
  hardware: z.string(),
  adapter: z.string(),
  mediaThreads: z.int().positive(),
  signallingThreads: z.int().positive(),
  /** Endpoints with a bidirectional, fully measured G.711 stream each. */
  endpoints: z.int().nonnegative(),
  callsPerSecond: z.number().nonnegative(),
});
export type Calibration = z.infer<typeof Calibration>;

const FILE = 'calibration.json';

/** Its processors, as far as they matter here. */
export const hardware = (): string => `${availableParallelism()} x ${cpus()[0]?.model.trim() || process.arch}`;

/** Null: none was made, or what is there cannot be read: it is made again at any time. */
export async function readCalibration(stateDir: string): Promise<Calibration | null> {
  try {
    return Calibration.parse(JSON.parse(await readFile(path.join(stateDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}

export async function writeCalibration(stateDir: string, calibration: Calibration): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const draft = path.join(stateDir, `${FILE}.draft`);
  await writeFile(draft, `${JSON.stringify(calibration, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path.join(stateDir, FILE));
}

/** What an agent runs with. */
export type Setting = Pick<Calibration, 'build' | 'hardware' | 'mediaThreads' | 'signallingThreads'>;

/** Why it says nothing of this agent; null: it holds. */
function stale(calibration: Calibration, now: Setting): string | null {
  for (const what of ['build', 'hardware', 'mediaThreads', 'signallingThreads'] as const)
    if (calibration[what] !== now[what]) return otherwise(calibration, what, now[what]);
  return null;
}

const otherwise = (calibration: Calibration, what: keyof Setting | 'adapter', now: string | number): string =>
  `it was made with ${what} ${calibration[what]}, and now it is ${now}: carillon-agent calibrate`;

export type Capacity = {
  /** Endpoints. */
  readonly endpoints: number;
  /** The last calibration, whether it is in force or not; null: there was none. */
  readonly calibration: Calibration | null;
  /** Why it is not in force; null: it is, or there is none. */
  readonly unused: string | null;
};

/** Of the configuration. */
type Given = { readonly stateDir: string; readonly capacity: number; readonly isCapacityGiven: boolean };

/** The same, where datagrams turn out to go another way than they went when it was made: `given` endpoints, and no more than before. */
export function withAdapter(found: Capacity, given: number, adapter: string): Capacity {
  const { calibration, unused, endpoints } = found;
  if (calibration === null || unused !== null || calibration.adapter === adapter) return found;
  return { calibration, unused: otherwise(calibration, 'adapter', adapter), endpoints: Math.min(endpoints, given) };
}

/** What a calibration has found, unless the environment says something, or it was made of another host. */
export async function capacityOf(given: Given, now: Setting): Promise<Capacity> {
  const { capacity, isCapacityGiven } = given;
  const calibration = await readCalibration(given.stateDir);
  if (calibration === null) return { endpoints: capacity, calibration, unused: null };
  const unused = isCapacityGiven ? 'CARILLON_CAPACITY takes precedence' : stale(calibration, now);
  return { endpoints: unused === null ? calibration.endpoints : capacity, calibration, unused };
}
