/** `carillon download RUN`: saves a file of a run as the API provides it. */
import { writeFile } from 'node:fs/promises';
import { EXIT, type ExitCode, usage } from '../../../cli/exit-codes.ts';
import type { Io } from '../../../cli/io.ts';
import type { Api } from '../../../cli/session/api.ts';
import { findRun } from '../../../cli/session/runs.ts';

const RUN_FILES = {
  html: { operation: 'exportTestRunReport', name: 'html' },
  csv: { operation: 'exportTestRunEndpoints', name: 'csv' },
  pcapng: { operation: 'exportTestRunTrace', name: 'pcapng' },
} as const;
type RunFile = keyof typeof RUN_FILES;

export type DownloadOptions = { readonly format: RunFile; readonly output?: string };

/** Writes to a file named after the run, or to standard output if the name is -. */
export async function downloadCommand(
  io: Io,
  api: Api,
  reference: string,
  { format, output }: DownloadOptions,
): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const { id: testRunId } = await findRun(api, reference);
  const { operation, name } = RUN_FILES[format];
  const bytes = await api.call(operation, { projectId, testRunId });
  if (output === '-') {
    process.stdout.write(bytes);
    return EXIT.GOOD;
  }
  const file = output ?? `${testRunId}.${name}`;
  await writeFile(file, bytes).catch((error: Error) => {
    throw usage(`${file} cannot be written: ${error.message}`);
  });
  io.out.write(`${file}: ${bytes.length} bytes\n`);
  return EXIT.GOOD;
}
