/**
 * Runs test files side by side, as many as the machine has time for (room.ts), and at least one. Files that mostly wait and files
 * that mostly compute alternate, so that the machine is used. Files begin in the order of their lists. Their number at the same
 * time changes nothing else.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoomBetween, look } from './room.ts';
import { type Counts, failures, sum } from './tap.ts';
import { type Outcome, runFiles } from './test-file.ts';

export type Task = {
  /** The file, or a name for several, which are then listed in `together` and run in one process. */
  readonly file: string;
  readonly together?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file starts after this. */
  readonly needs?: Promise<unknown>;
};

export type Tasks = {
  /** These files wait more than they compute. */
  readonly waiting?: readonly Task[];
  readonly computing?: readonly Task[];
  /** These files measure, so they run one at a time, after all others. */
  readonly alone?: readonly Task[];
};

/** A program shows what it needs after it has run for this time. */
const LOOK_MS = 1000;
const MAX_PROCESSES = 3 * availableParallelism();

/** Whether one more file may run beside these, which may end in the meantime. */
type Room = (running: readonly Promise<unknown>[]) => Promise<boolean>;

export async function runPool(
  tasks: Tasks,
  folder: string,
  ending: AbortSignal,
  room: Room = (running) => hasRoom(folder, running),
): Promise<Counts> {
  const { waiting = [], computing = [], alone = [] } = tasks;
  const outcomes = [...(await sideBySide([...waiting], [...computing], folder, ending, room))];
  for (const task of alone) outcomes.push(await run(task, folder, ending));
  ending.throwIfAborted();
  tellSlowest(outcomes);
  return sum(outcomes);
}

async function sideBySide(
  waiting: Task[],
  computing: Task[],
  folder: string,
  ending: AbortSignal,
  room: Room,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const running = new Map<Task, Promise<unknown>>();
  const computes = new Set(computing);
  const next = (): Task | undefined => {
    const isComputing = [...running.keys()].some((task) => computes.has(task));
    return running.size > 0 && !isComputing
      ? (computing.shift() ?? waiting.shift())
      : (waiting.shift() ?? computing.shift());
  };
  try {
    while (waiting.length + computing.length + running.size > 0) {
      ending.throwIfAborted();
      const mayGrow = waiting.length + computing.length > 0 && running.size < MAX_PROCESSES;
      if (running.size > 0 && !mayGrow) await Promise.race(running.values());
      // If the last file ends while this decides, the next one begins at once.
      else if (running.size === 0 || (await room([...running.values()]))) {
        const task = next() as Task;
        const ended = run(task, folder, ending).then((outcome) => void outcomes.push(outcome));
        running.set(
          task,
          ended.finally(() => running.delete(task)),
        );
      }
    }
  } finally {
    await Promise.allSettled(running.values());
  }
  return outcomes;
}

/** Observes the machine for a while, but not beyond the end of a file. */
async function hasRoom(folder: string, running: readonly Promise<unknown>[]): Promise<boolean> {
  const before = look(folder);
  await Promise.race([sleep(LOOK_MS), ...running]);
  return isRoomBetween(before, look(folder));
}

async function run(
  { file, together = [file], env = {}, needs }: Task,
  folder: string,
  ending: AbortSignal,
): Promise<Outcome> {
  await needs;
  ending.throwIfAborted();
  const outcome = await runFiles(together, { name: file, folder, env, ending });
  if (!ending.aborted) tell(outcome);
  return outcome;
}

function tell({ file, passed, failed, skipped, seconds, tap, problems }: Outcome): void {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  console.log(`${shortName(file)}: ${counts.join(', ')}, ${seconds.toFixed(0)} s`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (failed > 0) console.log(failures(tap));
}

const SLOWEST = 10;

function tellSlowest(outcomes: readonly Outcome[]): void {
  if (outcomes.length <= SLOWEST) return;
  const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  console.log(
    `Longest: ${slowest.map(({ file, seconds }) => `${shortName(file)} ${seconds.toFixed(0)} s`).join(', ')}`,
  );
}

const shortName = (file: string): string => path.join(path.dirname(file), path.basename(file, '.test.ts'));
