/** States in their colour, with their word beside it: nobody has to tell colours apart. */
import type { ReactNode } from 'react';
import type { HealthState, RunStatus, Severity, WorkerStatus } from '../../contract/words.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'none' | 'accent';

const RUN: Readonly<Record<RunStatus, readonly [Tone, string]>> = {
  PENDING: ['accent', 'Pending'],
  QUEUED: ['accent', 'Queued'],
  RUNNING: ['accent', 'Running'],
  COMPLETED: ['good', 'Completed'],
  FAILED: ['bad', 'Failed'],
  CANNOT_RUN_FOR_NOW: ['warn', 'Cannot run for now'],
  CANCELLED: ['none', 'Cancelled'],
};
const HEALTH: Readonly<Record<HealthState, readonly [Tone, string]>> = {
  HEALTHY: ['good', 'Healthy'],
  DEGRADED: ['warn', 'Degraded'],
  UNHEALTHY: ['bad', 'Unhealthy'],
  UNKNOWN: ['none', 'Unknown'],
};
const WORKER: Readonly<Record<WorkerStatus, readonly [Tone, string]>> = {
  ONLINE: ['good', 'Online'],
  OFFLINE: ['none', 'Offline'],
  ERROR: ['bad', 'Error'],
  DRAINING: ['warn', 'Draining'],
};
const SEVERITY: Readonly<Record<Severity, readonly [Tone, string]>> = {
  DEGRADED: ['warn', 'Degraded'],
  DOWN: ['bad', 'Down'],
};
const VERDICT = {
  VALID: ['good', 'Valid'],
  SUSPECT: ['warn', 'Suspect'],
  VOID: ['bad', 'Void'],
} as const;

export const toneOfHealth = (state: HealthState): Tone => HEALTH[state][0];

export const Mark = ({ tone, moving, children }: { tone: Tone; moving?: boolean; children: ReactNode }) => (
  <span className={`mark ${tone}`} data-moving={moving}>
    {children}
  </span>
);

export const RunState = ({ status }: { status: RunStatus }) => (
  <Mark tone={RUN[status][0]} moving={RUN[status][0] === 'accent'}>
    {RUN[status][1]}
  </Mark>
);
export const Health = ({ state }: { state: HealthState }) => <Mark tone={HEALTH[state][0]}>{HEALTH[state][1]}</Mark>;
export const WorkerState = ({ status }: { status: WorkerStatus }) => (
  <Mark tone={WORKER[status][0]}>{WORKER[status][1]}</Mark>
);
export const SeverityMark = ({ severity }: { severity: Severity }) => (
  <Mark tone={SEVERITY[severity][0]}>{SEVERITY[severity][1]}</Mark>
);
export const VerdictMark = ({ verdict }: { verdict: keyof typeof VERDICT }) => (
  <Mark tone={VERDICT[verdict][0]}>{VERDICT[verdict][1]}</Mark>
);
export const toneOfVerdict = (verdict: keyof typeof VERDICT): Tone => VERDICT[verdict][0];

/** `CALL_FAILED` -> `Call failed` */
export const plain = (word: string): string => {
  const text = word
    .replace(/^INCALL$/, 'IN_CALL')
    .replaceAll('_', ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};
