/**
 * A probe's health (docs/contract.md, States), and whether it is being executed. The grade is its health; an execution
 * refused by the plan, or cancelled by a user, does not change it.
 */

import type { Machine } from '@carillon/proto/base/machine.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';

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

/** `overdue`: an incident has been open for longer than autoPauseAfterHours. */
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
