/** Workers: their connections, their capacity, their enrollment. */

import { sql } from 'kysely';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { WorkerStatus } from '../../contract/worker-words.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

export type WorkerHello = {
  readonly agentVersion: string;
  readonly hostname: string;
  readonly platform: string;
  readonly cpus: number;
  readonly capacity: number;
  readonly sipListeners: readonly { address: string; port: number }[];
  readonly sipAdapter: string;
  readonly rtpAdapter: string;
  /** Absent in reports of older agents. */
  readonly rtpPriority?: string;
  readonly audioCodecs: readonly string[];
  /** Absent in reports of older agents. */
  readonly videoCodecs?: readonly string[];
  readonly encryptions?: readonly string[];
  readonly mediaSources?: readonly string[];
  readonly sipAbilities?: readonly string[];
  readonly addresses?: readonly string[];
  /** Absent or 0: two per endpoint. */
  readonly streamCapacity?: number;
  /** The two capacities are the least of these; absent in reports of older agents. `openFileStreams` 0: no limit. */
  readonly limits?: { readonly own: number; readonly openFileStreams: number; readonly portStreams: number };
  /** The calibration of the host; absent: none. */
  readonly calibration?: {
    readonly at: string;
    readonly build: string;
    readonly hardware: string;
    readonly adapter: string;
    readonly endpoints: number;
    readonly callsPerSecond: number;
    /** The reason why `capacity` ignores the calibration; null: it is used. */
    readonly unused: string | null;
  };
  readonly policy: {
    readonly targetNetworks: readonly string[];
    /** Regular expressions from the agent (proto/dialled-number.ts); absent in reports of older agents. */
    readonly refusedNumbers?: readonly string[];
    readonly allowedNumbers?: readonly string[] | null;
    readonly outsideLinePrefixes?: readonly string[];
    readonly maxCallsPerSecond: number;
    readonly maxEndpoints: number;
    readonly maxDurationSeconds: number;
    /** Absent from older agents; null: unlimited. */
    readonly maxMinutesADay?: number | null;
    /** The values are MESSAGES, BODIES and HEP. */
    readonly mayNotKeep?: readonly string[];
    /** The number of endpoints without the policy's limit; absent: not reported. */
    readonly hostCapacity?: number;
  };
};

export type WorkerRow = {
  readonly id: string;
  readonly organizationId: string | null;
  readonly name: string;
  readonly region: string;
  readonly capacity: number;
  readonly status: WorkerStatus;
  readonly connectionId: string | null;
  readonly bootId: string | null;
  /** The processes that another process has replaced. */
  readonly formerBoots: readonly string[];
  /** The last time at which a second agent with the same key was seen; null: never. */
  readonly copiedAt: Date | null;
  readonly goneAt: Date | null;
  /** The time since which the worker gets no new runs; null: it gets them. */
  readonly drainedAt: Date | null;
  readonly hello: WorkerHello;
};

const columns = [
  'w.id',
  'w.organization_id as organizationId',
  'w.name',
  'w.region',
  'w.capacity',
  'w.status',
  'w.connection_id as connectionId',
  'w.boot_id as bootId',
  'w.former_boots as formerBoots',
  'w.copied_at as copiedAt',
  'w.gone_at as goneAt',
  'w.drained_at as drainedAt',
  sql<WorkerHello>`w.hello`.as('hello'),
] as const;

export const workerByKey = (tx: Tx, publicKey: Buffer): Promise<WorkerRow | undefined> =>
  tx
    .selectFrom('workers as w')
    .where('w.public_key', '=', publicKey)
    .select([...columns])
    .forUpdate()
    .executeTakeFirst();

export const lockWorker = (tx: Tx, id: string): Promise<WorkerRow | undefined> =>
  tx
    .selectFrom('workers as w')
    .where('w.id', '=', id)
    .select([...columns])
    .forUpdate()
    .executeTakeFirst();

