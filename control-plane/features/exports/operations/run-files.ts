/** A run as a file: its endpoints as CSV, generated while it is sent, or its report. */

import type { Handler } from '../../../operations/request/perform.ts';
import { everyEndpoint } from '../../../operations/run-view/calls.ts';
import { runReport } from '../../../operations/run-view/run-report.ts';
import { knownRun } from '../../../operations/run-view/runs.ts';
import type { Tx } from '../../../store/db.ts';
import { csvHead, csvLine } from '../domain/endpoint-csv.ts';

/** The rows of a page. */
const ROWS = 500;

async function* endpointLines(tx: Tx, run: Awaited<ReturnType<typeof knownRun>>): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead());
  for await (const endpoints of everyEndpoint(tx, run, ROWS)) yield Buffer.from(endpoints.map(csvLine).join(''));
}

export const exportTestRunEndpoints: Handler<'exportTestRunEndpoints'> = async (context, input) => {
  const { db } = context.ports.database;
  const run = await knownRun(db, input);
  return { fileName: `run-${run.id}-endpoints.csv`, bytes: endpointLines(db, run) };
};

export const exportTestRunReport: Handler<'exportTestRunReport'> = async (context, input) => {
  const report = await runReport(context, input);
  return {
    fileName: `run-${input.testRunId}.html`,
    bytes: (async function* () {
      yield Buffer.from(report);
    })(),
  };
};
