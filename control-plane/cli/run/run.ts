/** `carillon run TEST`: starts a run, waits for it, judges it, reports it. */
import { plain } from '@carillon/proto/plain-text.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, findTest, once } from '../session/api.ts';
import { findBaseline } from '../session/runs.ts';
import { wrapped } from '../text/table.ts';
import { radiusLine } from './blast-radius.ts';
import { type CanaryOptions, canaryStart } from './canary.ts';
import { baselineChecks } from './comparison.ts';
import { follow, type RunRef } from './follow.ts';
import { judge } from './judgement.ts';
import { parseLimit, type RunLimit } from './limits.ts';
import { LivePicture } from './live.ts';
import { type ReportOptions, reportsCanBeWritten, writeReports } from './reports.ts';
import { type StartOptions, startInput } from './start-options.ts';
import { judgementOf, summaryOf } from './summary.ts';

export type RunOptions = ReportOptions &
  StartOptions &
  CanaryOptions & {
    readonly wait?: boolean | undefined;
    readonly threshold: readonly string[];
    readonly baseline?: string | undefined;
  };

/** True: an option needs facts about the run that are known only when it has ended. */
const mustWait = (o: RunOptions): boolean =>
  o.wait === true ||
  o.threshold.length > 0 ||
  o.baseline !== undefined ||
  [o.json, o.junit, o.markdown, o.html].some((said) => said !== undefined);

/** Errors that can be detected early are reported before calls are placed. */
export async function prepare(options: RunOptions) {
  const limits = options.threshold.map(parseLimit);
  const start = startInput(options);
  await reportsCanBeWritten(options);
  return { limits, start };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

export const runCommand = async (io: Io, api: Api, reference: string, options: RunOptions): Promise<ExitCode> =>
  runPrepared(io, api, reference, options, await prepare(options));

export async function runPrepared(
  io: Io,
  api: Api,
  reference: string,
  options: RunOptions,
  { limits, start }: Prepared,
): Promise<ExitCode> {
  const test = await findTest(api, reference);
  const { id: projectId } = await api.project();
  // The baseline is searched before calls are placed.
  const baseline = options.baseline === undefined ? null : await findBaseline(api, options.baseline, test.id);
  const out = options.json ? io.err : io.out;
  const paint = painter(out, io.env);
  const radius = await radiusLine(api, { projectId, testId: test.id }, start.overrides);
  if (radius !== null) out.write(`${wrapped(plain(radius), widthOf(out)).join('\n')}\n`);
  const canary = await canaryStart(api, options);
  if (canary !== undefined) out.write(`Canary: ${plain(canary.name)}, before the load and while it is on.\n`);
  const body = { ...start, ...(canary && { canary: canary.said }) };
  const { testRunId } = await api.call('runTest', { projectId, testId: test.id, ...body }, once());
  const ref = { projectId, testRunId };
  out.write(
    `${paint('bold', plain(test.name))}\n${paint('dim', `${api.url}/projects/${projectId}/runs/${ref.testRunId}`)}\n`,
  );
  if (!mustWait(options)) {
    out.write(`Run ${ref.testRunId} is started.\n`);
    return EXIT.GOOD;
  }
  return finish(io, api, ref, limits, { ...options, baselineId: baseline?.id });
}

/** Follows a run in progress, and returns the exit code. */
export async function finish(
  io: Io,
  api: Api,
  ref: RunRef,
  limits: readonly RunLimit[],
  { baselineId, ...options }: RunOptions & { readonly baselineId?: string | undefined },
): Promise<ExitCode> {
  const out = options.json ? io.err : io.out;
  const picture = new LivePicture(out, io.env);
  const run = await follow(io, api, ref, picture);
  picture.end(false);
  const comparison =
    baselineId === undefined || run.status !== 'COMPLETED'
      ? undefined
      : await api.call('compareTestRuns', { ...ref, baseline_run_id: baselineId });
  const judgement = judge(run, limits, comparison && baselineChecks(comparison));
  const paint = painter(out, io.env);
  const lines = [...summaryOf(run, widthOf(out), paint), ...judgementOf(judgement, widthOf(out), paint)];
  out.write(`${lines.join('\n')}\n`);
  // The result is printed even if the files cannot be written.
  await writeReports(io, api, ref, { run, judgement }, options);
  return judgement.code;
}
