/** Conclusions from a probe's own settings. Pure. */
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import type { FileFault } from '../../contract/yaml-file.ts';
import { cronFault, nextTick, type Schedule } from './schedule.ts';

/** The trailing `(region)` of a probe's name; null: the name has none. */
export const regionOf = (name: string): string | null => /\(([^()]+)\)\s*$/.exec(name)?.[1]?.trim() || null;

/** The same call, or its replacement in this mode. */
export const inMode = (config: TestConfig, mode: ProbeMode): TestConfig => ({
  ...config,
  groups: config.groups.map((group) => ({ ...group, mode })),
});

/** Start of the search for a cron expression with a date: the calendar is the same in any year. */
const SOME_DAY_MS = Date.UTC(2026, 0, 1);

/** The errors that prevent a schedule from being followed. */
export function scheduleFaults(schedule: Schedule): FileFault[] {
  const { scheduleType, fixedIntervalSec, cronExpression, timeOfDayStartUtc, timeOfDayEndUtc } = schedule;
  if ((timeOfDayStartUtc === null) !== (timeOfDayEndUtc === null)) {
    const path = [timeOfDayStartUtc === null ? 'timeOfDayStartUtc' : 'timeOfDayEndUtc'];
    return [{ path, message: 'a window of the day has a start and an end' }];
  }
  if (timeOfDayStartUtc !== null && timeOfDayStartUtc === timeOfDayEndUtc) {
    const message = 'a window of the day ends at another time than it starts; without one the probe runs all day';
    return [{ path: ['timeOfDayEndUtc'], message }];
  }
  if (scheduleType === 'FIXED_INTERVAL' && fixedIntervalSec === null)
    return [{ path: ['fixedIntervalSec'], message: 'FIXED_INTERVAL needs 300, 900, 1800 or 3600 seconds' }];
  const fault = (message: string) => [{ path: ['cronExpression'], message }];
  if (cronExpression === null) return scheduleType === 'CRON' ? fault('CRON needs an expression') : [];
  // A schedule that is currently unused is checked when it is written as well, not when something else changes.
  const wrong = cronFault(schedule);
  if (wrong !== null) return fault(wrong);
  const isDue = (s: Schedule) => nextTick({ ...s, scheduleType: 'CRON' }, '', SOME_DAY_MS) !== null;
  if (!isDue({ ...schedule, timeOfDayStartUtc: null, timeOfDayEndUtc: null })) return fault('is never due');
  return scheduleType === 'CRON' && !isDue(schedule) ? fault('is never due in its window of the day') : [];
}
