/** Searches for the greatest load that holds; each attempt is reported to its observer. */
import { best, faultsOf, isSpent, nextLoad, type StepNoise, type TriedLoad } from './steps.ts';

const MAX_TIMES = 2;

export type Loads = { readonly unit: string; readonly first: number; readonly most: number };

/** `measure` rejects if a load cannot be reached: exhausted ports and files limit the host like anything else. */
export async function search(
  { unit, first, most }: Loads,
  measure: (load: number) => Promise<StepNoise>,
  say: (line: string) => void,
): Promise<number> {
  const tried: TriedLoad[] = [];
  for (let load = nextLoad(tried, first, most); load !== null; load = nextLoad(tried, first, most)) {
    let held = false;
    // A failed load is tried again: the host may have been busy, and a single bad moment must not determine the result.
    for (let time = 1, isOpen = true; isOpen && time <= MAX_TIMES; time++) {
      const noise = await measure(load).catch((error: Error) => error);
      const reasons = noise instanceof Error ? [noise.message] : faultsOf(noise);
      held = reasons.length === 0;
      isOpen = !held && !(noise instanceof Error) && !isSpent(noise);
      const again = time > 1 ? ' (again)' : '';
      say(`${String(load).padStart(6)} ${unit.padEnd(15)} ${held ? 'held' : reasons.join(', ')}${again}`);
    }
    tried.push({ load, held });
  }
  return best(tried);
}
