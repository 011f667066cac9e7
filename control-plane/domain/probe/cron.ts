/**
 * Cron expressions in local time, in which clocks change. croner reads them and knows the calendar; it computes in a time
 * without changes, and the effects of changes on an expression are decided here:
 * - A tick in skipped local time is due right after it, once. For a repeating expression (a star or a step as its minute
 *   or its hour) this applies only to ticks that are not due anyway when that much real time has passed: a tick every
 *   hour stays a tick every hour.
 * - In local time that occurs twice, a repeating expression is due in both passes, any other in the first.
 * Pure except for its cache.
 */
import { Cron } from 'croner';
import { type Stretch, stretchAt } from './clock-changes.ts';

export type LocalCron = {
  readonly cron: Cron;
  readonly isRepeating: boolean;
  readonly timezone: string;
};

/** All clock changes of a zone together never exceed this. */
const MARGIN_MS = 2 * 86_400_000;
/** Expressions are cached: parsing takes as long as finding a tick, and every look for due probes needs the same few. */
const MAX_PARSED = 1000;
const parsedCrons = new Map<string, LocalCron>();

/** @throws Error that describes the fault of the expression */
export function localCron(expression: string, timezone: string): LocalCron {
  const key = `${timezone} ${expression}`;
  const found = parsedCrons.get(key);
  if (found !== undefined) return found;
  const fields = expression.trim().split(/\s+/);
  // croner also accepts an instant as an expression, which is due once.
  if (fields.length !== 5 && !/^@[a-z]+$/i.test(expression.trim())) throw new Error(`it has ${fields.length} of them`);
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });
  const [minute = '', hour = ''] = fields;
  const isRepeating = /[*/?]/.test(`${minute}${hour}`) || /^@hourly$/i.test(minute);
  const made = { cron, isRepeating, timezone };
  if (parsedCrons.size >= MAX_PARSED) parsedCrons.clear();
  parsedCrons.set(key, made);
  return made;
}

/** The first minute that is due after an instant; null: no minute ever is. */
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
    // Nothing earlier is due, whether clocks skip or repeat it, except what they repeat of the time preceding `fromMs`.
    fromMs = endMs - fromMs > MARGIN_MS ? Math.max(endMs, found - offsetMs - MARGIN_MS) : endMs;
  }
}

/** The first due minute of local time after another one, as if clocks never changed. */
const localAfter = ({ cron }: LocalCron, localMs: number): number | null =>
  cron.nextRun(new Date(localMs))?.getTime() ?? null;

/** True if something was due in the time that the clock skipped, and no later tick makes up for it. */
function isOwed(local: LocalCron, { startMs, offsetMs, changeMs }: Stretch): boolean {
  const gapEnd = startMs + offsetMs;
  let at = localAfter(local, gapEnd - changeMs - 1);
  for (; at !== null && at < gapEnd; at = localAfter(local, at)) {
    const later = at + changeMs;
    if (!local.isRepeating || localAfter(local, later - 1) !== later) return true;
  }
  return false;
}
