/** Maintenance windows, of a project or of one probe. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { changedNow } from '../versions.ts';

export type MaintenanceFilter = {
  readonly state?: 'PLANNED' | 'CURRENT' | 'PAST' | undefined;
  readonly probeId?: string | undefined;
};

const windows = (tx: Tx, projectId: string, { state, probeId }: MaintenanceFilter, now: Date) =>
  tx
    .selectFrom('maintenance_windows as m')
    .where('m.project_id', '=', projectId)
    .$if(state === 'PLANNED', (q) => q.where('m.starts_at', '>', now))
    .$if(state === 'CURRENT', (q) => q.where('m.starts_at', '<=', now).where('m.ends_at', '>', now))
    .$if(state === 'PAST', (q) => q.where('m.ends_at', '<=', now))
    .$if(probeId !== undefined, (q) =>
      q.where((eb) => eb.or([eb('m.probe_id', 'is', null), eb('m.probe_id', '=', probeId as string)])),
    );

const shown = (tx: Tx, projectId: string, filter: MaintenanceFilter, now: Date) =>
  windows(tx, projectId, filter, now)
    .leftJoin('probes as p', 'p.id', 'm.probe_id')
    .leftJoin('users as u', 'u.id', 'm.created_by')
    .select([
      'm.id',
      'm.probe_id as probeId',
      'p.name as probeName',
      'm.starts_at as startsAt',
      'm.ends_at as endsAt',
      'm.note',
      'u.name as createdBy',
      'm.version',
      'm.created_at as createdAt',
      'm.updated_at as updatedAt',
    ]);

const SORTED_BY = { startsAt: ['m.starts_at', 'instant'] } as const;

export const listWindows = (
  tx: Tx,
  projectId: string,
  { sort, ...filter }: MaintenanceFilter & { readonly sort: SortOf<typeof SORTED_BY> },
  now: Date,
  w: Slice,
) => sliced(shown(tx, projectId, filter, now), orderOf(SORTED_BY, sort, ['m.id', 'id']), w).execute();

export const countWindows = async (tx: Tx, projectId: string, filter: MaintenanceFilter, now: Date): Promise<number> =>
  (await windows(tx, projectId, filter, now).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

export const findWindow = (tx: Tx, projectId: string, id: string) =>
  shown(tx, projectId, {}, new Date(0)).where('m.id', '=', id).executeTakeFirst();

export const lockWindow = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('maintenance_windows')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'version', 'starts_at as startsAt', 'ends_at as endsAt'])
    .forUpdate()
    .executeTakeFirst();

export type NewWindow = {
  readonly id: string;
  readonly projectId: string;
  readonly probeId: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly note: string;
  readonly createdBy: string | null;
};

/** False: the project has no such probe. */
export const insertWindow = async (tx: Tx, w: NewWindow): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into maintenance_windows (id, project_id, probe_id, starts_at, ends_at, note, created_by)
    select ${w.id}::uuid, ${w.projectId}::uuid, ${w.probeId}::uuid, ${w.startsAt}::timestamptz, ${w.endsAt}::timestamptz, ${w.note}::text,
      ${w.createdBy}::uuid
    where ${w.probeId}::uuid is null
      or exists (select from probes where id = ${w.probeId}::uuid and project_id = ${w.projectId}::uuid)`.execute(tx);
  return numAffectedRows === 1n;
};

export const changeWindow = (
  tx: Tx,
  id: string,
  change: { readonly startsAt?: Date; readonly endsAt?: Date; readonly note?: string },
): Promise<unknown> =>
  tx
    .updateTable('maintenance_windows')
    .set({
      ...(change.startsAt && { starts_at: change.startsAt }),
      ...(change.endsAt && { ends_at: change.endsAt }),
      ...(change.note !== undefined && { note: change.note }),
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();

export const deleteWindow = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('maintenance_windows').where('id', '=', id).execute();

/** The end of the last of the probe's windows that overlap this span; null: none. */
export const maintenanceIn = async (
  tx: Tx,
  probe: { readonly probeId: string; readonly projectId: string },
  from: Date,
  to: Date,
): Promise<Date | null> =>
  (
    await tx
      .selectFrom('maintenance_windows')
      .where('project_id', '=', probe.projectId)
      .where((eb) => eb.or([eb('probe_id', 'is', null), eb('probe_id', '=', probe.probeId)]))
      .where('starts_at', '<=', to)
      .where('ends_at', '>', from)
      .select(sql<Date | null>`max(ends_at)`.as('until'))
      .executeTakeFirstOrThrow()
  ).until;

/** The end of the last open maintenance window at an instant, for the probe in the row with this alias. */
export const maintenanceUntil = (probe: string, at: Date) => {
  const [id, projectId] = [sql.ref(`${probe}.id`), sql.ref(`${probe}.project_id`)];
  return sql<Date | null>`(
    select max(m.ends_at) from maintenance_windows m where m.project_id = ${projectId}
      and (m.probe_id is null or m.probe_id = ${id}) and m.starts_at <= ${at}::timestamptz and m.ends_at > ${at}::timestamptz)`;
};
