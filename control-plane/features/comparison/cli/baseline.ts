/** The baseline of a run, as the command line names it: a run, or the last good one of the test. */
import { usage } from '../../../cli/exit-codes.ts';
import type { Api } from '../../../cli/session/api.ts';
import { findRun, lastRuns, type RunFilters, type RunRow } from '../../../cli/session/runs.ts';

const LAST_GOOD = 'last-good';

/** True: no limit was crossed or, without limits, no call failed. The caller filters by completed and VALID. */
const isGood = ({ result }: RunRow): boolean =>
  result !== null && (result.passed ?? (result.failures === 0 && result.calls > 0));

/**
 * The run that a run of this test is compared with.
 * @throws Stop if no run is found, or if the run cannot be a baseline
 */
export async function findBaseline(api: Api, reference: string, testId: string, before?: RunRow): Promise<RunRow> {
  if (reference !== LAST_GOOD) {
    const run = await findRun(api, reference);
    if (run.status !== 'COMPLETED') throw usage(`Run ${run.id} is ${run.status}: a baseline is a run that completed.`);
    if (run.result?.verdict === 'VOID') throw usage(`Run ${run.id} is VOID: it cannot be the baseline.`);
    return run;
  }
  const filters: RunFilters = { test_id: testId, status: ['COMPLETED'], verdict: ['VALID'] };
  const isEarlier = (run: RunRow) => before === undefined || run.submittedAt < before.submittedAt;
  const [found] = await lastRuns(api, 1, (run) => isGood(run) && isEarlier(run), filters);
  if (found === undefined)
    throw usage('The test has no good run to compare with: one that completed, is VALID and crossed no limit.');
  return found;
}
