/** The meaning of an ended run for a pipeline: an exit code and the reason. Pure. */
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { check, type LimitCheck, parseLimit, type RunLimit, type RunOfTest } from './limits.ts';

export type RunJudgement = {
  readonly code: ExitCode;
  readonly sentence: string;
  readonly checks: readonly LimitCheck[];
  readonly warnings: readonly string[];
};

/** The default limit if neither the test nor the command sets one: failed calls fail the pipeline. */
const DEFAULT = parseLimit('failures<=0');

/** What a feature found out about a run, including what it could not judge. */
export type FeatureChecks = { readonly checks: readonly LimitCheck[]; readonly warnings: readonly string[] };

export function judge(
  run: RunOfTest,
  thresholds: readonly RunLimit[],
  further: readonly FeatureChecks[] = [],
): RunJudgement {
  const ended = endedOtherwise(run);
  if (ended !== null) return { ...ended, checks: [], warnings: [] };
  const checks = [
    ...testsOwn(run),
    ...thresholds.map((one) => check(one, run, 'COMMAND')),
    ...further.flatMap((one) => one.checks),
  ];
  if (checks.length === 0) checks.push(check(DEFAULT, run, 'DEFAULT'));
  const warnings = [
    ...(run.validity?.verdict === 'SUSPECT' ? ['The verdict is SUSPECT: the figures may be inaccurate.'] : []),
    ...further.flatMap((one) => one.warnings),
  ];
  const crossed = checks.filter(({ passed }) => !passed);
  if (crossed.length > 0)
    return {
      code: EXIT.THRESHOLD_CROSSED,
      sentence: `${crossed.length} of ${checks.length} ${checks.length === 1 ? 'limit' : 'limits'} not kept: ${crossed.map(({ name }) => name).join(', ')}`,
      checks,
      warnings,
    };
  const kept = checks.length === 1 ? 'The limit is kept' : `All ${checks.length} limits are kept`;
  return { code: EXIT.GOOD, sentence: `${kept}.`, checks, warnings };
}

function endedOtherwise(run: RunOfTest): Pick<RunJudgement, 'code' | 'sentence'> | null {
  const why = run.error ? `${run.error.code}: ${run.error.message}` : 'no reason is given';
  switch (run.status) {
    case 'COMPLETED':
      break;
    case 'CANCELLED':
      return { code: EXIT.ABORTED, sentence: 'The run was cancelled.' };
    case 'CANNOT_RUN_FOR_NOW':
      return { code: EXIT.COULD_NOT_RUN, sentence: `The run could not start: ${why}` };
    default:
      if (run.error?.code === 'ABORTED')
        return { code: EXIT.THRESHOLD_CROSSED, sentence: `The run ended itself: ${run.error.message}` };
      return { code: EXIT.RUN_FAILED, sentence: `The run ended as ${run.status}: ${why}` };
  }
  if (run.validity?.verdict === 'VOID')
    return { code: EXIT.NOT_VALID, sentence: 'The run is VOID: its figures cannot be judged.' };
  const { totalCalls, registerRtt, optionsRtt } = run.callTiming;
  if (totalCalls + registerRtt.count + optionsRtt.count + run.progress.failures === 0)
    return { code: EXIT.NOT_VALID, sentence: 'The run placed no call: there is nothing to judge.' };
  return null;
}

const testsOwn = (run: RunOfTest): LimitCheck[] =>
  run.thresholds.map((t) => ({
    by: 'TEST',
    name: t.displayName,
    limit: `${t.higherIsBetter ? '>=' : '<='} ${t.orangeValue}`,
    measured: (t.count ?? 0) > 0 ? t.value : null,
    unit: t.unit,
    count: t.count ?? 0,
    passed: t.status === 'HEALTHY' || t.status === 'DEGRADED',
  }));
