/** QUEUED: reserves capacity under row locks, plans the whole run, and sends every agent its part. */
import type { Group } from '../../contract/test-settings/test.ts';
import { mayBePaired, namesOf } from '../../domain/pairing/planned-names.ts';
import { completeConfig } from '../../domain/run/group/scenario.ts';
import { streamsOf } from '../../domain/run/group/without-media.ts';
import { hasCallAfterCall } from '../../domain/run/load/callers.ts';
import { type Keeping, keepingOf } from '../../domain/run/load/keeping.ts';
import { allocateOrder } from '../../domain/run/orders/orders.ts';
import { capacityOf, leftToProbes, noRoom, streamCapacityOf } from '../../domain/run/plan/capacity.ts';
import { type Bearer, type Demand, distribute, overRegions } from '../../domain/run/plan/distribute.ts';
import { peaks } from '../../domain/run/plan/peak.ts';
import { type PlanInput, planRun, registers } from '../../domain/run/plan/plan.ts';
import { mediaFileIds, mediaMissing } from '../../domain/run/preflight/needs.ts';
import type { Ports } from '../../ports.ts';
import { lockCandidates } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { mediaNames } from '../../store/project/media-files.ts';
import { registrarPlansWithKeys, sipAccountPlans } from '../../store/project/registrars.ts';
import { insertEndpoints } from '../../store/run/endpoints.ts';
import { insertInstances, instancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, lockRun, setKeeping, setRunMedia } from '../../store/run/locked-run.ts';
import { SecretUnreadable } from '../../store/secrets/sealing.ts';
import { eligible, inRegion, nobody, regionsOf, type Transports, transportsOf, where } from '../submission/eligible.ts';
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
    const drawn = distribute(
      demands,
      candidates.map((c) => bearerOf(c, run.reserveShare)),
    );
    if ('shortOf' in drawn) {
      await unable('INSUFFICIENT_CAPACITY', shortage(run, drawn.shortOf, candidates));
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
  const secrets = await secretsOf(tx, run);
  if (secrets instanceof SecretUnreadable) {
    const error = runError('SECRET_UNREADABLE', secrets.message, ports.now());
    await moveRun(ports, tx, run, 'unallocated', { error });
    return;
  }
  const input: PlanInput = {
    config: run.config,
    buildupSeconds: run.buildupSeconds,
    parts,
    listeners: new Map(candidates.map((c) => [c.id, c.hello.sipListeners])),
    ...secrets,
    runToken: run.id.replaceAll('-', '').slice(-10),
    newId,
  };
  const media = await mediaNames(tx, run.projectId, mediaFileIds(run.config));
  const checksums = new Map(media.map(({ mediaFileId, sha256 }) => [mediaFileId, sha256]));
  const gone = run.config.groups.find((group) => mediaFileIds({ groups: [group] }).some((id) => !checksums.has(id)));
  if (gone) {
    const { code, message } = mediaMissing(gone);
    await moveRun(ports, tx, run, 'unallocated', { error: runError(code, message, ports.now()) });
    return;
  }
  const keeping = keepingOf(run);
  const plan = planned(ports, run, input, checksums, keeping);
  if (plan === null) {
    const message = 'The run could not be planned. Has its project been changed meanwhile? Run the test again.';
    await moveRun(ports, tx, run, 'broken', { error: runError('INTERNAL', message, ports.now()) });
    return;
  }
  const { instances, orders } = plan;
  if (keeping !== null) await setKeeping(tx, run.id, keeping);
  if (media.length > 0) await setRunMedia(tx, run.id, media);
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
      atOnce: i.atOnce,
    })),
  );
  const isCompared = mayBePaired(instances);
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
        names: isCompared ? namesOf(i, e) : null,
      })),
    ),
  );
  for (const { workerId, body } of orders) await order(tx, workerId, body);
  ports.log.info({ runId: run.id, instances: instances.length, endpoints: run.endpoints }, 'run allocated');
}

