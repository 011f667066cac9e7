/**
 * A probe's run has ended: it is graded, and the probe, its incident and its announcements are updated. This is the
 * only difference between a probe's execution and any other run.
 */
import { step } from '@carillon/proto/base/machine.ts';
import type { RunError } from '../../contract/run/run.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import { destinationOf } from '../../contract/test-settings/way.ts';
import { isRefusedByPlan, isWorkerTrouble } from '../../domain/probe/grade.ts';
import { standingAfter } from '../../domain/probe/incident-machine.ts';
import { HEALTH } from '../../domain/probe/probe-machine.ts';
import type { Ports } from '../../ports.ts';
import { isAnyGone, onlineWorkers } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { openIncidentOf, type Reasons } from '../../store/probe/incidents.ts';
import { maintenanceIn } from '../../store/probe/maintenance.ts';
import { changeHealth, lockExecution, repeatAs, storeGrade } from '../../store/probe/probe-grades.ts';
import { registrarPlans } from '../../store/project/registrars.ts';
import { instancesOfRun } from '../../store/run/instances.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';
import { announce } from '../notify/announce.ts';
import { eligible, transportsOf } from '../submission/eligible.ts';
import { submitExecutions } from './execute.ts';
import { gradeRun, type LockedExecution, type Settled } from './grade-run.ts';
import { addressOf, moveIncident, wordsOf } from './incident.ts';
import { wordsOfExecution } from './words.ts';

/** Runs in the transaction that ended the run, with the status that it ended with. */
export async function settleExecution(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  status: RunStatus,
  error: RunError | null | undefined,
): Promise<void> {
  const execution = await lockExecution(tx, run.id);
  if (!execution) return;
  const last = await gradeRun(tx, execution, run.id);
  const first = execution.repeatedRunId;
  const isRepeatable = first === null && execution.watchedRunId === null && isBad(last) && !isDisabled(execution);
  if (isRepeatable && (await repeatElsewhere(ports, tx, run, execution))) return;
  // A repetition without a result keeps the first one.
  const settled = first !== null && last.grade.status === 'UNKNOWN' ? await gradeRun(tx, execution, first) : last;
  const at = ports.now();
  const inMaintenance = await isInMaintenance(tx, execution, settled, at);
  const since = isBad(settled) ? (execution.failingSince ?? settled.shown?.startedAt ?? execution.scheduledAt) : null;
  const words = wordsOfExecution(settled, {
    mode: execution.mode,
    expected: execution.expectedStatusCodes,
    since,
    error: error ?? null,
    elsewhere: await elsewhereOf(tx, run, execution.mode),
  });
  const graded = gradedAs(settled, words.reason);
  const repeatedRunId = settled.runId === first ? null : first;
  await storeGrade(tx, execution.id, { ...graded, repeatedRunId, inMaintenance, at });
  const { watchedRunId } = execution;
  if (watchedRunId !== null) {
    const heard = settled.shown?.heard ?? null;
    const watching = { watchedRunId, testRunId: settled.runId, status: settled.grade.status, heard };
    for (const { watchingExecutionGraded } of ports.hooks)
      await watchingExecutionGraded?.(ports, tx, { ...watching, message: words.reason });
  }
  if (isDisabled(execution)) return;
  const refused = first === null && isRefusedByPlan(error?.code);
  const skip = refused && execution.tickAt ? { reason: error?.message ?? '', at } : undefined;
  await follow(ports, tx, execution, settled, {
    unasked: refused || (first === null && status === 'CANCELLED'),
    // Only completed executions are repeated. The run itself informs a user who requested it.
    skip: first !== null || status === 'COMPLETED' ? null : skip,
    isWorkerAnnounced: settled === last && (await isWorkerMissing(tx, run, error)),
    isExpected: inMaintenance || watchedRunId !== null,
    since,
    words,
  });
}

/** Says where the call went if its address names another place; null: the call went there, or this is no longer known. */
async function elsewhereOf(tx: Tx, { config, projectId }: LockedRun, mode: string): Promise<string | null> {
  const [group] = config.groups;
  if (group?.callee.mode !== 'EXTERNAL_URI') return null;
  const registrar = (await registrarPlans(tx, projectId)).find(({ id }) => id === group.registrarId);
  const went = registrar && destinationOf(mode, group.callee.uri, registrar);
  return went && went.named !== null ? `It went to ${went.to} (${registrar.name}), not to ${went.named}.` : null;
}

