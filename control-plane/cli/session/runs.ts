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
