/**
 * Decides whether a machine has time for one more test file: processors are idle, or programs of others use more of their time
 * than this run, and its own programs get a processor when they need one. A fair scheduler then gives such a run more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { idleShare, type Processors, processors } from '../peers/patience.ts';
import { programsOf } from './run-folder.ts';

/** The required share of all processors' time. */
const ROOM = 0.15;
/** The maximum share of waiting for a processor in the time in which programs could work. */
const MAX_WAITING = 0.6;
/** The unit of /proc/stat in ns. */
const TICK_NS = 1e7;

/** The time of one thread since its start, on a processor and waiting for one, in ns. */
type Use = readonly [runNs: number, waitNs: number];
/** The use by thread, for the programs of a run. */
export type Uses = ReadonlyMap<string, Use>;
export type MachineLook = { readonly machine: Processors | null; readonly own: Uses };

const NONE: Use = [0, 0];

/** If the system does not report it, there is room. Pure. */
export function isRoomBetween(before: MachineLook, after: MachineLook): boolean {
  const idle = idleShare(before.machine, after.machine);
  if (idle >= ROOM || before.machine === null || after.machine === null) return true;
  let [runNs, waitNs] = [0, 0];
  for (const [thread, [run, wait]] of after.own) {
    const [runBefore, waitBefore] = before.own.get(thread) ?? NONE;
    runNs += run - runBefore;
    waitNs += wait - waitBefore;
  }
  const own = runNs / TICK_NS / (after.machine.all - before.machine.all);
  const others = 1 - idle - own;
  return runNs > 0 && others - own >= ROOM && waitNs / (runNs + waitNs) <= MAX_WAITING;
}

/** @param folder the folder of the run */
export const look = (folder: string): MachineLook => ({ machine: processors(), own: usesOf(folder) });

/** The times from schedstat (Documentation/scheduler/sched-stats of Linux). A thread that ends in the meantime is left out. */
function usesOf(folder: string): Uses {
  const uses = new Map<string, Use>();
  for (const { pid } of programsOf(folder))
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const [run = 0, wait = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
          .split(' ')
          .map(Number);
        uses.set(thread, [run, wait]);
      }
    } catch {
      // The program has ended.
    }
  return uses;
}
