/** Whether the rules of a test end its run, by the figures of the last seconds. Pure. */
import { METRIC_KEYS } from '../../contract/metric-keys.ts';
import type { AbortKey, AbortRule } from '../../contract/test-settings/abort-on.ts';

/** A figure over the last seconds, and the number of values behind it. */
export type RecentFigure = { readonly value: number; readonly count: number };
export type RecentFigures = Readonly<Record<AbortKey, RecentFigure>>;

/** The rules whose seconds have passed since the start of the run. */
export const dueRules = (rules: readonly AbortRule[], elapsedMs: number): AbortRule[] =>
  rules.filter(({ seconds }) => elapsedMs >= seconds * 1000);

/** Why the rule ends the run; null: it does not. What was not measured decides nothing. */
export function abortReason({ key, limit, text }: AbortRule, { value, count }: RecentFigure): string | null {
  if (count === 0) return null;
  const { displayName, unit, higherIsBetter } = METRIC_KEYS[key];
  if (higherIsBetter ? value >= limit : value <= limit) return null;
  const shown = Math.round(value * 10_000) / 10_000;
  return `${text}: ${displayName} was ${shown} ${unit} (${count.toLocaleString('en')} values).`;
}
