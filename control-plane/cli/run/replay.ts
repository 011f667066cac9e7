/** `carillon replay RUN`: starts a run again with its original settings. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { FEATURE_RUN_HOOKS } from '../../feature-sums/commands.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, once } from '../session/api.ts';
import { findRun } from '../session/runs.ts';
import { parseLimit } from './limits.ts';
import { filesOf, finish, type RunOptions } from './run.ts';

export async function replayCommand(io: Io, api: Api, reference: string, options: RunOptions): Promise<ExitCode> {
  const limits = options.threshold.map(parseLimit);
  const files = await filesOf(options);
  const { id: projectId } = await api.project();
  const before = await findRun(api, reference);
  const { seeds, media } = await api.call('getTestRunConfiguration', { projectId, testRunId: before.id });
  const { testRunId } = await api.call('replayTestRun', { projectId, testRunId: before.id }, once());
  const out = options.json ? io.err : io.out;
  const [paint, width] = [painter(out, io.env), widthOf(out)];
  const address = `${api.url}/projects/${projectId}/runs/${testRunId}`;
  out.write(`${paint('bold', plain(before.testName))}, as run ${before.id}\n${paint('dim', address)}\n`);
  const lines = [
    ...seeds.map((s) => `seed ${s.seed}: ${s.of}`),
    ...media.map((m) => `plays ${m.name}: SHA-256 ${m.sha256}`),
  ];
  for (const line of lines) out.write(`${paint('dim', plain(line))}\n`);
  let code = await finish(io, api, { projectId, testRunId }, { limits, judges: [], files }, options);
  if ((code !== EXIT.GOOD && code !== EXIT.THRESHOLD_CROSSED) || before.status !== 'COMPLETED') return code;
  for (const { afterReplay } of FEATURE_RUN_HOOKS) {
    const found = await afterReplay?.(api, { projectId, testRunId }, before.id, { width, paint });
    if (!found) continue;
    out.write(`\n${found.lines.join('\n')}\n`);
    if (found.isWorse) code = EXIT.THRESHOLD_CROSSED;
  }
  return code;
}
