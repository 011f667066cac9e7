/**
 * Computes when a probe is due. Pure: instants are milliseconds since 1970.
 * FIXED_INTERVAL counts real time, so a change of clocks has no effect. CRON and the time-of-day window are local time
 * in the probe's zone (cron.ts). A window entirely within a skipped hour is omitted that day; in a repeated hour, a window
 * opens and closes in the first pass.
 */
import type { ScheduleType } from '../../contract/probe/words.ts';
import { stretchAt } from './clock-changes.ts';
import { type LocalCron, localCron, nextMinute } from './cron.ts';

export type Schedule = {
  readonly scheduleType: ScheduleType;
  readonly fixedIntervalSec: number | null;
  readonly cronExpression: string | null;
  /**
   * HH:MM in local time: ticks are from the first on and earlier than the second; the window passes midnight if the
   * second is smaller.
   */
  readonly timeOfDayStartUtc: string | null;
  readonly timeOfDayEndUtc: string | null;
  readonly timezone: string;
};

const HOUR_MS = 3_600_000;
/** No window is longer than this, not even on the longest day. */
const MAX_WINDOW_MS = 26 * HOUR_MS;
/** A cron expression that does not meet the window for so long after its first match never does: a year and some weeks. */
const LOOKED_MS = 400 * 24 * HOUR_MS;
/**
 * Days without a change of clocks are alike: an expression that is due outside the window so often stays outside until
 * the next change.
 */
const ALIKE = 2;
const CRON_PHASE_SECONDS = 60;

/** The seconds, below `period`, by which a probe is later than others of the same schedule (FNV-1a of its id). */
export function phaseSeconds(id: string, period: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash % period;
}

/** The first tick after an instant; null: no further tick. */
export function nextTick(schedule: Schedule, id: string, afterMs: number): number | null {
  return schedule.scheduleType === 'CRON' ? nextOfCron(schedule, id, afterMs) : nextInterval(schedule, id, afterMs);
}

/** The first of start, start + interval, … after an instant. */
const firstAfter = (startMs: number, intervalMs: number, afterMs: number): number =>
  startMs > afterMs ? startMs : startMs + (Math.floor((afterMs - startMs) / intervalMs) + 1) * intervalMs;

/** In a window the interval counts from the window's opening, so that even a short window has a tick. */
function nextInterval(schedule: Schedule, id: string, afterMs: number): number | null {
  const seconds = schedule.fixedIntervalSec ?? 0;
  if (seconds <= 0) return null;
  if (!hasWindow(schedule)) {
    const phaseMs = phaseSeconds(id, seconds) * 1000;
    const before = Math.floor(afterMs / (seconds * 1000)) - 1;
    return firstAfter(before * seconds * 1000 + phaseMs, seconds * 1000, afterMs);
  }
  for (let window = windowFrom(schedule, afterMs); ; window = windowFrom(schedule, window.endMs)) {
    const lengthSeconds = (window.endMs - window.startMs) / 1000;
    const phaseMs = phaseSeconds(id, Math.min(seconds, lengthSeconds)) * 1000;
    const tick = firstAfter(window.startMs + phaseMs, seconds * 1000, afterMs);
    if (tick < window.endMs) return tick;
  }
}

/** The probe's phase is within the minute of the expression. */
function nextOfCron(schedule: Schedule, id: string, afterMs: number): number | null {
  const cron = cronOf(schedule);
  const phaseMs = phaseSeconds(id, CRON_PHASE_SECONDS) * 1000;
  let fromMs = afterMs - phaseMs;
  let untilMs = Number.POSITIVE_INFINITY;
  for (let outside = 1; ; outside++) {
    const minute = nextMinute(cron, fromMs);
    if (minute === null || minute > untilMs) return null;
    if (!hasWindow(schedule)) return minute + phaseMs;
    const window = windowFrom(schedule, minute);
    if (window.startMs <= minute) return minute + phaseMs;
    untilMs = Math.min(untilMs, minute + LOOKED_MS);
    fromMs = window.startMs - 1;
    const beforeChangeMs = stretchAt(schedule.timezone, fromMs).endMs - 2 * MAX_WINDOW_MS;
    if (outside < ALIKE || beforeChangeMs <= fromMs) continue;
    fromMs = beforeChangeMs;
    outside = 0;
  }
}

/** @throws Error that describes the fault of the expression */
const cronOf = ({ cronExpression, timezone }: Schedule): LocalCron => localCron(cronExpression ?? '', timezone);

const hasWindow = (s: Schedule): boolean => s.timeOfDayStartUtc !== null && s.timeOfDayEndUtc !== null;

type Window = { readonly startMs: number; readonly endMs: number };

/** The first window that closes after an instant. */
function windowFrom({ timeOfDayStartUtc, timeOfDayEndUtc, timezone }: Schedule, atMs: number): Window {
  const daily = (time: string | null) => {
    const [hour, minute] = (time ?? '00:00').split(':');
    return localCron(`${Number(minute)} ${Number(hour)} * * *`, timezone);
  };
  const [starts, ends] = [daily(timeOfDayStartUtc), daily(timeOfDayEndUtc)];
  const next = (cron: LocalCron, afterMs: number) => nextMinute(cron, afterMs) ?? Number.POSITIVE_INFINITY;
  for (let startMs = next(starts, atMs - MAX_WINDOW_MS); ; startMs = next(starts, startMs)) {
    const endMs = next(ends, startMs - 1);
    // If they are equal, the window lies entirely within a gap.
    if (endMs > startMs && endMs > atMs) return { startMs, endMs };
  }
}

/** The fault of a cron expression, in words; null: no fault. */
export function cronFault(schedule: Schedule): string | null {
  try {
    cronOf(schedule);
    return null;
  } catch (error) {
    return `is not a cron expression of five fields (minute hour day month weekday): ${(error as Error).message}`;
  }
}

/** A tick that is found later than this after its instant is missed. */
const LATE_LIMIT_MS = 60_000;
/** At most this many ticks are processed at a time; the rest is left to the next look. */
const MAX_MISSED = 1000;

export type Missed = { readonly firstMs: number; readonly lastMs: number; readonly ticks: number };
export type Due = {
  /** Null: no tick is due now. */
  readonly tickMs: number | null;
  readonly missed: Missed | null;
  /** Null: never again. */
  readonly nextMs: number | null;
};

/** The due ticks from `fromMs` until now: the last one is executed, unless it is late; the others are missed. */
export function dueTicks(next: (afterMs: number) => number | null, fromMs: number, nowMs: number): Due {
  const missed = { firstMs: fromMs, lastMs: fromMs, ticks: 0 };
  const due = (tickMs: number | null, nextMs: number | null): Due => ({
    tickMs,
    missed: missed.ticks > 0 ? missed : null,
    nextMs,
  });
  let at: number | null = fromMs;
  for (let n = 0; at !== null && at <= nowMs && n < MAX_MISSED; n++) {
    const following = next(at);
    if ((following === null || following > nowMs) && nowMs - at <= LATE_LIMIT_MS) {
      return due(at, following);
    }
    missed.lastMs = at;
    missed.ticks += 1;
    at = following;
  }
  return due(null, at);
}
