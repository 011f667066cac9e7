/** `carillon runs` and `carillon show RUN`. */
import type { Output } from '../../contract/catalogue.ts';
import { EXIT, type ExitCode, usage } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { judge } from '../run/judgement.ts';
import { judgementOf, summaryOf } from '../run/summary.ts';
import { type Api, findTest } from '../session/api.ts';
import { instant } from '../text/figures.ts';
import { table } from '../text/table.ts';

type RunRow = Output<'listTestRuns'>;

export type ListOptions = { readonly json?: boolean; readonly limit: number; readonly test?: string };

const PAGE = 100;

export async function runsCommand(io: Io, api: Api, { json, limit, test }: ListOptions): Promise<ExitCode> {
  const testId = test === undefined ? null : (await findTest(api, test)).id;
  const rows = await lastRuns(api, limit, (run) => testId === null || run.testId === testId);
  if (json) io.out.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const paint = painter(io.out, io.env);
    const lines = table(
      [
        { title: 'run' },
        { title: 'test' },
        { title: 'submitted (UTC)' },
        { title: 'status' },
        { title: 'calls', align: 'right' },
        { title: 'failed', align: 'right' },
        { title: 'verdict' },
        { title: 'passed' },
      ],
      rows.map((row) => cells(row, widthOf(io.out) < WIDE)),
      widthOf(io.out),
      paint,
    );
    io.out.write(`${lines.join('\n')}\n`);
  }
  return EXIT.GOOD;
}

/** Narrow terminals show the end of an id: the beginnings of ids are similar. */
const WIDE = 110;
const SHORT_ID = 8;

const cells = ({ id, testName, submittedAt, status, result }: RunRow, isNarrow: boolean): string[] => [
  isNarrow ? id.slice(-SHORT_ID) : id,
  testName,
  isNarrow ? instant(submittedAt).slice(5, 16) : instant(submittedAt),
  status,
  result ? `${result.calls}` : '-',
  result ? `${result.failures}` : '-',
  result?.verdict ?? '-',
  result?.passed === true ? 'yes' : result?.passed === false ? 'NO' : '-',
];

/** The last ones that are meant, latest first. */
export async function lastRuns(api: Api, limit: number, isMeant: (run: RunRow) => boolean): Promise<RunRow[]> {
  const { id: projectId } = await api.project();
  const found: RunRow[] = [];
  for (let page = 1; ; page++) {
    const { rows, pagination } = await api.call('listTestRuns', { projectId, page, per_page: Math.min(PAGE, limit) });
    for (const run of rows) {
      if (isMeant(run)) found.push(run);
      if (found.length >= limit) return found;
    }
    if (page >= pagination.totalPages) return found;
  }
}

/** By id, its beginning or end, or `last`. */
export async function findRun(api: Api, asked: string): Promise<RunRow> {
  const { id: projectId } = await api.project();
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(asked)) return api.call('getTestRun', { projectId, testRunId: asked });
  const [found, other] = await lastRuns(
    api,
    asked === 'last' ? 1 : 2,
    (run) => asked === 'last' || run.id.startsWith(asked) || run.id.endsWith(asked),
  );
  if (found === undefined)
    throw usage(asked === 'last' ? 'The project has no run yet.' : `There is no run ${JSON.stringify(asked)}.`);
  if (other !== undefined) throw usage(`More than one run is called ${JSON.stringify(asked)}: write more of its id.`);
  return found;
}

export async function showCommand(io: Io, api: Api, asked: string, json: boolean): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const run = await api.call('getTestRun', { projectId, testRunId: (await findRun(api, asked)).id });
  if (json) io.out.write(`${JSON.stringify(run, null, 2)}\n`);
  else {
    const [paint, width] = [painter(io.out, io.env), widthOf(io.out)];
    const judged = run.endedAt === null ? [] : judgementOf(judge(run, []), width, paint);
    io.out.write(`${[...summaryOf(run, width, paint), ...judged].join('\n')}\n`);
  }
  return EXIT.GOOD;
}
