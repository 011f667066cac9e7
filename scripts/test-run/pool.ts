/**
 * Runs test files in parallel, from both ends of one list: files that mostly wait are at the front, CPU-bound ones at
 * the back. So processors stay busy, and all lanes end at about the same time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Counts, failures, sum } from './tap.ts';
import { type Outcome, runFiles } from './test-file.ts';

export type Task = {
  /** The name for its counts. */
  readonly title: string;
  /** Or the folder of several, which are then named in `together` and run in one process. */
  readonly file: string;
  readonly together?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What must have happened before it starts. */
  readonly needs?: Promise<unknown>;
};

/** How many take their next file from the front of the list, and how many from its back. */
export type Lanes = { readonly front: number; readonly back: number };

/** Reports the result of each title once its last file has ended. */
export async function runPool(tasks: readonly Task[], lanes: Lanes, ending: AbortSignal): Promise<Counts> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'carillon-tap-'));
  const startedMs = Date.now();
  const waiting = [...tasks];
  const ended: { readonly title: string; readonly outcome: Outcome }[] = [];
  const lane = async (take: () => Task | undefined): Promise<void> => {
    for (let task = take(); task !== undefined && !ending.aborted; task = take()) {
      const { title, file, together = [file], env = {}, needs } = task;
      await needs;
      ended.push({ title, outcome: await runFiles(together, { name: file, scratch, env, ending }) });
      const ofTitle = ended.filter((one) => one.title === title).map(({ outcome }) => outcome);
      if (ofTitle.length === tasks.filter((one) => one.title === title).length) tell(title, ofTitle, startedMs);
    }
  };
  const lanesEnded = await Promise.allSettled([
    ...Array.from({ length: lanes.front }, () => lane(() => waiting.shift())),
    ...Array.from({ length: lanes.back }, () => lane(() => waiting.pop())),
  ]);
  await rm(scratch, { recursive: true, force: true });
  for (const one of lanesEnded) if (one.status === 'rejected') throw one.reason;
  ending.throwIfAborted();
  return sum(ended.map(({ outcome }) => outcome));
}

const SLOWEST = 12;

function tell(title: string, outcomes: readonly Outcome[], startedMs: number): void {
  const counts = sum(outcomes);
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0);
  console.log(`${title}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const name = (file: string): string => path.basename(file, '.test.ts');
  if (outcomes.length > 1)
    console.log(`  ${slowest.map(({ file, seconds }) => `${name(file)} ${seconds.toFixed(0)} s`).join(', ')}`);
  for (const { file, failed, tap } of outcomes) if (failed > 0) console.log(`${file}:\n${failures(tap)}`);
}
