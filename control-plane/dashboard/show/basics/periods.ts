/** The periods of filters, as they are in the address. Pure. */
import { instantOf } from './instants.ts';

/** `from` and `to` are minutes in UTC. They apply if no period is named. */
export type PeriodSearch = {
  readonly period?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const HOUR_MS = 3_600_000;
const PERIODS: ReadonlyMap<string, readonly [words: string, ms: number]> = new Map([
  ['hour', ['The last hour', HOUR_MS]],
  ['day', ['The last 24 hours', 24 * HOUR_MS]],
  ['week', ['The last 7 days', 7 * 24 * HOUR_MS]],
  ['month', ['The last 30 days', 30 * 24 * HOUR_MS]],
]);
export const PERIOD_CHOICES = [...PERIODS].map(([value, [label]]) => ({ value, label }));

/** The period of an address. Invalid values are ignored, since addresses are typed by hand. */
export function spanOf({ period, from, to }: PeriodSearch, nowMs: number): { from?: string; to?: string } {
  const ms = PERIODS.get(period ?? '')?.[1];
  // The start is a whole minute, so that a repeated request asks for the same list.
  const since = ms === undefined ? instantOf(from ?? '') : new Date(nowMs - (nowMs % 60_000) - ms).toISOString();
  const until = ms === undefined ? instantOf(to ?? '') : null;
  return { ...(since !== null && { from: since }), ...(until !== null && { to: until }) };
}

/** The number of a list's page, from 1. */
export const pageOf = (page: string | undefined): number => {
  const number = Number(page);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
};
