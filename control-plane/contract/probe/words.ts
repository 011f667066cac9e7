/** The enumerations of probes and incidents. */

export const SEVERITIES = ['DEGRADED', 'DOWN'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SCHEDULE_TYPES = ['FIXED_INTERVAL', 'CRON'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];

/** Since when the target is bad, which is before its incident was opened. Older incidents do not say when they first failed. */
export const sinceOf = <T>(i: { readonly startedAt: T; readonly firstFailedAt?: T | null | undefined }): T =>
  i.firstFailedAt ?? i.startedAt;
