/** A run to take along: its endpoints as CSV, made while they are sent; the whole of it as one HTML file. */
import { csvHead, csvLine } from '../../domain/figures/endpoint-csv.ts';
import { renderReport } from '../../domain/report/report.ts';
import type { Tx } from '../../store/db.ts';
import type { Handler } from '../request/perform.ts';
import { everyEndpoint, listTestRunEndpoints, theseEndpoints } from './endpoints.ts';
import { getTestRun, knownRun } from './runs.ts';
import { getTestRunConfiguration, getTestRunTimeline } from './timeline.ts';

/** Of a page. */
const ROWS = 500;
const WORST = 50;

async function* endpointLines(tx: Tx, runId: string): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHead());
  for await (const endpoints of everyEndpoint(tx, runId, ROWS)) yield Buffer.from(endpoints.map(csvLine).join(''));
}

export const exportTestRunEndpoints: Handler<'exportTestRunEndpoints'> = async (context, input) => {
  const { db } = context.ports.database;
  await knownRun(db, input);
  return { fileName: `run-${input.testRunId}-endpoints.csv`, bytes: endpointLines(db, input.testRunId) };
};

export const exportTestRunReport: Handler<'exportTestRunReport'> = async (context, input) => {
  const run = await getTestRun(context, input);
  const timeline = await getTestRunTimeline(context, input);
  const { probe } = await getTestRunConfiguration(context, input);
  const { rows: worst } = await listTestRunEndpoints(context, { ...input, page: 1, per_page: WORST, order: 'worst' });
  const known = new Set(worst.map((e) => e.id));
  const examples = [...new Set(run.findings.flatMap((f) => f.exampleEndpointIds))].filter((id) => !known.has(id));
  const endpoints = [...worst, ...(await theseEndpoints(context.ports.database.db, run.id, examples))];
  const report = renderReport({ run, probe, timeline, endpoints, madeAt: context.ports.now() });
  return {
    fileName: `run-${input.testRunId}.html`,
    bytes: (async function* () {
      yield Buffer.from(report);
    })(),
  };
};
