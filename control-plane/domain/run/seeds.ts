/** The random values of a run. Pure. */
import type { TestConfig } from '../../contract/test-settings/test.ts';

export function seedsOf({ load, groups }: TestConfig): { of: string; seed: number }[] {
  return [
    ...('seed' in load ? [{ of: 'load', seed: load.seed }] : []),
    ...groups.flatMap(({ name, impairment }) =>
      impairment ? [{ of: `impairment of ${name}`, seed: impairment.seed }] : [],
    ),
  ];
}
