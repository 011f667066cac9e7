/** The files of a run that the command line starts: for pipelines and people. */
import { constants, open, rm, stat, writeFile } from 'node:fs/promises';
import { usage } from '../../../cli/exit-codes.ts';
import type { RunOutcome, RunRef } from '../../../cli/options.ts';
import type { Api } from '../../../cli/session/api.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';

export type ReportOptions = {
  readonly junit?: string | undefined;
  readonly markdown?: string | undefined;
  readonly html?: string | undefined;
};

const NEW = constants.O_CREAT | constants.O_EXCL;
const FILES = ['junit', 'markdown', 'html'] as const;

/** The files are tried before anything is started: a run must not be lost because a folder is missing. */
export async function reportsCanBeWritten(options: ReportOptions): Promise<void> {
  for (const kind of FILES) {
    const file = options[kind];
    if (file === undefined) continue;
    await tryToOpen(file).catch((error: Error) => {
      throw usage(`--${kind} ${file} cannot be written: ${error.message}`);
    });
  }
}

/** Changes nothing: an existing file keeps its content, and a new one is removed again. */
async function tryToOpen(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  // Opening a pipe may end its reader.
  if (found?.isFIFO()) return;
  const isNew = found === null;
  const handle = await open(file, constants.O_WRONLY | constants.O_NONBLOCK | (isNew ? NEW : 0));
  await handle.close();
  if (isNew) await rm(file);
}

/** Writes all files that can be written. @throws Stop with those that cannot */
export async function writeReports(api: Api, ref: RunRef, outcome: RunOutcome, options: ReportOptions): Promise<void> {
  const texts = {
    junit: () => junitOf(outcome),
    markdown: () => markdownOf(outcome),
    html: () => api.call('exportTestRunReport', ref),
  };
  const faults: string[] = [];
  for (const kind of FILES) {
    const file = options[kind];
    if (file === undefined) continue;
    const text = await texts[kind]();
    await writeFile(file, text).catch((error: Error) => {
      faults.push(`--${kind} ${file} cannot be written: ${error.message}`);
    });
  }
  if (faults.length > 0) throw usage(faults.join('\n'));
}
