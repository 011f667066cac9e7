/** `carillon run TEST`: starts a run, waits for it, judges it, reports it. */
import { plain } from '@carillon/proto/plain-text.ts';
import { FEATURE_RUN_HOOKS } from '../../features.commands.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import type { RunJudge, RunRef, StartPart } from '../options.ts';
import { type Api, findTest, once } from '../session/api.ts';
import { wrapped } from '../text/table.ts';
import { radiusLine } from './blast-radius.ts';
import { follow } from './follow.ts';
import { type FeatureChecks, judge } from './judgement.ts';
import { parseLimit, type RunLimit } from './limits.ts';
import { LivePicture } from './live.ts';
import { type ReportOptions, reportsCanBeWritten, writeReports } from './reports.ts';
import { type StartOptions, startInput } from './start-options.ts';
import { judgementOf, summaryOf } from './summary.ts';

export type RunOptions = ReportOptions &
  StartOptions & {
    readonly wait?: boolean | undefined;
    readonly threshold: readonly string[];
  };

/** True: an option needs facts about the run that are known only when it has ended. */
const mustWait = (o: RunOptions, judges: readonly RunJudge[]): boolean =>
  o.wait === true ||
  o.threshold.length > 0 ||
  judges.length > 0 ||
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
  const judges = await judgesOf(api, test.id, options);
  const out = options.json ? io.err : io.out;
  const paint = painter(out, io.env);
  const radius = await radiusLine(api, { projectId, testId: test.id }, start.overrides);
  if (radius !== null) out.write(`${wrapped(plain(radius), widthOf(out)).join('\n')}\n`);
  let body: StartPart['body'] = start;
  for (const { startPart } of FEATURE_RUN_HOOKS) {
    const part = await startPart?.(api, options);
    if (!part) continue;
    out.write(`${part.line}\n`);
    body = { ...body, ...part.body };
  }
  const { testRunId } = await api.call('runTest', { projectId, testId: test.id, ...body }, once());
  const ref = { projectId, testRunId };
  out.write(
    `${paint('bold', plain(test.name))}\n${paint('dim', `${api.url}/projects/${projectId}/runs/${ref.testRunId}`)}\n`,
  );
  if (!mustWait(options, judges)) {
    out.write(`Run ${ref.testRunId} is started.\n`);
    return EXIT.GOOD;
  }
  return finish(io, api, ref, { limits, judges }, options);
}

/** Features find out before calls are placed whether they can judge the run. */
async function judgesOf(api: Api, testId: string, options: RunOptions): Promise<RunJudge[]> {
  const judges: RunJudge[] = [];
  for (const { beforeRun } of FEATURE_RUN_HOOKS) {
    const found = await beforeRun?.(api, testId, options);
    if (found) judges.push(found);
  }
  return judges;
}

/** Follows a run in progress, and returns the exit code. */
export async function finish(
  io: Io,
  api: Api,
  ref: RunRef,
  { limits, judges }: { readonly limits: readonly RunLimit[]; readonly judges: readonly RunJudge[] },
  options: RunOptions,
): Promise<ExitCode> {
  const out = options.json ? io.err : io.out;
  const picture = new LivePicture(out, io.env);
  const run = await follow(io, api, ref, picture);
  picture.end(false);
  const further: FeatureChecks[] = [];
  if (run.status === 'COMPLETED') for (const ask of judges) further.push(await ask(ref));
  const judgement = judge(run, limits, further);
  const paint = painter(out, io.env);
  const lines = [...summaryOf(run, widthOf(out), paint), ...judgementOf(judgement, widthOf(out), paint)];
  out.write(`${lines.join('\n')}\n`);
  // The result is printed even if the files cannot be written.
  await writeReports(io, api, ref, { run, judgement }, options);
  return judgement.code;
}
