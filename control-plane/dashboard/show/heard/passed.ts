/** Whether a run passed by the thresholds of its test, and why not. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import { number } from '../basics/figures.ts';
import { HEALTH, type Tone } from '../basics/tones.ts';

type Run = Pick<Output<'getTestRun'>, 'status' | 'passed' | 'thresholds' | 'validity'>;

const GATE = {
  true: ['good', 'Passed'],
  false: ['bad', 'Not passed'],
  null: ['none', 'Not judged'],
} as const;
const gateMark = (passed: boolean | null): readonly [Tone, string] => GATE[`${passed}`];

/** Null: the test has no thresholds. */
export function passedOf(run: Run): { tone: Tone; word: string; why: string | null } | null {
  if (run.thresholds.length === 0) return null;
  const [tone, word] = gateMark(run.passed);
  return { tone, word, why: run.passed === null ? notJudged(run) : run.passed ? null : notPassed(run) };
}

const notJudged = ({ status, validity }: Run): string =>
  status === 'COMPLETED' && validity?.verdict === 'VOID'
    ? 'the run is void, so its figures are not valid'
    : 'the run did not complete';

function notPassed({ thresholds }: Run): string {
  const named = (state: HealthState) => thresholds.filter((t) => t.status === state).map((t) => t.displayName);
  const [crossed, unmeasured] = [named('UNHEALTHY'), named('UNKNOWN')];
  return [
    ...(crossed.length > 0 ? [`beyond the limit: ${crossed.join(', ')}`] : []),
    ...(unmeasured.length > 0 ? [`not measured: ${unmeasured.join(', ')}`] : []),
  ].join('; ');
}

/** The result for one metric. `isJudged` is false if the whole run was not judged. */
export const thresholdMark = (status: HealthState, isJudged: boolean): readonly [Tone, string] =>
  status === 'UNKNOWN' ? ['none', isJudged ? 'Not measured' : 'Not judged'] : HEALTH[status];

const UNITLESS = /^(MOS|R|fraction)$/;
export const withUnit = (value: number, unit: string): string =>
  UNITLESS.test(unit) ? number(value, 3) : `${number(value, 3)} ${unit}`;

/** `≤ 1,000 ms` */
export const limitWords = (value: number, unit: string, higherIsBetter: boolean): string =>
  `${higherIsBetter ? '≥' : '≤'} ${withUnit(value, unit)}`;
