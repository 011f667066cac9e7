/** The results of a canary, as a table. Pure. */
import type { RunTable } from '../../../cli/options.ts';
import type { RunOfTest } from '../../../cli/run/limits.ts';
import { figure, NONE } from '../../../cli/text/figures.ts';

type Phase = NonNullable<RunOfTest['canary']>['idle'];

/** Null: the run has no canary, as in answers of older servers. */
export const canaryTable = ({ canary }: Pick<RunOfTest, 'canary'>): RunTable | null =>
  canary
    ? {
        title: ['canary', canary.probeName],
        columns: ['judged', 'failed', 'set-up median', 'least', 'most', 'MOS median'],
        rows: [
          ['before the load', cellsOf(canary.idle)],
          ['during the load', cellsOf(canary.loaded)],
        ],
        sentences: canary.sentences,
      }
    : null;

const cellsOf = ({ good, failed, setUpMs: s, mos }: Phase): string[] => [
  `${good + failed}`,
  `${failed}`,
  ...[s.median, s.min, s.max].map((value) => (value === null ? NONE : `${figure(value, 1, s.count)} ms`)),
  mos.median === null ? NONE : figure(mos.median, 2, mos.count),
];

/** True: executions are in progress. The last one may end after the load. */
export const isCanaryOpen = ({ canary }: Pick<RunOfTest, 'canary'>): boolean =>
  canary?.executions.some(({ result }) => result === null) ?? false;
