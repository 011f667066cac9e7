/** The enumerations of probes and incidents. */

export const SEVERITIES = ['DEGRADED', 'DOWN'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SCHEDULE_TYPES = ['FIXED_INTERVAL', 'CRON'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];

/** The instant since which the target is bad; it is before the opening of the incident. Older incidents do not say when they first failed. */
export const sinceOf = <T>(i: { readonly startedAt: T; readonly firstFailedAt?: T | null | undefined }): T =>
  i.firstFailedAt ?? i.startedAt;
