/** The list of runs: by filter, in an order, by page or onwards from a cursor. */
import type { Input } from '../../contract/catalogue.ts';
import { countRuns, listRuns, type RunQuery } from '../../store/run/views/run-lists.ts';
import { listed } from '../request/listed.ts';
import { requireNamed } from '../request/named.ts';
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

export const listTestRuns: Handler<'listTestRuns'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort } = input;
  const query = queryOf(input);
  await requireNamed(db, projectId, { test: query.testId, probe: query.probeId });
  const total = await countRuns(db, projectId, query);
  const found = await listed(input, total, (w) => listRuns(db, projectId, query, sort, w));
  return { ...found, rows: found.rows.map(runView) };
};
