/** A run waits for its agents: a job looks for them every few seconds, until they are there or the time is up. */
import type { Input } from '../../../contract/catalogue.ts';
import { distribute } from '../../../domain/run/plan/distribute.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import type { BeforeLoad, FeatureRunFields, RunDetailRow } from '../../../hooks.ts';
import { bearerOf, demandsOf, groupOf, shortage } from '../../../operations/run/allocate.ts';
import { moveRun, runError } from '../../../operations/run/move.ts';
import { nobody, transportsOf } from '../../../operations/submission/eligible.ts';
import type { Ports } from '../../../ports.ts';
import { listCandidates } from '../../../store/agents/workers.ts';
import type { Tx } from '../../../store/db.ts';
import { type LockedRun, lockRun } from '../../../store/run/locked-run.ts';
import { insertWait, setFound, waitOf } from '../store/waits.ts';

const LOOK_SECONDS = 2;

export async function newWait(ports: Ports, _: Tx, { waitForAgents }: Input<'runTest'>): Promise<BeforeLoad | null> {
  if (waitForAgents === undefined) return null;
  const { agents = null, withinSeconds } = waitForAgents;
  return {
    longestSeconds: withinSeconds,
    begin: async (tx, runId) => {
      await insertWait(tx, { runId, agents, until: secondsAfter(ports.now(), withinSeconds) });
      await ports.jobs.enqueue(tx, 'run.wait', { runId });
    },
  };
}

export async function waitedSeconds(tx: Tx, runId: string): Promise<number | null> {
  const wait = await waitOf(tx, runId);
  return wait ? (wait.until.getTime() - wait.submittedAt.getTime()) / 1000 : null;
}

export async function waitingField(tx: Tx, { id, status }: RunDetailRow): Promise<Pick<FeatureRunFields, 'waiting'>> {
  const wait = status === 'PENDING' ? await waitOf(tx, id) : undefined;
  if (!wait) return { waiting: null };
  const { agents, online, missing, until } = wait;
  return { waiting: { agents, online, missing, until: until.toISOString() } };
}

export const stepWait = (ports: Ports, { runId }: { readonly runId: string }): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    const wait = await waitOf(tx, runId);
    if (run?.status !== 'PENDING' || !wait) return;
    const at = ports.now();
    const { online, missing } = await look(tx, run, wait.agents);
    await setFound(tx, runId, online, missing);
    if (missing === null) {
      await ports.jobs.enqueue(tx, 'run.validate', { runId });
    } else if (at >= wait.until) {
      const code = online === 0 ? 'NO_ONLINE_WORKER' : 'INSUFFICIENT_CAPACITY';
      const message = `The run has waited for its agents as long as it may. ${missing}`;
      await moveRun(ports, tx, run, 'refused', { error: runError(code, message, at) });
    } else {
      await ports.jobs.enqueue(tx, 'run.wait', { runId }, { startAfter: secondsAfter(at, LOOK_SECONDS) });
    }
  });

/** The agents that can carry a part of the run now, and what is missing, in words. */
async function look(
  tx: Tx,
  run: LockedRun,
  wanted: number | null,
): Promise<{ online: number; missing: string | null }> {
  const candidates = (await listCandidates(tx, run.organizationId)).filter((c) => c.hello.sipListeners.length > 0);
  const transports = await transportsOf(tx, run);
  const demands = demandsOf(run, candidates, transports);
  const online = new Set(demands.flatMap((d) => d.eligible)).size;
  if (wanted !== null)
    return {
      online,
      missing: online >= wanted ? null : `${online} of ${wanted} agents are online that can carry a part of it.`,
    };
  const unmanned = demands.find((d) => d.eligible.length === 0);
  if (unmanned) return { online, missing: nobody(groupOf(run, unmanned), candidates, run.config.groups, transports) };
  const bearers = candidates.map((c) => bearerOf(c, run.reserveShare));
  const drawn = distribute(demands, bearers);
  return { online, missing: 'shortOf' in drawn ? shortage(run, drawn.shortOf, candidates) : null };
}
