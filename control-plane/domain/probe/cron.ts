/**
 * Cron expressions in local time, where clocks change. croner reads them and knows the calendar; it is asked in a time without
 * changes, and what changes do to an expression is decided here:
 * - What would be due in skipped local time is due right after it, once. Of a repeating expression (a star or a step as its minute or
 *   its hour) only what is not due anyway when that much real time has gone by: every hour goes on every hour.
 * - In local time that comes twice a repeating expression is due in both passes, any other in the first.
 * Pure but for what it keeps.
 */
import { Cron } from 'croner';
import { type Stretch, stretchAt } from './clock-changes.ts';

export type LocalCron = {
  readonly cron: Cron;
  readonly isRepeating: boolean;
  readonly timezone: string;
};

/** Clocks of a zone are never changed by more, all changes together. */
const MARGIN_MS = 2 * 86_400_000;
/** Parsing takes as long as finding a tick, and every look for due probes asks for the same few expressions. */
const MOST_PARSED = 1000;
const known = new Map<string, LocalCron>();

/** @throws Error that describes the fault of the expression */
export function localCron(expression: string, timezone: string): LocalCron {
  const key = `${timezone} ${expression}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const fields = expression.trim().split(/\s+/);
  // croner takes an instant for an expression, too, which is due once.
  if (fields.length !== 5 && !/^@[a-z]+$/i.test(expression.trim())) throw new Error(`it has ${fields.length} of them`);
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });
  const [minute = '', hour = ''] = fields;
  const isRepeating = /[*/?]/.test(`${minute}${hour}`) || /^@hourly$/i.test(minute);
  const made = { cron, isRepeating, timezone };
  if (known.size >= MOST_PARSED) known.clear();
  known.set(key, made);
  return made;
}

/** The first minute that is due after an instant; null: none ever is. */
export function nextMinute(local: LocalCron, afterMs: number): number | null {
  let fromMs = afterMs + 1;
  for (;;) {
    const stretch = stretchAt(local.timezone, fromMs);
    const { startMs, endMs, offsetMs, changeMs } = stretch;
    if (fromMs === startMs && changeMs > 0 && isOwed(local, stretch)) return startMs;
    const isSecondPass = changeMs < 0 && !local.isRepeating;
    const firstMs = isSecondPass ? Math.max(fromMs, startMs - changeMs) : fromMs;
    const found = localAfter(local, firstMs + offsetMs - 1);
    if (found === null) return null;
    if (found - offsetMs < endMs) return found - offsetMs;
    // Nothing before it is due, whether clocks skip or repeat it, except what they repeat of the time before `fromMs`.
    fromMs = endMs - fromMs > MARGIN_MS ? Math.max(endMs, found - offsetMs - MARGIN_MS) : endMs;
  }
}

/** The first due minute of local time after another one, as if clocks never changed. */
const localAfter = ({ cron }: LocalCron, localMs: number): number | null =>
  cron.nextRun(new Date(localMs))?.getTime() ?? null;

/** Was something due in the time that the clock skipped, and is not made up for by what comes? */
function isOwed(local: LocalCron, { startMs, offsetMs, changeMs }: Stretch): boolean {
  const gapEnd = startMs + offsetMs;
  let at = localAfter(local, gapEnd - changeMs - 1);
  for (; at !== null && at < gapEnd; at = localAfter(local, at)) {
    const later = at + changeMs;
    if (!local.isRepeating || localAfter(local, later - 1) !== later) return true;
  }
  return false;
}
