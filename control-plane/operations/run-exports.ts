/** A run to take along: its endpoints as CSV, made while they are sent; the whole of it as one HTML file. */
import type { Output } from '../contract/catalogue.ts';
import { renderReport } from '../domain/report/report.ts';
import { listTestRunEndpoints } from './endpoints.ts';
import type { Context, Handler } from './perform.ts';
import { getTestRun, knownRun } from './runs.ts';
import { getTestRunConfiguration, getTestRunTimeline } from './timeline.ts';

type Endpoint = Output<'listTestRunEndpoints'>;
type Asked = { readonly projectId: string; readonly testRunId: string };

const ROWS = 100;
const WORST = 50;

const COLUMNS: readonly (readonly [string, (e: Endpoint) => string | number | null | undefined])[] = [
  ['id', (e) => e.id],
  ['endpointType', (e) => e.endpointType],
  ['outcome', (e) => e.outcome],
  ['phase', (e) => e.phase],
  ['calleeUri', (e) => e.calleeUri],
  ['worker', (e) => e.worker.name],
  ['registrar', (e) => e.registrar.name],
  ['failureCause', (e) => e.failure?.cause],
  ['failureParty', (e) => e.failure?.party],
  ['failureSipStatus', (e) => e.failure?.sipStatus],
  ['failureReason', (e) => e.failure?.reason],
  ['callResult', (e) => e.callTiming?.callResult],
  ['finalStatusCode', (e) => e.callTiming?.finalStatusCode],
  ['finalReasonPhrase', (e) => e.callTiming?.finalReasonPhrase],
  ['timeToTryingMs', (e) => e.callTiming?.timeToTryingMs],
  ['timeToRingingMs', (e) => e.callTiming?.timeToRingingMs],
  ['pddMs', (e) => e.callTiming?.pddMs],
  ['callSetupMs', (e) => e.callTiming?.callSetupMs],
  ['timeToFirstMediaMs', (e) => e.callTiming?.timeToFirstMediaMs],
  ['callDurationMs', (e) => e.callTiming?.callDurationMs],
  ['registerRttMs', (e) => e.callTiming?.registerRttMs],
];

/** A field of RFC 4180. What a spreadsheet would take for a formula is a stranger's text: a quote goes before it. */
function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

async function* endpointLines(context: Context, asked: Asked): AsyncGenerator<Buffer> {
  yield Buffer.from(line(COLUMNS.map(([name]) => name)));
  for (let page = 1; ; page++) {
    const { rows } = await listTestRunEndpoints(context, { ...asked, page, per_page: ROWS, order: 'number' });
    if (rows.length > 0) yield Buffer.from(rows.map((e) => line(COLUMNS.map(([, of]) => field(of(e))))).join(''));
    if (rows.length < ROWS) return;
  }
}

export const exportTestRunEndpoints: Handler<'exportTestRunEndpoints'> = async (context, input) => {
  await knownRun(context.ports.database.db, input);
  return { fileName: `run-${input.testRunId}-endpoints.csv`, bytes: endpointLines(context, input) };
};

export const exportTestRunReport: Handler<'exportTestRunReport'> = async (context, input) => {
  const run = await getTestRun(context, input);
  const timeline = await getTestRunTimeline(context, input);
  const { probe } = await getTestRunConfiguration(context, input);
  const { rows: worst } = await listTestRunEndpoints(context, { ...input, page: 1, per_page: WORST, order: 'worst' });
  const report = renderReport({ run, probe, timeline, worst, madeAt: context.ports.now() });
  return {
    fileName: `run-${input.testRunId}.html`,
    bytes: (async function* () {
      yield Buffer.from(report);
    })(),
  };
};
