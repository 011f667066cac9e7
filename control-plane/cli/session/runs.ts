/** Runs as the command line names them: by id, by the beginning or the end of the id, or as the last. */
import type { CallInput } from '../../contract/call.ts';
import type { Output } from '../../contract/catalogue.ts';
import { usage } from '../exit-codes.ts';
import type { Api } from './api.ts';

export type RunRow = Output<'listTestRuns'>;
export type RunFilters = Omit<CallInput<'listTestRuns'>, 'projectId' | 'page' | 'per_page' | 'cursor'>;

const PAGE = 100;

/** The first runs that `isMeant` accepts, in the order of the list. */
export async function lastRuns(
  api: Api,
  limit: number,
  isMeant: (run: RunRow) => boolean,
  filters: RunFilters = {},
): Promise<RunRow[]> {
  const { id: projectId } = await api.project();
  const found: RunRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { rows, nextCursor } = await api.call('listTestRuns', {
      ...filters,
      projectId,
      per_page: Math.min(PAGE, limit),
      ...(cursor !== undefined && { cursor }),
    });
    for (const run of rows) {
      if (isMeant(run)) found.push(run);
      if (found.length >= limit) return found;
    }
    cursor = nextCursor ?? null;
  }
  return found;
}

/** Finds a run by its id, by the beginning or the end of the id, or as `last`. */
export async function findRun(api: Api, reference: string): Promise<RunRow> {
  const { id: projectId } = await api.project();
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(reference)) return api.call('getTestRun', { projectId, testRunId: reference });
  const [found, other] = await lastRuns(
    api,
    reference === 'last' ? 1 : 2,
    (run) => reference === 'last' || run.id.startsWith(reference) || run.id.endsWith(reference),
  );
  if (found === undefined)
    throw usage(reference === 'last' ? 'The project has no run yet.' : `There is no run ${JSON.stringify(reference)}.`);
  if (other !== undefined)
    throw usage(`More than one run is called ${JSON.stringify(reference)}: write more of its id.`);
  return found;
}

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