/** Spends a join token; undefined if it is unknown, used or expired. */
export const spendJoinToken = (tx: Tx, hash: Buffer, at: Date): Promise<{ workerId: string } | undefined> =>
  tx
    .updateTable('join_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .returning('worker_id as workerId')
    .executeTakeFirst();

export type WorkerConnection = {
  readonly connectionId: string;
  readonly bootId: string;
  readonly at: Date;
  readonly hello: WorkerHello;
};

export const connectWorker = (tx: Tx, id: string, status: WorkerStatus, c: WorkerConnection): Promise<unknown> =>
  tx
    .updateTable('workers')
    .set({
      status,
      connection_id: c.connectionId,
      boot_id: c.bootId,
      former_boots: sql<string[]>`case when boot_id is null or boot_id = ${c.bootId}::uuid then former_boots
        else (array_remove(former_boots, ${c.bootId}::uuid) || boot_id)[greatest(1, cardinality(former_boots) - 18):] end`,
      replaced_at: sql<Date>`case when boot_id is null or boot_id = ${c.bootId}::uuid then replaced_at
        else ${c.at}::timestamptz end`,
      connected_at: c.at,
      seen_at: c.at,
      gone_at: null,
      hello: JSON.stringify(c.hello),
    })
    .where('id', '=', id)
    .execute();

/** Marks a worker whose key a second agent uses. */
export const markCopied = (tx: Tx, id: string, status: WorkerStatus, at: Date): Promise<unknown> =>
  tx.updateTable('workers').set({ status, copied_at: at }).where('id', '=', id).execute();

/** Names of the run's workers whose key a second agent has used since then. */
export const copiedWorkersOf = async (tx: Tx, runId: string, since: Date): Promise<string[]> =>
  (
    await tx
      .selectFrom('workers as w')
      .where('w.copied_at', '>=', since)
      .where('w.id', 'in', (eb) =>
        eb.selectFrom('sub_population_instances').where('run_id', '=', runId).select('worker_id'),
      )
      .select('w.name')
      .orderBy('w.name')
      .execute()
  ).map(({ name }) => name);

/** The calls per second that the owners of these hosts allow. */
export const callRates = (tx: Tx, ids: readonly string[]) =>
  tx
    .selectFrom('workers as w')
    .where('w.id', 'in', [...ids])
    .select(['w.id', 'w.name', sql<number>`(w.hello -> 'policy' ->> 'maxCallsPerSecond')::float8`.as('perSecond')])
    .execute();

/** Stores the changed policy of the host, on this connection; `capacity` is as in a greeting. */
export const setWorkerPolicy = (tx: Tx, connectionId: string, policy: WorkerHello['policy']): Promise<unknown> =>
  sql`update workers set
        hello = hello || jsonb_build_object('policy', ${JSON.stringify(policy)}::jsonb)
          || case when ${policy.hostCapacity ?? 0}::int > 0
               then jsonb_build_object('capacity', least(${policy.hostCapacity ?? 0}::int, ${policy.maxEndpoints}::int))
               else '{}'::jsonb end,
        updated_at = now()
      where connection_id = ${connectionId}::uuid`.execute(tx);

type Placement = TestConfig['groups'][number]['placement'];

export type Moved = Pick<WorkerRow, 'id' | 'name' | 'region' | 'organizationId'> & { readonly from: WorkerStatus };

/** Marks the worker gone if it is still on this connection; undefined if a newer one has replaced it. */
export const disconnectWorker = async (tx: Tx, connectionId: string, at: Date): Promise<Moved | undefined> =>
  (
    await sql<Moved>`
      with before as (
        select id, status from workers
        where connection_id = ${connectionId}::uuid and status in ('ONLINE', 'DRAINING', 'ERROR') for update)
      update workers w set status = 'OFFLINE', gone_at = ${at}::timestamptz from before b where w.id = b.id
      returning w.id, w.name, w.region, w.organization_id as "organizationId", b.status as "from"`.execute(tx)
  ).rows[0];

/** Connections that were not renewed since `before`: their replica was killed. */
export const silentConnections = (tx: Tx, before: Date): Promise<{ connectionId: string }[]> =>
  tx
    .selectFrom('workers as w')
    .where('w.status', 'in', ['ONLINE', 'DRAINING', 'ERROR'])
    .where('w.seen_at', '<', before)
    .where('w.connection_id', 'is not', null)
    .select(sql<string>`w.connection_id`.as('connectionId'))
    .execute();

/** True if a worker that a placement names or matches was online before and is gone. */
export const isAnyGone = async (tx: Tx, organizationId: string, placement: Placement): Promise<boolean> =>
  (await tx
    .selectFrom('workers as w')
    .where((eb) => eb.or([eb('w.organization_id', '=', organizationId), eb('w.organization_id', 'is', null)]))
    .where('w.status', '=', 'OFFLINE')
    .where('w.gone_at', 'is not', null)
    .where((eb) =>
      placement.mode === 'REGION' ? eb('w.region', '=', placement.region) : eb('w.id', 'in', placement.workerIds),
    )
    .select('w.id')
    .executeTakeFirst()) !== undefined;

/** The endpoints at work at the same time, and their streams. */
type Reserved = { readonly reserved: number; readonly reservedStreams: number };

const candidates = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('workers as w')
    .where((eb) => eb.or([eb('w.organization_id', '=', organizationId), eb('w.organization_id', 'is', null)]))
    .where('w.status', '=', 'ONLINE')
    .select([...columns])
    .orderBy('w.id');

/** The organization's workers and the installation's shared ones, locked, with what other runs occupy. */
export const lockCandidates = async (tx: Tx, organizationId: string): Promise<(WorkerRow & Reserved)[]> =>
  withReserved(tx, await candidates(tx, organizationId).forUpdate().execute());

/** The same without locks, for readers that change nothing. */
export const listCandidates = async (tx: Tx, organizationId: string): Promise<(WorkerRow & Reserved)[]> =>
  withReserved(tx, await candidates(tx, organizationId).execute());

async function withReserved(tx: Tx, workers: readonly WorkerRow[]): Promise<(WorkerRow & Reserved)[]> {
  if (workers.length === 0) return [];
  const used = await reservedBy(
    tx,
    workers.map((w) => w.id),
  );
  return workers.map((w) => {
    const { endpoints = 0, streams = 0 } = used.find((u) => u.workerId === w.id) ?? {};
    return { ...w, reserved: endpoints, reservedStreams: streams };
  });
}

/** An endpoint has one stream for each track of its group. */
const reservedBy = (tx: Tx, ids: readonly string[]) =>
  tx
    .selectFrom('sub_population_instances as i')
    .innerJoin('test_runs as r', 'r.id', 'i.run_id')
    .where('i.worker_id', 'in', ids)
    .where('i.status', 'in', OPEN_INSTANCE_STATUSES)
    .groupBy('i.worker_id')
    .select([
      'i.worker_id as workerId',
      sql<number>`sum(coalesce(i.at_once, i.endpoints))`.as('endpoints'),
      sql<number>`sum(coalesce(i.at_once, i.endpoints) * jsonb_array_length(jsonb_path_query_array(r.config,
        '$.groups[*] ? (@.id == $group).mediaTracks[*]', jsonb_build_object('group', i.group_id))))`.as('streams'),
    ])
    .execute();

/** Online workers with their places, without a lock, to decide whether another worker can be asked. */
export const onlineWorkers = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('workers as w')
    .where((eb) => eb.or([eb('w.organization_id', '=', organizationId), eb('w.organization_id', 'is', null)]))
    .where('w.status', '=', 'ONLINE')
    .select(['w.id', 'w.name', 'w.region', sql<WorkerHello>`w.hello`.as('hello')])
    .execute();

/**
 * Marks these connections as alive and revives workers that were marked OFFLINE during a database outage. Returns those
 * that are still their worker's connection; the others were replaced or their worker was deleted.
 */
export const seeConnections = async (
  tx: Tx,
  connectionIds: readonly string[],
  at: Date,
  /** A copied identity that was last seen before this instant counts as one agent again. */
  copiedBefore: Date,
): Promise<(Moved & { readonly connectionId: string; readonly to: WorkerStatus })[]> =>
  (
    await sql<Moved & { connectionId: string; to: WorkerStatus }>`
      with before as (
        select id, status from workers where connection_id = any (${texts(connectionIds)}::uuid[]) order by id for update)
      update workers w set seen_at = ${at}::timestamptz, gone_at = null,
        status = case when w.status = 'ERROR' and coalesce(w.copied_at >= ${copiedBefore}::timestamptz, true) then w.status
          when w.status not in ('OFFLINE', 'ERROR') then w.status when w.drained_at is null then 'ONLINE' else 'DRAINING' end
      from before b where w.id = b.id
      returning w.id, w.name, w.region, w.organization_id as "organizationId", b.status as "from",
        w.status as "to", w.connection_id as "connectionId"`.execute(tx)
  ).rows;

/** The workers among these ids that the organization may use; they are locked until the transaction ends. */
export const holdWorkers = async (tx: Tx, organizationId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await tx
      .selectFrom('workers')
      .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
      .where((eb) => eb.or([eb('organization_id', '=', organizationId), eb('organization_id', 'is', null)]))
      .select('id')
      .orderBy('id')
      .forKeyShare()
      .execute()
  ).map((row) => row.id);

export const workerStatusCounts = (tx: Tx) =>
  tx
    .selectFrom('workers')
    .groupBy('status')
    .select(['status', sql<number>`count(*)`.as('n')])
    .execute();
