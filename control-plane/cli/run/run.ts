/** `carillon run TEST`: starts a run, waits for it, judges it, reports it. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { FEATURE_RUN_HOOKS } from '../../feature-sums/commands.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import type { JsonOption, RunFiles, RunJudge, RunRef, StartPart } from '../options.ts';
import { type Api, findTest, once } from '../session/api.ts';
import { tellVersions } from '../session/versions.ts';
import { wrapped } from '../text/table.ts';
import { radiusLine } from './blast-radius.ts';
import { follow } from './follow.ts';
import { type FeatureChecks, judge } from './judgement.ts';
import { parseLimit, type RunLimit } from './limits.ts';
import { LivePicture } from './live.ts';
import { type StartOptions, startInput } from './start-options.ts';
import { judgementOf, summaryOf, tablesOf } from './summary.ts';

export type RunOptions = JsonOption &
  StartOptions & {
    readonly wait?: boolean | undefined;
    readonly threshold: readonly string[];
  };

/** True: an option needs facts about the run that are known only when it has ended. */
const mustWait = (o: RunOptions, { judges, files }: Pick<Consequences, 'judges' | 'files'>): boolean =>
  o.wait === true || o.json === true || o.threshold.length + judges.length + files.length > 0;

/** What follows the end of a run. */
type Consequences = {
  readonly limits: readonly RunLimit[];
  readonly judges: readonly RunJudge[];
  readonly files: readonly RunFiles[];
};

/** Errors that can be detected early are reported before calls are placed. */
export async function prepare(options: RunOptions) {
  const limits = options.threshold.map(parseLimit);
  const start = startInput(options);
  return { limits, start, files: await filesOf(options) };
}

/** @throws Stop if a file cannot be written */
export async function filesOf(options: RunOptions): Promise<RunFiles[]> {
  const found: RunFiles[] = [];
  for (const { files } of FEATURE_RUN_HOOKS) {
    const one = await files?.(options);
    if (one) found.push(one);
  }
  return found;
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

export async function runCommand(io: Io, api: Api, reference: string, options: RunOptions): Promise<ExitCode> {
  const prepared = await prepare(options);
  tellVersions(io, (await api.call('getWhoami', {})).version);
  return runPrepared(io, api, reference, options, prepared);
}

export async function runPrepared(
  io: Io,
  api: Api,
  reference: string,
  options: RunOptions,
  { limits, start, files }: Prepared,
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
  if (!mustWait(options, { judges, files })) {
    out.write(`Run ${ref.testRunId} is started.\n`);
    return EXIT.GOOD;
  }
  return finish(io, api, ref, { limits, judges, files }, options);
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
  { limits, judges, files }: Consequences,
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
  const lines = [...summaryOf(run, api.url, widthOf(out), paint), ...judgementOf(judgement, widthOf(out), paint)];
  out.write(`${lines.join('\n')}\n`);
  const url = `${api.url}/projects/${ref.projectId}/runs/${ref.testRunId}`;
  if (options.json) {
    const { code, sentence, checks, warnings } = judgement;
    io.out.write(`${JSON.stringify({ exitCode: code, sentence, checks, warnings, url, run }, null, 2)}\n`);
  }
  // The result is printed even if the files cannot be written.
  for (const write of files) await write(api, ref, { run, judgement, url, tables: tablesOf(run) });
  return judgement.code;
}
