/**
 * A probe's health (docs/contract.md, States), and whether it is being executed. What was graded is what it is; an execution that the plan
 * refused, or that a user cancelled, is no news of the target.
 */

import type { Machine } from '@carillon/proto/machine.ts';
import type { HealthState } from '../../contract/words.ts';

export type HealthEvent = HealthState | 'refused';

const graded = { HEALTHY: 'HEALTHY', DEGRADED: 'DEGRADED', UNHEALTHY: 'UNHEALTHY', UNKNOWN: 'UNKNOWN' } as const;

export const HEALTH: Machine<HealthState, HealthEvent> = {
  initial: 'UNKNOWN',
  finals: [],
  transitions: {
    HEALTHY: { ...graded, refused: 'HEALTHY' },
    DEGRADED: { ...graded, refused: 'DEGRADED' },
    UNHEALTHY: { ...graded, refused: 'UNHEALTHY' },
    UNKNOWN: { ...graded, refused: 'UNKNOWN' },
  },
  heldBy: { HEALTHY: 'JOB', DEGRADED: 'JOB', UNHEALTHY: 'JOB', UNKNOWN: 'JOB' },
};

export type Activity = 'ENABLED' | 'DISABLED' | 'AUTO_PAUSED';
export type ActivityEvent = 'enabled' | 'disabled' | 'overdue';

/** overdue: an incident has been open for longer than autoPauseAfterHours. */
export const ACTIVITY: Machine<Activity, ActivityEvent> = {
  initial: 'ENABLED',
  finals: [],
  transitions: {
    ENABLED: { enabled: 'ENABLED', disabled: 'DISABLED', overdue: 'AUTO_PAUSED' },
    DISABLED: { enabled: 'ENABLED', disabled: 'DISABLED' },
    AUTO_PAUSED: { enabled: 'ENABLED', disabled: 'AUTO_PAUSED' },
  },
  heldBy: { ENABLED: 'OUTSIDE', DISABLED: 'OUTSIDE', AUTO_PAUSED: 'OUTSIDE' },
};
