/** Filters of a probe's list of executions: from the address to the API. Pure. */
import type { CallInput } from '../../../contract/call.ts';
import { HEALTH_STATES, type HealthState } from '../../../contract/run/measured-words.ts';
import { type PeriodSearch, pageOf, spanOf } from '../basics/periods.ts';

/** The filters as they are in the address. */
export type ExecutionSearch = PeriodSearch & {
  readonly status?: string | undefined;
  readonly page?: string | undefined;
};

type ExecutionQuery = Pick<CallInput<'listProbeInstances'>, 'status' | 'from' | 'to' | 'page'>;

/** Invalid statuses, periods, instants and pages are ignored, because users may type addresses by hand. */
export const executionQueryOf = (search: ExecutionSearch, nowMs: number): ExecutionQuery => ({
  ...(isHealth(search.status) && { status: search.status }),
  ...spanOf(search, nowMs),
  page: pageOf(search.page),
});

const isHealth = (status: string | undefined): status is HealthState =>
  (HEALTH_STATES as readonly (string | undefined)[]).includes(status);

/** Without filters the list is complete. */
export const isFiltered = (search: ExecutionSearch, nowMs: number): boolean => {
  const { page: _, ...rest } = executionQueryOf(search, nowMs);
  return Object.keys(rest).length > 0;
};
