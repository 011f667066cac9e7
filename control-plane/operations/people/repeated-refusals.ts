/**
 * Guesses beyond a limit, answered from memory for a second: a flood of them must not cost the database statements, which everybody
 * else waits for. They are counted here, and written as one. In memory, per replica.
 */
import type { ApiError } from '../../contract/errors.ts';
import type { Ports } from '../../ports.ts';

const KEPT_MS = 1000;
const MOST = 1000;

type KeptRefusal = { readonly refusal: ApiError; readonly atMs: number; count: number };

const memories = new WeakMap<Ports['database'], Map<string, KeptRefusal>>();

function memoryOf(database: Ports['database']): Map<string, KeptRefusal> {
  const memory = memories.get(database) ?? new Map<string, KeptRefusal>();
  memories.set(database, memory);
  return memory;
}

/** The refusal that the same guesser has just had; null: none, this guess has to be looked at. */
export function repeatedRefusal({ database, now }: Ports, guesser: string): ApiError | null {
  const kept = memoryOf(database).get(guesser);
  if (!kept || now().getTime() - kept.atMs >= KEPT_MS) return null;
  kept.count++;
  return kept.refusal;
}

/** @param write gets the number of guesses that were answered from here, if there were any */
export function keepRefusal(
  { database, now }: Ports,
  guesser: string,
  refusal: ApiError,
  write: (count: number) => void,
): void {
  const memory = memoryOf(database);
  if (memory.size >= MOST || memory.has(guesser)) return;
  const kept = { refusal, atMs: now().getTime(), count: 0 };
  memory.set(guesser, kept);
  setTimeout(() => {
    if (memory.get(guesser) === kept) memory.delete(guesser);
    if (kept.count > 0) write(kept.count);
  }, KEPT_MS).unref();
}

/** An operator has removed the limits of somebody. */
export const forgetRefusals = ({ database }: Pick<Ports, 'database'>): void => memoryOf(database).clear();
