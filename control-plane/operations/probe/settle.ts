/**
 * A probe's run has ended: it is graded, and the probe, its incident and those who are told follow. The one place where a run
 * that is a probe's execution differs from any other.
 */
import { v7 as uuid } from 'uuid';
import type { ExecutionSteps } from '../../contract/probe.ts';
import type { RunError } from '../../contract/run.ts';
import type { RunStatus } from '../../contract/words.ts';
import { type Grade, grade, isRefusedByPlan, isWorkerTrouble } from '../../domain/grade.ts';
import { stand } from '../../domain/incident-machine.ts';
import { step } from '../../domain/machine.ts';
import { HEALTH } from '../../domain/probe-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { openIncidentOf } from '../../store/incidents.ts';
import { instancesOfRun } from '../../store/instances.ts';
import { changeHealth, evidenceOf, lockExecution, repeatAs, storeVerdict } from '../../store/probe-verdicts.ts';
import { thresholdsOf } from '../../store/probes.ts';
import type { LockedRun } from '../../store/runs.ts';
import { isAnyGone, onlineWorkers } from '../../store/workers.ts';
import { announce } from '../announce.ts';
import { partyOf } from '../figures.ts';
import { eligible, transportsOf } from '../run/validate.ts';
import { submitExecutions } from './execute.ts';
import { addressOf, moveIncident, wordsOf } from './incident.ts';

type Execution = NonNullable<Awaited<ReturnType<typeof lockExecution>>>;
type Settled = { readonly grade: Grade; readonly steps: ExecutionSteps | null; readonly runId: string };

/** In the transaction that ended the run, with the status that it ended with. */
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
  if (first === null && isBad(last) && !isDisabled(execution) && (await repeatElsewhere(ports, tx, run, execution)))
    return;
  // A repetition that saw nothing leaves the first word standing.
  const settled = first !== null && last.grade.status === 'UNKNOWN' ? await gradeRun(tx, execution, first) : last;
  const at = ports.now();
  await storeVerdict(tx, execution.id, {
    status: settled.grade.status,
    results: settled.grade.results,
    steps: settled.steps,
    testRunId: settled.runId,
    repeatedRunId: settled.runId === first ? null : first,
    at,
  });
  if (isDisabled(execution)) return;
  const refused = first === null && isRefusedByPlan(error?.code);
  const unasked = refused || (first === null && status === 'CANCELLED');
  // Only what was completed is repeated.
  const asked = first !== null || status === 'COMPLETED';
  // Whoever asked for it himself was told by the run.
  const skip = refused && execution.tickAt ? { reason: error?.message ?? '', at } : undefined;
  const toldOfWorker = settled === last && (await isToldOfWorker(tx, run, error));
  await follow(ports, tx, execution, settled, { unasked, skip: asked ? null : skip, toldOfWorker });
}

/** Whoever disabled the probe does not want to hear of a tick that was still under way; who runs it now does. */
const isDisabled = ({ tickAt, enabled, autoPausedAt }: Execution): boolean =>
  tickAt !== null && !enabled && autoPausedAt === null;

const isBad = ({ grade: { status } }: Settled): boolean => status === 'DEGRADED' || status === 'UNHEALTHY';

type Circumstances = {
  /** It says nothing of the target. */
  readonly unasked: boolean;
  /** Why a tick was refused; null: what stands there is cleared; undefined: it stays. */
  readonly skip: { readonly reason: string; readonly at: Date } | null | undefined;
  /** Nobody could carry it, and that is known. */
  readonly toldOfWorker: boolean;
};

async function follow(
  ports: Ports,
  tx: Tx,
  probe: Execution,
  { grade: { status }, runId }: Settled,
  { unasked, skip, toldOfWorker }: Circumstances,
): Promise<void> {
  const now = step(HEALTH, probe.status, unasked ? 'refused' : status) ?? probe.status;
  const tells = now !== probe.toldStatus && !toldOfWorker;
  const incident = await openIncidentOf(tx, probe.probeId);
  const before = { strikes: probe.strikes, incident: incident?.severity ?? ('NONE' as const) };
  const after = stand(before, unasked ? 'UNKNOWN' : status, probe.alertStrikeRuns);
  const health = { status: now, toldStatus: tells ? now : probe.toldStatus, strikes: after.strikes };
  await changeHealth(tx, probe.probeId, health, skip);
  if (tells) {
    const data = { ...wordsOf(probe), from: probe.toldStatus, to: now, testRunId: runId };
    await announce(ports, tx, { kind: 'probe.status_changed', ...addressOf(probe, ports.now()), data });
  }
  await moveIncident(ports, tx, probe, incident, after.incident, runId);
}

async function gradeRun(tx: Tx, execution: Execution, runId: string): Promise<Settled> {
  const found = await evidenceOf(tx, runId);
  if (!found) return { grade: { status: 'UNKNOWN', results: [] }, steps: null, runId };
  const limits = (await thresholdsOf(tx, [execution.probeId])).filter((t) => t.enabled);
  const { status, summary, callTiming, validity, endpointId, outcome, cause, causeStatus } = found;
  const succeeded = outcome === 'SUCCESS';
  // What ended a call before its INVITE is the registrar's word, not the target's.
  const finalStatus = found.finalStatus ?? (execution.mode === 'CALL' ? null : causeStatus);
  const endpoint = endpointId === null ? null : { succeeded, party: partyOf(cause), finalStatus };
  const evidence = { status, summary, callTiming, verdict: validity?.verdict ?? null, endpoint };
  const { dnsMs, registerMs, tryingMs, ringingMs, answerMs, firstMediaMs, byeMs, optionsMs } = found;
  const steps = { dnsMs, connectMs: null, registerMs, tryingMs, ringingMs, answerMs, firstMediaMs, byeMs, optionsMs };
  const expected = execution.expectedStatusCodes;
  return { grade: grade(evidence, limits, expected), steps: endpoint && steps, runId };
}

/** Nobody could carry it, and worker.status_changed has said why. Where no worker is gone only the probe can tell. */
async function isToldOfWorker(tx: Tx, run: LockedRun, error: RunError | null | undefined): Promise<boolean> {
  const [group] = run.config.groups;
  return isWorkerTrouble(error?.code) && group !== undefined && isAnyGone(tx, run.organizationId, group.placement);
}

/** Is it the target, or the agent and its way there? Another worker tells, where there is one. False: there is none. */
async function repeatElsewhere(ports: Ports, tx: Tx, run: LockedRun, execution: Execution): Promise<boolean> {
  const [carried] = await instancesOfRun(tx, run.id);
  const [group] = run.config.groups;
  if (!carried || !group) return false;
  const online = await onlineWorkers(tx, run.organizationId);
  const others = eligible(group, online, run.config.groups, await transportsOf(tx, run), carried.workerId);
  if (others.length === 0) return false;
  const runId = uuid();
  const { probeId } = execution;
  const repetition = { runId, probeId, startedBy: null, avoidWorkerId: carried.workerId };
  await submitExecutions(ports, tx, [repetition], ports.now());
  await repeatAs(tx, execution.id, runId, run.id);
  ports.log.info({ probeId, runId, repeats: run.id }, 'execution is repeated from another worker');
  return true;
}
