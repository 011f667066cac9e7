/** What canaries add to the control plane. */
import type { JobHandlers } from '../../operations/jobs.ts';
import type { Hooks } from '../../ports.ts';
import { canarySection } from './domain/report-section.ts';
import type { JOBS } from './jobs.ts';
import { idleSeconds, newCanary, resumeCanaries, stepCanary, watchLoad } from './operations/canary.ts';
import { canaryField, settleCanary } from './operations/results.ts';

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = { 'run.canary': stepCanary };

export const HOOKS: Hooks = {
  beforeLoad: newCanary,
  waitSeconds: idleSeconds,
  runStarted: watchLoad,
  watchingExecutionGraded: settleCanary,
  runFields: canaryField,
  executionFields: (canaryOf) => ({ canaryOf }),
  reportSection: ({ canary }) => canary && canarySection(canary),
  resume: resumeCanaries,
};
