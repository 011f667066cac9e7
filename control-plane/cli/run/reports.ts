/** The outputs of a run: files for pipelines and people. */
import { access, constants, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usage } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Api } from '../session/api.ts';
import type { RunRef } from './follow.ts';
import type { RunJudgement } from './judgement.ts';
import { junitOf } from './junit.ts';
import type { RunOfTest } from './limits.ts';
import { markdownOf } from './markdown.ts';

export type ReportOptions = {
  readonly json?: boolean | undefined;
  readonly junit?: string | undefined;
  readonly markdown?: string | undefined;
  readonly html?: string | undefined;
};

const FILES = ['junit', 'markdown', 'html'] as const;

/** Before anything is started: a run is not to be lost for want of a folder. */
export async function reportsCanBeWritten(options: ReportOptions): Promise<void> {
  for (const kind of FILES) {
    const file = options[kind];
    if (file === undefined) continue;
    const isFolder = await stat(file).then(
      (s) => s.isDirectory(),
      () => false,
    );
    if (isFolder) throw usage(`--${kind} ${file} is a folder.`);
    await access(path.dirname(path.resolve(file)), constants.W_OK).catch((error: Error) => {
      throw usage(`--${kind} ${file} cannot be written: ${error.message}`);
    });
  }
}

export async function writeReports(
  io: Io,
  api: Api,
  ref: RunRef,
  run: RunOfTest,
  judgement: RunJudgement,
  options: ReportOptions,
): Promise<void> {
  const url = `${api.url}/projects/${ref.projectId}/runs/${ref.testRunId}`;
  if (options.junit !== undefined) await writeFile(options.junit, junitOf(run, judgement, url));
  if (options.markdown !== undefined) await writeFile(options.markdown, markdownOf(run, judgement, url));
  if (options.html !== undefined) await writeFile(options.html, await api.call('exportTestRunReport', ref));
  if (options.json) {
    const { code, sentence, checks, warnings } = judgement;
    io.out.write(`${JSON.stringify({ exitCode: code, sentence, checks, warnings, url, run }, null, 2)}\n`);
  }
}
