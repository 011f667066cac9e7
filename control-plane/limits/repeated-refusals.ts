/**
 * Guesses beyond a limit are answered from memory for a second: a flood of them must not cost database statements, for
 * which all others would wait. They are counted here, and written as one. In memory, per replica.
 */
import type { ApiError } from '../contract/errors.ts';
import type { Ports } from '../ports.ts';
import { LIMITS } from './limits.ts';

const { max: MAX_GUESSERS, withinMs: KEPT_MS } = LIMITS.repeatedGuesses;

type KeptRefusal = { readonly refusal: ApiError; readonly atMs: number; count: number };

const memories = new WeakMap<Ports['database'], Map<string, KeptRefusal>>();

function memoryOf(database: Ports['database']): Map<string, KeptRefusal> {
  const memory = memories.get(database) ?? new Map<string, KeptRefusal>();
  memories.set(database, memory);
  return memory;
}

/** The latest refusal of the same guesser; null: none, and this guess must be checked. */
export function repeatedRefusal({ database, now }: Ports, guesser: string): ApiError | null {
  const kept = memoryOf(database).get(guesser);
  if (!kept || now().getTime() - kept.atMs >= KEPT_MS) return null;
  kept.count++;
  return kept.refusal;
}

/** @param write gets the number of guesses that were answered from memory, if any */
export function keepRefusal(
  { database, now }: Ports,
  guesser: string,
  refusal: ApiError,
  write: (count: number) => void,
): void {
  const memory = memoryOf(database);
  if (memory.size >= MAX_GUESSERS || memory.has(guesser)) return;
  const kept = { refusal, atMs: now().getTime(), count: 0 };
  memory.set(guesser, kept);
  setTimeout(() => {
    if (memory.get(guesser) === kept) memory.delete(guesser);
    if (kept.count > 0) write(kept.count);
  }, KEPT_MS).unref();
}

/** An operator has removed the limits of a user. */
export const forgetRefusals = ({ database }: Pick<Ports, 'database'>): void => memoryOf(database).clear();
