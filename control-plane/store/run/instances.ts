/** Sub-population instances: the parts of a run on workers. */

import { sql } from 'kysely';
import type { InstanceStatus } from '../../contract/run/words.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { isLasting } from './run-rows.ts';

export type InstanceRow = {
  readonly runId: string;
  readonly id: string;
  readonly groupId: string;
  readonly workerId: string;
  readonly role: EndpointType;
  readonly endpoints: number;
  readonly status: InstanceStatus;
};

const columns = [
  'run_id as runId',
  'id',
  'group_id as groupId',
  'worker_id as workerId',
  'role',
  'endpoints',
  'status',
] as const;

export const insertInstances = (
  tx: Tx,
  runId: string,
  rows: readonly {
    id: string;
    subPopulationId: string;
    groupId: string;
    workerId: string;
    role: EndpointType;
    endpoints: number;
    atOnce: number;
  }[],
): Promise<unknown> =>
  tx
    .insertInto('sub_population_instances')
    .values(
      rows.map((r) => ({
        run_id: runId,
        id: r.id,
        sub_population_id: r.subPopulationId,
        group_id: r.groupId,
        worker_id: r.workerId,
        role: r.role,
        endpoints: r.endpoints,
        at_once: r.atOnce,
        status: 'ALLOCATED' as const,
      })),
    )
    .execute();

export const instancesOfRun = (tx: Tx, runId: string): Promise<InstanceRow[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('run_id', '=', runId)
    .select([...columns])
    .orderBy('id')
    .execute();

/** The other instances of the same group. */
export const siblingInstances = (tx: Tx, { runId, id }: Pick<InstanceRow, 'runId' | 'id'>): Promise<InstanceRow[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('run_id', '=', runId)
    .where('id', '<>', id)
    .where('group_id', '=', (q) =>
      q
        .selectFrom('sub_population_instances as s')
        .where('s.run_id', '=', runId)
        .where('s.id', '=', id)
        .select('s.group_id'),
    )
    .select([...columns])
    .orderBy('id')
    .execute();

export const lockInstancesOfRun = (tx: Tx, runId: string): Promise<InstanceRow[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('run_id', '=', runId)
    .select([...columns])
    .orderBy('id')
    .forUpdate()
    .execute();

/** The instances among `ids` on this worker, locked against a change of status while facts are written. */
export const shareInstances = (tx: Tx, workerId: string, ids: readonly string[]): Promise<InstanceRow[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('worker_id', '=', workerId)
    .where('id', 'in', ids)
    .select([...columns])
    .orderBy('id')
    .forShare()
    .execute();

/** The instances among `ids` that are or were on another worker. */
export const instancesOfOthers = async (tx: Tx, workerId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await tx
      .selectFrom('sub_population_instances')
      .where('worker_id', '!=', workerId)
      .where('id', 'in', ids)
      .select('id')
      .execute()
  ).map((row) => row.id);

/** The position of an instance's endpoints in the run, and data common to all their calls. */
export type EndpointRange = {
  readonly first: number;
  readonly last: number;
  /** The distance between the numbers of an endpoint's calls in the run; 0: each endpoint has one call. */
  readonly apart: number;
  readonly registrarId: string;
  readonly registrarUri: string;
  readonly countsAsCall: boolean;
  /** Null: the endpoints do not all have the same target. */
  readonly calleeUri: string | null;
  /** Not every call of the run is kept. */
  readonly keepsSome: boolean;
  /** The run's calls are added to sums. */
  readonly isFolded: boolean;
};

export const endpointRanges = async (
  tx: Tx,
  instances: readonly Pick<InstanceRow, 'id' | 'runId'>[],
): Promise<(EndpointRange & { readonly id: string })[]> => {
  const runIds = texts([...new Set(instances.map((i) => i.runId))]);
  return (
    await sql<EndpointRange & { id: string }>`
      with r as materialized (
        select r.id, r.endpoints, ${isLasting} as lasting, r.keeping is not null as keeps_some, r.folded
        from test_runs r where r.id = any (${runIds}::uuid[]))
      select e.instance_id as id, min(e.number) as first, max(e.number) as last,
        case when r.lasting then r.endpoints else 0 end as apart,
        (min(e.registrar_id::text))::uuid as "registrarId", bool_and(e.counts_as_call) as "countsAsCall",
        coalesce(min(g.uri), '(deleted)') as "registrarUri",
        case when min(e.callee_uri) = max(e.callee_uri) then min(e.callee_uri) end as "calleeUri",
        r.keeps_some as "keepsSome", r.folded as "isFolded"
      from endpoints e join r on r.id = e.run_id left join registrars g on g.id = e.registrar_id
      where e.run_id = any (${runIds}::uuid[]) and e.instance_id = any (${texts(instances.map((i) => i.id))}::uuid[])
        and (e.number < r.endpoints or not r.lasting)
      group by e.instance_id, r.endpoints, r.lasting, r.keeps_some, r.folded`.execute(tx)
  ).rows;
};

/** Instances of a run that have an endpoint without an end. */
export const instancesWithOpenEndpoints = async (tx: Tx, runId: string): Promise<Set<string>> =>
  new Set(
    (
      await tx
        .selectFrom('endpoints')
        .where('run_id', '=', runId)
        .where('outcome', 'is', null)
        .select('instance_id')
        .distinct()
        .execute()
    ).map((row) => row.instance_id),
  );

export const runsOfInstances = (tx: Tx, workerId: string, ids: readonly string[]): Promise<{ runId: string }[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('worker_id', '=', workerId)
    .where('id', 'in', ids)
    .select('run_id as runId')
    .distinct()
    .orderBy('run_id')
    .execute();

export const setInstanceStatus = (
  tx: Tx,
  runId: string,
  id: string,
  status: InstanceStatus,
  reason: string | null = null,
): Promise<unknown> =>
  tx
    .updateTable('sub_population_instances')
    .set({ status, reason, updated_at: sql`now()` })
    .where('run_id', '=', runId)
    .where('id', '=', id)
    .execute();

/** The instances of a worker that occupy it, with their runs. */
export const openInstancesOfWorker = (tx: Tx, workerId: string): Promise<InstanceRow[]> =>
  tx
    .selectFrom('sub_population_instances')
    .where('worker_id', '=', workerId)
    .where('status', 'in', OPEN_INSTANCE_STATUSES)
    .select([...columns])
    .orderBy('run_id')
    .orderBy('id')
    .execute();

export const instanceViews = (tx: Tx, runId: string) =>
  tx
    .selectFrom('sub_population_instances as i')
    .innerJoin('workers as w', 'w.id', 'i.worker_id')
    .where('i.run_id', '=', runId)
    .select([
      'i.id',
      'i.endpoints',
      'i.status',
      'i.sub_population_id as subPopulationId',
      'w.id as workerId',
      'w.name as workerName',
      sql<boolean>`w.organization_id is null`.as('isPlatform'),
    ])
    .orderBy('i.id')
    .execute();
