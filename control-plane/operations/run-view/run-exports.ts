/** Exports a run: its endpoints as CSV, generated while it is sent, or the complete run as one HTML file. */
import { csvHead, csvLine } from '../../domain/figures/endpoint-csv.ts';
import { renderReport } from '../../domain/report/report.ts';
import type { Tx } from '../../store/db.ts';
import type { Handler } from '../request/perform.ts';
import { everyEndpoint, listTestRunCalls, theseCalls } from './calls.ts';
import { listTestRunEndpoints } from './endpoints.ts';
import { getTestRun, knownRun } from './runs.ts';
import { getTestRunConfiguration, getTestRunTimeline } from './timeline.ts';

/** The rows of a page. */
const ROWS = 500;
const WORST = 50;

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
  const run = await getTestRun(context, input);
  const timeline = await getTestRunTimeline(context, input);
  const { probe } = await getTestRunConfiguration(context, input);
  const list = run.callAfterCall ? listTestRunCalls : listTestRunEndpoints;
  const { rows: worst } = await list(context, { ...input, page: 1, per_page: WORST, order: 'worst' });
  const known = new Set(worst.map((e) => e.id));
  const examples = [...new Set(run.findings.flatMap((f) => f.exampleEndpointIds))].filter((id) => !known.has(id));
  const { db } = context.ports.database;
  const endpoints = [...worst, ...(await theseCalls(db, await knownRun(db, input), examples))];
  const { hooks, now } = context.ports;
  const sections = hooks.flatMap(({ reportSection }) => reportSection?.(run) ?? []);
  const report = renderReport({ run, probe, timeline, endpoints, sections, madeAt: now() });
  return {
    fileName: `run-${input.testRunId}.html`,
    bytes: (async function* () {
      yield Buffer.from(report);
    })(),
  };
};
