/** Every job of the core with its handler. Late or repeated execution is harmless. `attempt` is 1 for the first one. */
import type { CoreJobName, JobName, Jobs, Ports } from '../ports.ts';
import { isAnyProbeDue } from '../store/probe/probe-executions.ts';
import { gatheredRuns, openRuns } from '../store/run/run-rows.ts';
import { isAnyConnectionSilent, loseWorker, sweepConnections } from './agents/depart.ts';
import { loseUnheld } from './agents/lose.ts';
import { deliver } from './notify/deliver.ts';
import { spread } from './notify/spread.ts';
import { mailInvitation } from './people/invitation-mail.ts';
import { watchIncident } from './probe/incident.ts';
import { tickProbes } from './probe/tick.ts';
import { retain } from './retain.ts';
import { judgeAborts } from './run/abort.ts';
import { allocateRun } from './run/allocate.ts';
import { gatherRuns } from './run/gather.ts';
import { waitSeconds } from './run/move.ts';
import { settleRun } from './run/settle.ts';
import { validateRun } from './run/validate.ts';
import { watchRun } from './run/watch.ts';

export type JobHandlers = { readonly [N in JobName]: (ports: Ports, data: Jobs[N], attempt: number) => Promise<void> };

export const CORE_JOB_HANDLERS: Pick<JobHandlers, CoreJobName> = {
  'run.validate': (ports, { runId }) => validateRun(ports, runId),
  'run.allocate': (ports, { runId }) => allocateRun(ports, runId),
  'run.watch': (ports, { runId, status }) => watchRun(ports, runId, status),
  'run.settle': (ports, { runId }, attempt) => settleRun(ports, runId, attempt),
  'run.abort': (ports, { runId }) => judgeAborts(ports, runId),
  'worker.lost': (ports, { workerId }) => loseWorker(ports, workerId),
  'instances.lost': (ports, { workerId, instanceIds, reason }) => loseUnheld(ports, workerId, instanceIds, reason),
  'workers.sweep': (ports) => sweepConnections(ports),
  'probes.tick': (ports) => tickProbes(ports),
  'runs.gather': (ports) => gatherRuns(ports),
  'incident.watch': (ports, { incidentId }) => watchIncident(ports, incidentId),
  'data.retain': (ports) => retain(ports),
  'announcement.spread': (ports, { announcementId }) => spread(ports, announcementId),
  'webhook.deliver': (ports, { deliveryId, attempt }) => deliver(ports, deliveryId, attempt),
  'invitation.mail': (ports, { invitationId }) => mailInvitation(ports, invitationId),
};

/** Recurring jobs that usually have nothing to do; a query costs a fifth of a job. */
export const wantedJobs = (ports: Ports) => ({
  'probes.tick': () => isAnyProbeDue(ports.database.db, ports.now()),
  'workers.sweep': () => isAnyConnectionSilent(ports),
  'runs.gather': async () => (await gatheredRuns(ports.database.db)).length > 0,
});

/** Repairs the state after a crash between two jobs: every open run gets its next job again, and features repair theirs. */
export async function resumeRuns(ports: Ports): Promise<void> {
  for (const run of await openRuns(ports.database.db)) {
    if (run.status === 'PENDING' && (await waitSeconds(ports, ports.database.db, run.id)) === null)
      await ports.jobs.enqueue(ports.database.db, 'run.validate', { runId: run.id });
    if (run.status === 'QUEUED') await ports.jobs.enqueue(ports.database.db, 'run.allocate', { runId: run.id });
    if (run.status === 'RUNNING') await ports.jobs.enqueue(ports.database.db, 'run.settle', { runId: run.id });
    await ports.jobs.enqueue(ports.database.db, 'run.watch', { runId: run.id, status: run.status });
  }
  for (const { resume } of ports.hooks) await resume?.(ports);
}
