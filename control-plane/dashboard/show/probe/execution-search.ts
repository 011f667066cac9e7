/** Filters of a probe's list of executions: from the address to the API. Pure. */
import type { CallInput } from '../../../contract/call.ts';
import { HEALTH_STATES, type HealthState } from '../../../contract/words.ts';
import { instantOf } from '../basics/instants.ts';

/** As in the address. `from`, `to`: minutes, UTC; used if no period is selected. */
export type ExecutionSearch = {
  readonly status?: string | undefined;
  readonly period?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page?: string | undefined;
};

const HOUR_MS = 3_600_000;
const PERIODS: ReadonlyMap<string, readonly [words: string, ms: number]> = new Map([
  ['hour', ['The last hour', HOUR_MS]],
  ['day', ['The last 24 hours', 24 * HOUR_MS]],
  ['week', ['The last 7 days', 7 * 24 * HOUR_MS]],
  ['month', ['The last 30 days', 30 * 24 * HOUR_MS]],
]);
export const PERIOD_CHOICES = [...PERIODS].map(([value, [label]]) => ({ value, label }));

type Asked = Pick<CallInput<'listProbeInstances'>, 'status' | 'from' | 'to' | 'page'>;

/** Invalid statuses, periods, instants and pages are ignored: an address can be typed by hand. */
export function askedOf({ status, period, from, to, page }: ExecutionSearch, nowMs: number): Asked {
  const ms = PERIODS.get(period ?? '')?.[1];
  // By whole minutes: a list that is asked again is the same list.
  const since = ms === undefined ? instantOf(from ?? '') : new Date(nowMs - (nowMs % 60_000) - ms).toISOString();
  const until = ms === undefined ? instantOf(to ?? '') : null;
  const number = Number(page);
  return {
    ...(isHealth(status) && { status }),
    ...(since !== null && { from: since }),
    ...(until !== null && { to: until }),
    page: Number.isSafeInteger(number) && number > 0 ? number : 1,
  };
}

const isHealth = (status: string | undefined): status is HealthState =>
  (HEALTH_STATES as readonly (string | undefined)[]).includes(status);

/** Without filters the list is complete. */
export const isFiltered = (search: ExecutionSearch, nowMs: number): boolean => {
  const { page: _, ...rest } = askedOf(search, nowMs);
  return Object.keys(rest).length > 0;
};
