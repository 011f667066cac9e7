/** The enumerations of probes and incidents. */

export const HEALTH_STATES = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const SEVERITIES = ['DEGRADED', 'DOWN'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const SCHEDULE_TYPES = ['FIXED_INTERVAL', 'CRON'] as const;
export type ScheduleType = (typeof SCHEDULE_TYPES)[number];
