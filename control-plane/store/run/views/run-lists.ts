/** The runs of a project in pages, with filters, and one of them. */
import { sql } from 'kysely';
import type { VERDICTS } from '../../../contract/run/measured-words.ts';
import type { Labels, RunOverrides } from '../../../contract/run/start.ts';
import type { RunStatus } from '../../../contract/run-status.ts';
import type { Tx } from '../../db.ts';
import { inOrder, orderOf, type Slice, type SortOf, sliced } from '../../list-order.ts';
import { runResult } from './run-results.ts';

/** The columns of run `r` in a statement. */
export const RUN_COLUMNS = [
  'r.id',
  'r.status',
  'r.error',
  'r.priority',
  'r.test_id as testId',
  'r.test_name as testName',
  'r.endpoints',
  'r.submitted_at as submittedAt',
  'r.started_at as startedAt',
  'r.ended_at as endedAt',
  sql<Labels>`r.labels`.as('labels'),
  sql<RunOverrides | null>`r.overrides`.as('overrides'),
  'r.probe_id as probeId',
  'r.is_baseline as isBaseline',
  runResult.as('result'),
] as const;

export type RunQuery = {
  readonly testId?: string | undefined;
  readonly probeId?: string | undefined;
  readonly isProbeRun?: boolean | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  readonly verdicts?: readonly (typeof VERDICTS)[number][] | undefined;
  /** Null: not judged. */
  readonly passed?: boolean | null | undefined;
  /** Each label is a name, or `name=value`; a run must have all of them. */
  readonly labels?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

const namedValue = (label: string): [name: string, value: string | null] => {
  const at = label.indexOf('=');
  return at < 0 ? [label, null] : [label.slice(0, at), label.slice(at + 1)];
};

/** The selected runs as row `r` of a statement. */
const some = (tx: Tx, projectId: string, q: RunQuery) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .$if(q.testId !== undefined, (s) => s.where('r.test_id', '=', q.testId as string))
    // Executions have the probe's id in place of a test's, and that column has an index.
    .$if(q.probeId !== undefined, (s) =>
      s.where('r.test_id', '=', q.probeId as string).where('r.probe_id', 'is not', null),
    )
    .$if(q.isProbeRun !== undefined, (s) => s.where('r.probe_id', q.isProbeRun ? 'is not' : 'is', null))
    .$if(q.statuses !== undefined, (s) => s.where('r.status', 'in', q.statuses ?? []))
    .$if(q.verdicts !== undefined, (s) => s.where('r.verdict', 'in', q.verdicts ?? []))
    .$if(q.passed === null, (s) => s.where('r.passed', 'is', null))
    .$if(typeof q.passed === 'boolean', (s) => s.where('r.passed', '=', q.passed as boolean))
    .$if(q.from !== undefined, (s) => s.where('r.submitted_at', '>=', q.from as Date))
    .$if(q.to !== undefined, (s) => s.where('r.submitted_at', '<', q.to as Date))
    .$if(q.labels !== undefined, (s) =>
      (q.labels ?? [])
        .map(namedValue)
        .reduce(
          (all, [name, value]) =>
            all.where(
              value === null
                ? sql<boolean>`r.labels ? ${name}`
                : sql<boolean>`r.labels @> ${JSON.stringify({ [name]: value })}::jsonb`,
            ),
          s,
        ),
    );

const SORTED_BY = {
  submittedAt: ['r.submitted_at', 'instant'],
  endpoints: ['r.endpoints', 'number'],
  testName: ['r.test_name', 'text'],
} as const;

/** Rows are wide: the page is found in the index, and only then read. */
export const listRuns = (tx: Tx, projectId: string, query: RunQuery, sort: SortOf<typeof SORTED_BY>, w: Slice) => {
  const order = orderOf(SORTED_BY, sort, ['r.id', 'id']);
  const keys = sliced(some(tx, projectId, query).select('r.id'), order, w);
  const shown = tx
    .selectFrom('test_runs as r')
    .innerJoin(keys.as('k'), 'k.id', 'r.id')
    .select([...RUN_COLUMNS])
    .select('k.place');
  return inOrder(shown, order, w).execute();
};

/** The runs of a project are counted as they are inserted and deleted. */
export const countRuns = async (tx: Tx, projectId: string, query: RunQuery): Promise<number> =>
  Object.values(query).some((value) => value !== undefined)
    ? (await some(tx, projectId, query).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n
    : ((await tx.selectFrom('test_run_totals').where('project_id', '=', projectId).select('runs').executeTakeFirst())
        ?.runs ?? 0);

export const findRun = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', id)
    .select([...RUN_COLUMNS])
    .executeTakeFirst();
