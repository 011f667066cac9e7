/** QUEUED: room is reserved under row locks, the whole run is planned, and every agent gets its part of it. */
import { v7 as uuid } from 'uuid';
import { type Bearer, type Demand, distribute } from '../../domain/run/distribute.ts';
import { mediaFileIds, mediaGone } from '../../domain/run/needs.ts';
import { allocateOrder } from '../../domain/run/orders.ts';
import { type PlanInput, planRun } from '../../domain/run/plan.ts';
import { completeGroup } from '../../domain/run/scenario.ts';
import { streamsOf } from '../../domain/run/without-media.ts';
import type { Ports } from '../../ports.ts';
import { lockCandidates } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { registrarPlans, sipAccountPlans } from '../../store/project/registrars.ts';
import { insertEndpoints } from '../../store/run/endpoints.ts';
import { insertInstances, instancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, lockRun } from '../../store/run/runs.ts';
import { eligible, nobody, type Transports, transportsOf, where } from './eligible.ts';
import { moveRun, runError } from './move.ts';
import { order } from './order.ts';

type Candidate = Awaited<ReturnType<typeof lockCandidates>>[number];

export const allocateRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'QUEUED' || (await instancesOfRun(tx, runId)).length > 0) return;
    const candidates = (await lockCandidates(tx, run.organizationId)).filter((c) => c.hello.sipListeners.length > 0);
    const transports = await transportsOf(tx, run);
    const demands = demandsOf(run, candidates, transports);
    const unable = (code: 'NO_ONLINE_WORKER' | 'INSUFFICIENT_CAPACITY', message: string) =>
      moveRun(ports, tx, run, 'unallocated', { error: runError(code, message, ports.now()) });
    const unmanned = demands.find((d) => d.eligible.length === 0);
    if (unmanned) {
      await unable('NO_ONLINE_WORKER', nobody(groupOf(run, unmanned), candidates, run.config.groups, transports));
      return;
    }
    const drawn = distribute(demands, candidates.map(bearerOf));
    if ('shortOf' in drawn) {
      const { endpoints, room } = drawn.shortOf;
      const group = groupOf(run, drawn.shortOf);
      const place = where(group.placement);
      await unable(
        'INSUFFICIENT_CAPACITY',
        `Group ${group.name} needs ${endpoints} endpoints, the workers ${place} have room for ${room}.`,
      );
      return;
    }
    await handOut(ports, tx, run, candidates, drawn.parts);
  });

async function handOut(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  candidates: readonly Candidate[],
  parts: Parameters<typeof planRun>[0]['parts'],
): Promise<void> {
  const registrars = await registrarPlans(tx, run.projectId);
  const input: PlanInput = {
    config: run.config,
    buildupSeconds: run.buildupSeconds,
    parts,
    listeners: new Map(candidates.map((c) => [c.id, c.hello.sipListeners])),
    registrars: new Map(registrars.map((r) => [r.id, r])),
    accounts: Map.groupBy(await sipAccountPlans(tx, run.projectId), (a) => a.registrarId),
    runToken: run.id.replaceAll('-', '').slice(-10),
    newId: uuid,
  };
  const checksums = await mediaChecksums(tx, run.projectId, mediaFileIds(run.config));
  const gone = run.config.groups.find((group) => mediaFileIds({ groups: [group] }).some((id) => !checksums.has(id)));
  if (gone) {
    const { code, message } = mediaGone(gone);
    await moveRun(ports, tx, run, 'unallocated', { error: runError(code, message, ports.now()) });
    return;
  }
  const plan = planned(ports, run, input, checksums);
  if (plan === null) {
    const message = 'The run could not be planned. Has its project been changed meanwhile? Run the test again.';
    await moveRun(ports, tx, run, 'broken', { error: runError('INTERNAL', message, ports.now()) });
    return;
  }
  const { instances, orders } = plan;
  await insertInstances(
    tx,
    run.id,
    instances.map((i) => ({
      id: i.id,
      subPopulationId: i.subPopulationId,
      groupId: i.group.id,
      workerId: i.workerId,
      role: i.role,
      endpoints: i.endpoints.length,
    })),
  );
  await insertEndpoints(
    tx,
    run.id,
    instances.flatMap((i) =>
      i.endpoints.map((e) => ({
        number: e.number,
        id: e.id,
        instanceId: i.id,
        workerId: i.workerId,
        registrarId: i.registrar.id,
        endpointType: i.role,
        calleeUri: e.calleeUri,
        countsAsCall: e.countsAsCall,
      })),
    ),
  );
  for (const { workerId, body } of orders) await order(tx, workerId, body);
  ports.log.info({ runId: run.id, instances: instances.length, endpoints: run.endpoints }, 'run allocated');
}

/** null: it cannot be planned, now or when it is tried again. */
function planned(ports: Ports, run: LockedRun, input: PlanInput, checksums: ReadonlyMap<string, string>) {
  try {
    const instances = planRun(input);
    return {
      instances,
      orders: instances.map((i) => ({ workerId: i.workerId, body: allocateOrder(run, i, checksums) })),
    };
  } catch (error) {
    const { message, stack } = error as Error;
    ports.log.error({ runId: run.id, error: message, stack }, 'the run cannot be planned');
    return null;
  }
}

type Planned = Pick<LockedRun, 'config' | 'avoidWorkerId'>;

export function demandsOf(run: Planned, candidates: readonly Candidate[], transports: Transports): Demand[] {
  return run.config.groups.flatMap((group) =>
    group.subPopulations.map((s) => ({
      subPopulationId: s.id,
      endpoints: s.endpoints,
      streams: streamsOf(completeGroup(group)),
      receives: s.role === 'CALLEE',
      eligible: eligible(group, candidates, run.config.groups, transports, run.avoidWorkerId),
    })),
  );
}

export const bearerOf = ({ id, reserved, reservedStreams, ...c }: Candidate): Bearer => ({
  workerId: id,
  capacity: capacityOf(c),
  reserved,
  streamCapacity: c.hello.streamCapacity || 2 * c.hello.capacity,
  reservedStreams,
});

const groupOf = (run: LockedRun, { subPopulationId }: { subPopulationId: string }) =>
  run.config.groups.find((g) =>
    g.subPopulations.some((s) => s.id === subPopulationId),
  ) as LockedRun['config']['groups'][number];

/** The least of what the operator says in the dashboard, what the agent can do, and what its host's owner allows. */
const capacityOf = (c: Pick<Candidate, 'capacity' | 'hello'>): number =>
  Math.min(c.capacity, c.hello.capacity, c.hello.policy.maxEndpoints);
