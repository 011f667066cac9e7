/** Use of plans by project and month: counted when a run ends, read by people and as CSV. */
import type { Input, Output } from '../../../contract/catalogue.ts';
import { invalid } from '../../../contract/errors.ts';
import { minutes, usedSeconds } from '../../../domain/plans.ts';
import type { Context, Handler } from '../../../operations/request/perform.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { monthOf, monthsAfter, monthsBetween } from '../contract/months.ts';
import { MAX_MONTHS } from '../contract/usage.ts';
import { usageFile } from '../domain/usage-csv.ts';
import { addProjectUsage, endedRun, usageRows } from '../store/usage.ts';

/** The same seconds as the organization's plan counts. */
export async function countUsage(_ports: Ports, tx: Tx, runId: string): Promise<void> {
  const run = await endedRun(tx, runId);
  if (!run.startedAt || !run.endedAt) return;
  const seconds = usedSeconds(run.endpoints, run.startedAt, run.endedAt);
  await addProjectUsage(tx, run, monthOf(run.endedAt), seconds);
}

/** `organizationId` null: of all organizations. @throws ApiError VALIDATION_ERROR */
async function usage(
  { ports }: Context,
  input: Input<'getUsage'>,
  organizationId: string | null,
): Promise<Output<'getUsage'>> {
  const lastMonth = input.last_month ?? monthOf(ports.now());
  const firstMonth = input.first_month ?? monthsAfter(lastMonth, -11);
  const months = monthsBetween(firstMonth, lastMonth);
  if (months < 1) throw invalid([{ path: ['last_month'], message: 'is before first_month: nothing is between them' }]);
  if (months > MAX_MONTHS)
    throw invalid([{ path: ['first_month'], message: `may be at most ${MAX_MONTHS - 1} months before last_month` }]);
  const rows = await usageRows(ports.database.db, organizationId, { firstMonth, lastMonth });
  const view = ({ endpointSeconds, ...row }: (typeof rows)[number]) => ({
    ...row,
    endpointMinutes: minutes(endpointSeconds),
    endpointMinutesPerMonth: ports.settings.plans[row.plan].endpointMinutesPerMonth,
  });
  return { firstMonth, lastMonth, rows: rows.map(view) };
}

export const getUsage: Handler<'getUsage'> = (context, input) => usage(context, input, context.actor.organizationId);
export const getCustomersUsage: Handler<'getCustomersUsage'> = (context, input) => usage(context, input, null);

const fileOf = ({ firstMonth, lastMonth, rows }: Output<'getUsage'>) => ({
  fileName: `usage-${firstMonth}-${lastMonth}.csv`,
  bytes: (async function* () {
    yield Buffer.from(usageFile(rows));
  })(),
});
export const exportUsage: Handler<'exportUsage'> = async (context, input) => fileOf(await getUsage(context, input));
export const exportCustomersUsage: Handler<'exportCustomersUsage'> = async (context, input) =>
  fileOf(await getCustomersUsage(context, input));
