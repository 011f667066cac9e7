/** The filters of runs: from the address to the API. Pure. */
import type { CallInput } from '../../../../contract/call.ts';
import { VERDICTS } from '../../../../contract/run/measured-words.ts';
import { LABEL_FILTER, MAX_LABELS } from '../../../../contract/run/words.ts';
import { RUN_STATUSES } from '../../../../contract/run-status.ts';
import { type PeriodSearch, pageOf, spanOf } from '../../basics/periods.ts';

/** The filters as they are in the address. `label` has one label a line. `of` selects runs of tests, or of probes. */
export type RunSearch = PeriodSearch & {
  readonly test?: string | undefined;
  readonly status?: string | undefined;
  readonly verdict?: string | undefined;
  readonly passed?: string | undefined;
  readonly label?: string | undefined;
  readonly of?: string | undefined;
  readonly page?: string | undefined;
};

export const OF_CHOICES = [
  { value: 'tests', label: 'Tests' },
  { value: 'probes', label: 'Probes' },
];
export const PASSED_CHOICES = [
  { value: 'true', label: 'Passed' },
  { value: 'false', label: 'Not passed' },
  { value: 'none', label: 'Not judged' },
] as const;

export const isLabel = (text: string): boolean => LABEL_FILTER.test(text);
export const labelsOf = ({ label }: RunSearch): string[] =>
  [...new Set((label ?? '').split('\n'))].filter(isLabel).slice(0, MAX_LABELS);
export const withLabel = (search: RunSearch, label: string): RunSearch => ({
  label: [...labelsOf(search), label].join('\n'),
});
export const withoutLabel = (search: RunSearch, label: string): RunSearch => ({
  label: labelsOf(search)
    .filter((l) => l !== label)
    .join('\n'),
});

const oneOf = <const T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

type RunsQuery = Pick<
  CallInput<'listTestRuns'>,
  'test_id' | 'status' | 'verdict' | 'passed' | 'label' | 'is_probe_run' | 'from' | 'to' | 'page'
>;

/** The query of an address. Invalid values are ignored, since addresses are typed by hand. */
export function runsQueryOf(search: RunSearch, nowMs: number): RunsQuery {
  const status = oneOf(RUN_STATUSES, search.status);
  const verdict = oneOf(VERDICTS, search.verdict);
  const passed = PASSED_CHOICES.find(({ value }) => value === search.passed)?.value;
  const of = OF_CHOICES.find(({ value }) => value === search.of)?.value;
  const labels = labelsOf(search);
  return {
    ...(search.test && { test_id: search.test.slice(0, 100) }),
    ...(status && { status: [status] }),
    ...(verdict && { verdict: [verdict] }),
    ...(passed && { passed }),
    ...(of && { is_probe_run: of === 'probes' }),
    ...(labels.length > 0 && { label: labels }),
    ...spanOf(search, nowMs),
    page: pageOf(search.page),
  };
}

export const isFiltered = (search: RunSearch, nowMs: number): boolean => {
  const { page: _, ...rest } = runsQueryOf(search, nowMs);
  return Object.keys(rest).length > 0;
};
