/** What is random in a run. Pure. */
import type { TestConfig } from '../../contract/test/test.ts';

export function seedsOf({ load, groups }: TestConfig): { of: string; seed: number }[] {
  return [
    ...(load.shape === 'POISSON' ? [{ of: 'load', seed: load.seed }] : []),
    ...groups.flatMap(({ name, impairment }) =>
      impairment ? [{ of: `impairment of ${name}`, seed: impairment.seed }] : [],
    ),
  ];
}
