/** The greatest load that holds, by trying; each try is reported to its observer. */
import { best, faultsOf, isSpent, nextLoad, type StepNoise, type TriedLoad } from './steps.ts';

const MOST_TIMES = 2;

export type Loads = { readonly unit: string; readonly first: number; readonly most: number };

/** `measure` rejects where a load cannot be reached: ports and files that run out are a limit of the host like any other. */
export async function search(
  { unit, first, most }: Loads,
  measure: (load: number) => Promise<StepNoise>,
  say: (line: string) => void,
): Promise<number> {
  const tried: TriedLoad[] = [];
  for (let load = nextLoad(tried, first, most); load !== null; load = nextLoad(tried, first, most)) {
    let held = false;
    // What does not hold is tried again: the host may have had other things to do, and a figure must not rest on one bad moment.
    for (let time = 1, isOpen = true; isOpen && time <= MOST_TIMES; time++) {
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