/** The registrars and accounts of the run, with their credentials. */
async function secretsOf(tx: Tx, { projectId, config }: LockedRun) {
  const ids = config.groups.map((g) => g.registrarId);
  try {
    const registrars = await registrarPlansWithKeys(tx, projectId, ids);
    const accounts = await sipAccountPlans(tx, projectId, ids);
    return {
      registrars: new Map(registrars.map((r) => [r.id, r])),
      accounts: Map.groupBy(accounts, (a) => a.registrarId),
    };
  } catch (error) {
    if (error instanceof SecretUnreadable) return error;
    throw error;
  }
}

/** Null: the run cannot be planned, and a new attempt would not change that. */
function planned(
  ports: Ports,
  run: LockedRun,
  input: PlanInput,
  checksums: ReadonlyMap<string, string>,
  keeping: Keeping | null,
) {
  try {
    const instances = planRun(input);
    return {
      instances,
      orders: instances.map((i) => ({ workerId: i.workerId, body: allocateOrder(run, i, checksums, keeping) })),
    };
  } catch (error) {
    const { message, stack } = error as Error;
    ports.log.error({ runId: run.id, error: message, stack }, 'the run cannot be planned');
    return null;
  }
}

type Planned = Pick<LockedRun, 'config' | 'avoidWorkerId' | 'buildupSeconds' | 'durationSeconds' | 'reserveShare'>;

export function demandsOf(run: Planned, candidates: readonly Candidate[], transports: Transports): Demand[] {
  const registersAt = (id: string): boolean => {
    const registrar = transports.get(id);
    return registrar !== undefined && registers(registrar);
  };
  const config = completeConfig(run.config);
  const atOnce = peaks(config, run, registersAt);
  const able = (group: Group) => eligible(group, candidates, run.config.groups, transports, run.avoidWorkerId);
  return config.groups.flatMap((group) =>
    group.subPopulations.flatMap((s) => {
      const demand = {
        subPopulationId: s.id,
        endpoints: s.endpoints,
        atOnce: atOnce.get(s.id) ?? s.endpoints,
        streams: streamsOf(group),
        receives: s.role === 'CALLEE',
        eligible: able(group),
      };
      const regions = regionsOf(group);
      return regions === null ? [demand] : overRegions(demand, regions, (region) => able(inRegion(group, region)));
    }),
  );
}

/** A worker with its free capacity for a run that leaves a share to probes. */
export function bearerOf({ id, reserved, reservedStreams, ...c }: Candidate, reserveShare: number): Bearer {
  const [capacity, streamCapacity] = [capacityOf(c, 0), streamCapacityOf(c)];
  return {
    workerId: id,
    capacity: capacity - leftToProbes(capacity, reserveShare),
    reserved,
    streamCapacity: streamCapacity - leftToProbes(streamCapacity, reserveShare),
    reservedStreams,
    countsEndpoints: c.hello.limits === undefined,
  };
}

type Shortage = Extract<ReturnType<typeof distribute>, { shortOf: unknown }>['shortOf'];

/** Says what is missing in numbers, with solutions. */
export function shortage(run: Planned, { demand, room }: Shortage, candidates: readonly Candidate[]): string {
  const group = groupOf(run, demand);
  const workers = candidates.filter((c) => demand.eligible.includes(c.id));
  const short = { ...demand, room, group: group.name, streams: streamsOf(group), lasts: hasCallAfterCall(group) };
  return noRoom(short, workers, where(group), run.reserveShare);
}

/** The group of a demand, or its part in the demand's region. */
export function groupOf({ config }: Pick<Planned, 'config'>, { subPopulationId, region }: Demand) {
  const group = config.groups.find((g) => g.subPopulations.some((s) => s.id === subPopulationId));
  if (group === undefined) throw new Error(`the test has no sub-population ${subPopulationId}`);
  return region === undefined ? group : inRegion(group, region);
}
