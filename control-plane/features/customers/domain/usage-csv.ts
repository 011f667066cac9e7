/** Use by month, organization and project as CSV. New columns are appended, so that readers by position continue to work. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { csvOf } from '../../../domain/csv.ts';

type UsageLine = Output<'getUsage'>['rows'][number];

const COLUMNS = [
  'month',
  'organizationId',
  'organizationName',
  'projectId',
  'projectName',
  'runs',
  'endpointMinutes',
  'plan',
  'endpointMinutesPerMonth',
] as const satisfies readonly (keyof UsageLine)[];

export const usageFile = (rows: readonly UsageLine[]): string =>
  [csvOf(COLUMNS), ...rows.map((row) => csvOf(COLUMNS.map((name) => row[name])))].join('');
