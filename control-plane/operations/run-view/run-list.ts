/** The list of runs: by filter, in an order, by page or onwards from a cursor. */
import { validate as isUuid } from 'uuid';
import type { Input } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { readCursor, writeCursor } from '../../domain/cursor.ts';
import { windowOf } from '../../store/pages.ts';
import { countRuns, listRuns, type RunOrder, type RunQuery } from '../../store/run/run-lists.ts';
import type { Handler } from '../request/perform.ts';
import { runView } from './runs.ts';

const PASSED = { true: true, false: false, none: null } as const;

const queryOf = (input: Input<'listTestRuns'>): RunQuery => ({
  testId: input.test_id,
  probeId: input.probe_id,
  isProbeRun: input.is_probe_run,
  statuses: input.status,
  verdicts: input.verdict,
  passed: input.passed && PASSED[input.passed],
  labels: input.label,
  from: input.from === undefined ? undefined : new Date(input.from),
  to: input.to === undefined ? undefined : new Date(input.to),
});

const orderOf = (sort: string): RunOrder => ({
  by: sort.replace('-', '') as RunOrder['by'],
  direction: sort.startsWith('-') ? 'desc' : 'asc',
});

/** @throws ApiError VALIDATION_ERROR */
function placeOf({ cursor, sort, page }: Input<'listTestRuns'>) {
  if (cursor === undefined) return null;
  const place = readCursor(cursor);
  const refuse = (message: string) =>
    new ApiError('VALIDATION_ERROR', `cursor: ${message}`, [{ path: 'cursor', message }]);
  if (place === null) throw refuse('must be meta.nextCursor of an earlier page');
  if (place.order !== sort) throw refuse(`is of the order ${place.order}: go on in that, or begin again without it`);
  if (page !== 1) throw refuse('goes without page');
  const isInstant = orderOf(sort).by === 'submittedAt';
  const key = isInstant ? new Date(place.key) : place.key;
  if (
    (key instanceof Date && Number.isNaN(key.getTime())) ||
    (typeof key === 'number') !== (orderOf(sort).by === 'endpoints')
  )
    throw refuse('must be meta.nextCursor of an earlier page');
  return { ...place, key };
}

export const listTestRuns: Handler<'listTestRuns'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, per_page, sort } = input;
  const place = placeOf(input);
  const isNothing = [input.test_id, input.probe_id].some((id) => id !== undefined && !isUuid(id));
  if (isNothing) return { rows: [], total: 0, nextCursor: null };
  const [query, order] = [queryOf(input), orderOf(sort)];
  const total = await countRuns(db, projectId, query);
  const page = place?.page ?? input.page;
  // After a cursor one more than is shown: whether anything follows.
  const window = place ? { offset: 0, limit: per_page + 1, backwards: false } : windowOf(total, input);
  const found = await listRuns(db, projectId, query, order, window, place);
  const shown = found.slice(0, per_page);
  const last = shown.at(-1);
  const isMore = place ? found.length > per_page : page * per_page < total;
  return {
    rows: shown.map(runView),
    total,
    page,
    nextCursor:
      last && isMore ? writeCursor({ order: sort, key: keyOf(last, order), id: last.id, page: page + 1 }) : null,
  };
};

const keyOf = (run: { submittedAt: Date; endpoints: number; testName: string }, { by }: RunOrder): string | number =>
  by === 'submittedAt' ? run.submittedAt.toISOString() : run[by];
