/** States as a tone and a word. A tone is a colour, and always has a word. */

import type { Severity } from '../../../contract/probe/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import { HEALTH_TONES, type Tone } from '../../../contract/run-outcome.ts';
import type { WorkerStatus } from '../../../contract/worker-words.ts';

export { plain } from '../../../contract/plain.ts';
export type { Tone } from '../../../contract/run-outcome.ts';

export const HEALTH: Readonly<Record<HealthState, readonly [Tone, string]>> = {
  HEALTHY: [HEALTH_TONES.HEALTHY, 'Healthy'],
  DEGRADED: [HEALTH_TONES.DEGRADED, 'Degraded'],
  UNHEALTHY: [HEALTH_TONES.UNHEALTHY, 'Unhealthy'],
  UNKNOWN: [HEALTH_TONES.UNKNOWN, 'Unknown'],
};
export const WORKER: Readonly<Record<WorkerStatus, readonly [Tone, string]>> = {
  ONLINE: ['good', 'Online'],
  OFFLINE: ['none', 'Offline'],
  ERROR: ['bad', 'Error'],
  DRAINING: ['warn', 'Draining'],
};
/** No agent has joined with its token yet: it cannot be missed. */
export const WAITING_WORKER: readonly [Tone, string] = ['accent', 'Waiting to join'];
export const SEVERITY: Readonly<Record<Severity, readonly [Tone, string]>> = {
  DEGRADED: ['warn', 'Degraded'],
  DOWN: ['bad', 'Down'],
};
export const VERDICT = {
  VALID: ['good', 'Valid'],
  SUSPECT: ['warn', 'Suspect'],
  VOID: ['bad', 'Void'],
} as const;

/** The current noise of an agent. Runs have a verdict instead. */
export const NOISE = {
  VALID: ['good', 'Quiet', 'within the limits of the verdict'],
  SUSPECT: ['warn', 'Disturbed', 'above the first limit'],
  VOID: ['bad', 'Too busy', 'above the second limit'],
} as const;

export const toneOfHealth = (state: HealthState): Tone => HEALTH[state][0];
