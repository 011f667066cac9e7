/** What waits add to the control plane. */
import type { JobHandlers } from '../../operations/jobs.ts';
import type { Hooks } from '../../ports.ts';
import type { JOBS } from './jobs.ts';
import { newWait, stepWait, waitedSeconds, waitingField } from './operations/wait.ts';

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = { 'run.wait': stepWait };

export const HOOKS: Hooks = { beforeLoad: newWait, waitSeconds: waitedSeconds, runFields: waitingField };
