/**
 * When an incident begins, worsens and ends (docs/decisions.md, Incidents). A probe has at most one open incident: its
 * state is the severity of that incident, or NONE.
 *
 * degraded, down   alertStrikeRuns executions in a row were DEGRADED or UNHEALTHY, and the last one had that result
 * recovered        an execution was HEALTHY
 */

import { type Machine, step } from '@carillon/proto/base/machine.ts';
import type { Severity } from '../../contract/probe/words.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';

export type IncidentState = 'NONE' | Severity;
export type IncidentEvent = 'degraded' | 'down' | 'recovered';

export const INCIDENT: Machine<IncidentState, IncidentEvent> = {
  initial: 'NONE',
  finals: [],
  transitions: {
    NONE: { degraded: 'DEGRADED', down: 'DOWN' },
    // It can only get worse: an incident has its worst severity.
    DEGRADED: { degraded: 'DEGRADED', down: 'DOWN', recovered: 'NONE' },
    DOWN: { degraded: 'DOWN', down: 'DOWN', recovered: 'NONE' },
  },
  heldBy: { NONE: 'JOB', DEGRADED: 'JOB', DOWN: 'JOB' },
};

export type IncidentStanding = { readonly strikes: number; readonly incident: IncidentState };

/** UNKNOWN neither strikes nor resolves: the target was not observed. */
export function standingAfter(
  before: IncidentStanding,
  graded: HealthState,
  alertStrikeRuns: number,
): IncidentStanding {
  if (graded === 'UNKNOWN') return before;
  const strikes = graded === 'HEALTHY' ? 0 : before.strikes + 1;
  const event = eventOf(graded, strikes, before.incident === 'NONE' ? alertStrikeRuns : 1);
  return { strikes, incident: (event && step(INCIDENT.transitions, before.incident, event)) ?? before.incident };
}

function eventOf(graded: HealthState, strikes: number, needed: number): IncidentEvent | null {
  if (strikes === 0) return 'recovered';
  if (strikes < needed) return null;
  return graded === 'UNHEALTHY' ? 'down' : 'degraded';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export type Patience = {
  readonly escalateAfterMinutes: number;
  readonly autoPauseAfterHours: number | null;
  /** The time at which the probe was enabled again, or given autoPauseAfterHours; null: never. */
  readonly patienceAt: Date | null;
};

/** The time at which an open incident is due for escalation. */
export const escalatesAt = (startedAt: Date, { escalateAfterMinutes }: Patience): Date =>
  new Date(startedAt.getTime() + escalateAfterMinutes * MINUTE_MS);

/** Null: never. For a probe that is enabled during an incident, the time starts again. */
export function pausesAt(startedAt: Date, { autoPauseAfterHours, patienceAt }: Patience): Date | null {
  if (autoPauseAfterHours === null) return null;
  return new Date(Math.max(startedAt.getTime(), patienceAt?.getTime() ?? 0) + autoPauseAfterHours * HOUR_MS);
}
