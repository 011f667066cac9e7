/** A run as one HTML document: what its page shows, for features that give it to people. */
import { renderReport } from '../../domain/report/report.ts';
import { brandOf } from '../request/brand.ts';
import type { Context } from '../request/perform.ts';
import { listTestRunCalls, theseCalls } from './calls.ts';
import { listTestRunEndpoints } from './endpoints.ts';
import { getTestRun, knownRun } from './runs.ts';
import { getTestRunConfiguration, getTestRunTimeline } from './timeline.ts';

/** Calls that ended alike are one line, so these are few lines. */
const WORST = 200;

/** @throws ApiError NOT_FOUND */
export async function runReport(
  context: Context,
  address: { readonly projectId: string; readonly testRunId: string },
): Promise<string> {
  const run = await getTestRun(context, address);
  const timeline = await getTestRunTimeline(context, address);
  const { probe } = await getTestRunConfiguration(context, address);
  const list = run.callAfterCall ? listTestRunCalls : listTestRunEndpoints;
  const { rows: worst } = await list(context, { ...address, page: 1, per_page: WORST, order: 'worst' });
  const known = new Set(worst.map((e) => e.id));
  const examples = [...new Set(run.findings.flatMap((f) => f.exampleEndpointIds))].filter((id) => !known.has(id));
  const { hooks, now, database } = context.ports;
  const endpoints = [...worst, ...(await theseCalls(database.db, await knownRun(database.db, address), examples))];
  const sections = hooks.flatMap(({ reportSection }) => reportSection?.(run) ?? []);
  const brand = await brandOf(context.ports, context.actor.organizationId);
  return renderReport({ run, probe, timeline, endpoints, sections, brand, madeAt: now() });
}