function gradedAs({ grade: { status, results }, shown, runId }: Settled, message: string) {
  // An expected refusal is not a failure.
  const failure = status === 'HEALTHY' ? null : shown;
  return {
    status,
    results,
    message,
    testRunId: runId,
    steps: shown?.steps ?? null,
    cause: failure?.cause ?? null,
    party: failure?.party ?? null,
    workerName: shown?.worker ?? null,
  };
}

/** True if a window was open at any time during the run. */
async function isInMaintenance(tx: Tx, execution: LockedExecution, { shown }: Settled, at: Date): Promise<boolean> {
  const from = shown?.startedAt ?? execution.scheduledAt;
  return (await maintenanceIn(tx, execution, from < at ? from : at, shown?.endedAt ?? at)) !== null;
}

/** A disabled probe's tick that was still in progress is not reported; an execution that a user starts is. */
const isDisabled = ({ tickAt, enabled, autoPausedAt }: LockedExecution): boolean =>
  tickAt !== null && !enabled && autoPausedAt === null;

const isBad = ({ grade: { status } }: Settled): boolean => status === 'DEGRADED' || status === 'UNHEALTHY';

type Circumstances = {
  /** The execution says nothing about the target. */
  readonly unasked: boolean;
  /** The reason why a tick was refused; null: clears the stored reason; undefined: keeps it. */
  readonly skip: { readonly reason: string; readonly at: Date } | null | undefined;
  /** No worker could run the execution, and that was announced. */
  readonly isWorkerAnnounced: boolean;
  /**
   * The execution was in maintenance, or under a load that a user ordered: it does not count, and it is not announced;
   * recovery may be announced.
   */
  readonly isExpected: boolean;
  /** Start of the current series of bad executions; null: this is not one of them. */
  readonly since: Date | null;
  readonly words: Reasons;
};

async function follow(
  ports: Ports,
  tx: Tx,
  probe: LockedExecution,
  { grade: { status }, runId }: Settled,
  { unasked, skip, isWorkerAnnounced, isExpected, since, words }: Circumstances,
): Promise<void> {
  const now = step(HEALTH.transitions, probe.status, unasked ? 'refused' : status) ?? probe.status;
  const isQuiet = isExpected && status !== 'HEALTHY';
  const tells = now !== probe.toldStatus && !isWorkerAnnounced && !isQuiet;
  const incident = await openIncidentOf(tx, probe.probeId);
  const before = { strikes: probe.strikes, incident: incident?.severity ?? ('NONE' as const) };
  const after = standingAfter(before, unasked || isQuiet ? 'UNKNOWN' : status, probe.alertStrikeRuns);
  const health = {
    status: now,
    toldStatus: tells ? now : probe.toldStatus,
    strikes: after.strikes,
    failingSince: status === 'HEALTHY' ? null : (since ?? probe.failingSince),
    lastMessage: words.reason,
  };
  await changeHealth(tx, probe.probeId, health, skip);
  if (tells) {
    const data = { ...wordsOf(probe), from: probe.toldStatus, to: now, testRunId: runId, reason: words.reason };
    await announce(ports, tx, { kind: 'probe.status_changed', ...addressOf(probe, ports.now()), data });
  }
  const struck = since !== null && !isQuiet && !unasked;
  const decided = { to: after.incident, testRunId: runId, words: struck ? words : null, since };
  await moveIncident(ports, tx, probe, incident, decided);
}

/**
 * True if no worker could run it, and worker.status_changed gave the reason. If no worker is gone, only the probe can
 * report it.
 */
async function isWorkerMissing(tx: Tx, run: LockedRun, error: RunError | null | undefined): Promise<boolean> {
  const [group] = run.config.groups;
  return isWorkerTrouble(error?.code) && group !== undefined && isAnyGone(tx, run.organizationId, group.placement);
}

/**
 * Repeats the execution on another worker, to distinguish the target from the agent and its network. False: there is no
 * other worker.
 */
async function repeatElsewhere(ports: Ports, tx: Tx, run: LockedRun, execution: LockedExecution): Promise<boolean> {
  const [carried] = await instancesOfRun(tx, run.id);
  const [group] = run.config.groups;
  if (!carried || !group) return false;
  const online = await onlineWorkers(tx, run.organizationId);
  const others = eligible(group, online, run.config.groups, await transportsOf(tx, run), carried.workerId);
  if (others.length === 0) return false;
  const runId = newId();
  const { probeId } = execution;
  const repetition = { runId, probeId, startedBy: null, avoidWorkerId: carried.workerId };
  await submitExecutions(ports, tx, [repetition], ports.now());
  await repeatAs(tx, execution.id, runId, run.id);
  ports.log.info({ probeId, runId, repeats: run.id }, 'execution is repeated from another worker');
  return true;
}
