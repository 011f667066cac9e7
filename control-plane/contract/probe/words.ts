/** The enumerations of probes and incidents. */

export const SEVERITIES = ['DEGRADED', 'DOWN'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SCHEDULE_TYPES = ['FIXED_INTERVAL', 'CRON'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];
