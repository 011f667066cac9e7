/** `carillon runs` and `carillon show RUN`. */
import { outcomeOf } from '../../contract/run-outcome.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { judge } from '../run/judgement.ts';
import { judgementOf, summaryOf } from '../run/summary.ts';
import { type Api, choose, everyRow, findTest } from '../session/api.ts';
import { findRun, lastRuns, type RunFilters, type RunRow } from '../session/runs.ts';
import { instant } from '../text/figures.ts';
import { table } from '../text/table.ts';

export type ListOptions = {
  readonly json?: boolean;
  readonly limit: number;
  readonly test?: string;
  readonly probe?: string;
  readonly tests?: boolean;
  readonly status: readonly string[];
  readonly verdict: readonly string[];
  readonly label: readonly string[];
  readonly passed?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: string;
};

/** The filters are not checked here: the API names those that it refuses. */
async function filtersOf(api: Api, o: ListOptions): Promise<RunFilters> {
  const { id: projectId } = await api.project();
  const probe =
    o.probe === undefined ? null : choose('probe', await everyRow(api.call, 'listProbes', { projectId }), o.probe);
  return {
    ...(o.test !== undefined && { test_id: (await findTest(api, o.test)).id }),
    ...(probe && { probe_id: probe.id }),
    ...(o.tests && { is_probe_run: false }),
    ...(o.status.length > 0 && { status: o.status.map((one) => one.toUpperCase()) }),
    ...(o.verdict.length > 0 && { verdict: o.verdict.map((one) => one.toUpperCase()) }),
    ...(o.label.length > 0 && { label: o.label }),
    ...(o.passed !== undefined && { passed: o.passed }),
    ...(o.from !== undefined && { from: o.from }),
    ...(o.to !== undefined && { to: o.to }),
    ...(o.sort !== undefined && { sort: o.sort }),
  } as RunFilters;
}

export async function runsCommand(io: Io, api: Api, options: ListOptions): Promise<ExitCode> {
  const { json, limit } = options;
  const rows = await lastRuns(api, limit, () => true, await filtersOf(api, options));
  if (json) io.out.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const paint = painter(io.out, io.env);
    const lines = table(
      [{ title: 'run' }, { title: 'test' }, { title: 'submitted (UTC)' }, { title: 'result' }],
      rows.map((row) => cells(row, widthOf(io.out) < WIDE)),
      widthOf(io.out),
      paint,
    );
    io.out.write(`${lines.join('\n')}\n`);
  }
  return EXIT.GOOD;
}

/** Narrow terminals show the end of an id, because the beginnings of ids are similar. */
const WIDE = 110;
const SHORT_ID = 8;

const cells = ({ id, testName, submittedAt, status, result }: RunRow, isNarrow: boolean): string[] => [
  isNarrow ? id.slice(-SHORT_ID) : id,
  testName,
  isNarrow ? instant(submittedAt).slice(5, 16) : instant(submittedAt),
  outcomeOf(status, result).sentence,
];

export async function showCommand(io: Io, api: Api, reference: string, json: boolean): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const run = await api.call('getTestRun', { projectId, testRunId: (await findRun(api, reference)).id });
  if (json) io.out.write(`${JSON.stringify(run, null, 2)}\n`);
  else {
    const [paint, width] = [painter(io.out, io.env), widthOf(io.out)];
    const judged = run.endedAt === null ? [] : judgementOf(judge(run, []), width, paint);
    io.out.write(`${[...summaryOf(run, api.url, width, paint), ...judged].join('\n')}\n`);
  }
  return EXIT.GOOD;
}
