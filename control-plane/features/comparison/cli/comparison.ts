/** A run compared with its baseline: as limits of a judgement, and as a table. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT, type ExitCode } from '../../../cli/exit-codes.ts';
import { type Io, type Paint, painter, widthOf } from '../../../cli/io.ts';
import type { RunJudge, RunRef } from '../../../cli/options.ts';
import type { FeatureChecks } from '../../../cli/run/judgement.ts';
import type { Api } from '../../../cli/session/api.ts';
import { findRun } from '../../../cli/session/runs.ts';
import { measured, NONE } from '../../../cli/text/figures.ts';
import { table, wrapped } from '../../../cli/text/table.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { findBaseline } from './baseline.ts';

type Comparison = Output<'compareTestRuns'>;
type Figure = Comparison['figures'][number];

/** The checks against the baseline. Figures that could not be tested are named, but pass: a short run has too few values. */
export function baselineChecks({ baseline, figures, verdict, sentence, warnings }: Comparison): FeatureChecks {
  if (verdict === 'NOT_COMPARABLE') return { checks: [], warnings: [`Not compared with its baseline: ${sentence}`] };
  const tested = figures.filter((one) => one.verdict !== 'TOO_LITTLE_DATA');
  const untested = figures.filter((one) => one.verdict === 'TOO_LITTLE_DATA').map(({ displayName }) => displayName);
  return {
    checks: tested.map((one) => ({
      by: 'BASELINE',
      name: `${one.displayName} against ${baseline.testRunId}`,
      limit: `${one.higherIsBetter ? '>=' : '<='} about ${measured(one.baseline.value, '')}`,
      measured: one.run.value,
      unit: one.unit,
      count: one.run.count,
      passed: one.verdict !== 'WORSE',
    })),
    warnings: [
      ...warnings,
      ...(untested.length > 0 ? [`Too little data to compare with the baseline: ${untested.join(', ')}.`] : []),
    ],
  };
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
const differenceOf = ({ by, unit, interval }: Figure): [string, string] => {
  const sign = unit === '%' ? 'points' : '%';
  return [
    by === null ? NONE : `${signed(by)} ${sign}`,
    interval === null ? NONE : `${signed(interval.from)} to ${signed(interval.to)}`,
  ];
};

const TONES = { BETTER: 'green', WORSE: 'red', NO_DIFFERENCE: 'dim', TOO_LITTLE_DATA: 'dim' } as const;

export function comparisonLines(
  { baseline, run, figures, verdict, sentence, warnings }: Comparison,
  width: number,
  paint: Paint,
): string[] {
  const titles = ['baseline', 'run', 'difference', '95 % interval', 'p'];
  const columns = [{ title: 'figure' }, ...titles.map((title) => ({ title, align: 'right' as const })), { title: '' }];
  const rows = figures.map((one) => [
    one.displayName,
    ...[one.baseline, one.run].map(({ value }) => (value === null ? NONE : measured(value, one.unit))),
    ...differenceOf(one),
    one.p === null ? NONE : one.p < 0.001 ? '<0.001' : one.p.toFixed(3),
    one.verdict,
  ]);
  const tone = verdict === 'NOT_COMPARABLE' ? 'red' : TONES[verdict];
  return [
    paint('dim', `baseline ${baseline.testRunId}, run ${run.testRunId}`),
    ...(rows.length > 0 ? table(columns, rows, width, paint) : []),
    '',
    ...wrapped(`${verdict}: ${plain(sentence)}`, width).map((line) => paint(tone, line)),
    ...warnings.flatMap((one) => wrapped(plain(one), width).map((line) => paint('yellow', line))),
  ];
}

/** The judge of a run whose baseline is found now. @throws Stop if there is none */
export async function judgeAgainst(api: Api, testId: string, reference: string): Promise<RunJudge> {
  const { id } = await findBaseline(api, reference, testId);
  return async (ref) => baselineChecks(await api.call('compareTestRuns', { ...ref, baseline_run_id: id }));
}

/** A repeated run against the earlier one. */
export async function compareReplay(
  api: Api,
  ref: RunRef,
  earlierRunId: string,
  { width, paint }: { readonly width: number; readonly paint: Paint },
) {
  const comparison = await api.call('compareTestRuns', { ...ref, baseline_run_id: earlierRunId });
  return { lines: comparisonLines(comparison, width, paint), isWorse: comparison.verdict === 'WORSE' };
}

/** Runs `carillon compare RUN [BASELINE]`. */
export async function compareCommand(
  io: Io,
  api: Api,
  reference: string,
  against: string,
  json: boolean,
): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const run = await findRun(api, reference);
  const baseline = await findBaseline(api, against, run.testId, run);
  const comparison = await api.call('compareTestRuns', {
    projectId,
    testRunId: run.id,
    baseline_run_id: baseline.id,
  });
  if (json) io.out.write(`${JSON.stringify(comparison, null, 2)}\n`);
  else io.out.write(`${comparisonLines(comparison, widthOf(io.out), painter(io.out, io.env)).join('\n')}\n`);
  if (comparison.verdict === 'NOT_COMPARABLE') return EXIT.NOT_VALID;
  return comparison.verdict === 'WORSE' ? EXIT.THRESHOLD_CROSSED : EXIT.GOOD;
}
