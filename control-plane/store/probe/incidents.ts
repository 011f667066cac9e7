/** Incidents, as they open, worsen, are acknowledged and end. */
import { sql } from 'kysely';
import type { Severity } from '../../contract/probe/words.ts';
import type { Tx } from '../db.ts';
import { inOrder, type ListOrder, orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { changedNow } from '../versions.ts';

export type OpenIncident = {
  readonly id: string;
  readonly severity: Severity;
  readonly startedAt: Date;
  /** The first bad execution of the series; null: it was before this was kept. */
  readonly firstFailedAt: Date | null;
  /** What the last bad execution showed; null: the execution was before this was kept. */
  readonly reason: string | null;
};
/** One text for the organization's own users, and one for the public. */
export type Reasons = { readonly reason: string; readonly publicReason: string | null };

export const openIncidentOf = (tx: Tx, probeId: string): Promise<OpenIncident | undefined> =>
  tx
    .selectFrom('probe_incidents')
    .where('probe_id', '=', probeId)
    .where('ended_at', 'is', null)
    .select(['id', 'severity', 'started_at as startedAt', 'first_failed_at as firstFailedAt', 'reason'])
    .executeTakeFirst();

type NewIncident = Pick<OpenIncident, 'id' | 'severity' | 'startedAt' | 'firstFailedAt'> &
  Reasons & { readonly probeId: string; readonly openedByRunId: string };

export const insertIncident = (tx: Tx, i: NewIncident): Promise<unknown> =>
  tx
    .insertInto('probe_incidents')
    .values({
      id: i.id,
      probe_id: i.probeId,
      severity: i.severity,
      started_at: i.startedAt,
      first_failed_at: i.firstFailedAt,
      opened_by_run_id: i.openedByRunId,
      reason: i.reason,
      public_reason: i.publicReason,
    })
    .execute();

/** The incident continues: as bad as before, or worse. */
export const continueIncident = (
  tx: Tx,
  id: string,
  severity: Severity,
  { reason, publicReason }: Reasons,
): Promise<unknown> =>
  tx
    .updateTable('probe_incidents')
    .set({ severity, reason, public_reason: publicReason })
    .where('id', '=', id)
    .execute();

export const resolveIncident = (tx: Tx, id: string, endedAt: Date): Promise<unknown> =>
  tx.updateTable('probe_incidents').set({ ended_at: endedAt }).where('id', '=', id).execute();

/** The open incidents of a project's probes, except those of these slugs, with the probe, which is locked. */
export const openIncidentsBeside = (tx: Tx, projectId: string, slugs: readonly string[]) =>
  tx
    .selectFrom('probe_incidents as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .innerJoin('projects as o', 'o.id', 'p.project_id')
    .where('p.project_id', '=', projectId)
    .where('i.ended_at', 'is', null)
    .where(sql<boolean>`p.slug <> all (${sql.val(slugs)}::text[])`)
    .select([
      'i.id',
      'i.severity',
      'i.started_at as startedAt',
      'i.first_failed_at as firstFailedAt',
      'i.reason',
      'p.id as probeId',
      'p.name',
      'p.project_id as projectId',
      'o.organization_id as organizationId',
    ])
    .orderBy('p.id')
    .forUpdate('p')
    .execute();

/** An open incident; its probe and the incident itself are locked. */
export const lockOpenIncident = (tx: Tx, id: string) =>
  tx
    .selectFrom('probe_incidents as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .innerJoin('projects as o', 'o.id', 'p.project_id')
    .where('i.id', '=', id)
    .where('i.ended_at', 'is', null)
    .where('o.deleted_at', 'is', null)
    .select([
      'i.id',
      'i.severity',
      'i.started_at as startedAt',
      'i.first_failed_at as firstFailedAt',
      'i.reason',
      'i.escalated_at as escalatedAt',
      'i.acknowledged_at as acknowledgedAt',
      'p.id as probeId',
      'p.name',
      'p.project_id as projectId',
      'o.organization_id as organizationId',
      'p.enabled',
      'p.auto_paused_at as autoPausedAt',
      'p.escalate_after_minutes as escalateAfterMinutes',
      'p.auto_pause_after_hours as autoPauseAfterHours',
      'p.patience_at as patienceAt',
    ])
    .forNoKeyUpdate(['p', 'i'])
    .executeTakeFirst();

export const findIncident = (tx: Tx, probe: Sibling, id: string) =>
  shownIncidents(tx)
    .innerJoin(siblings(tx, probe).select('p.id').as('s'), 's.id', 'i.probe_id')
    .where('i.id', '=', id)
    .select(['i.opened_by_run_id as openedByTestRunId', 'i.escalated_at as escalatedAt'])
    .executeTakeFirst();

export type Acknowledgement = {
  /** Undefined: unchanged. */
  readonly acknowledged: { readonly at: Date; readonly by: string | null } | null | undefined;
  readonly note: string | null | undefined;
};

/** The first acknowledgement stays. */
export const noteIncident = (tx: Tx, id: string, { acknowledged: a, note }: Acknowledgement): Promise<unknown> =>
  tx
    .updateTable('probe_incidents')
    .set({
      ...(a === null && { acknowledged_at: null, acknowledged_by: null }),
      ...(a && {
        acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${a.at}::timestamptz)`,
        acknowledged_by: sql<
          string | null
        >`case when acknowledged_at is null then ${a.by}::uuid else acknowledged_by end`,
      }),
      ...(note !== undefined && { note }),
    })
    .where('id', '=', id)
    .execute();

export const markEscalated = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('probe_incidents').set({ escalated_at: at }).where('id', '=', id).execute();

export const pauseProbe = (tx: Tx, probeId: string, reason: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('probes')
    .set({ enabled: false, auto_paused_at: at, auto_pause_reason: reason, ...changedNow() })
    .where('id', '=', probeId)
    .execute();

const shownIncidents = (tx: Tx) =>
  tx
    .selectFrom('probe_incidents as i')
    .innerJoin('probes as b', 'b.id', 'i.probe_id')
    .leftJoin('users as u', 'u.id', 'i.acknowledged_by')
    .select([
      'i.id',
      'i.probe_id as probeId',
      'b.name as probeName',
      'i.severity',
      'i.started_at as startedAt',
      'i.first_failed_at as firstFailedAt',
      'i.ended_at as endedAt',
      'i.reason',
      'i.acknowledged_at as acknowledgedAt',
      'u.name as acknowledgedBy',
      'i.note',
    ]);

export type IncidentFilter = {
  readonly severity?: Severity | undefined;
  readonly state?: 'open' | 'resolved' | undefined;
};

type Sibling = { readonly id: string; readonly parentProbeId: string | null };

/** Probes with the same parent, and the parent (docs/decisions.md, Incidents). */
const siblings = (tx: Tx, probe: Sibling) => {
  const parent = probe.parentProbeId ?? probe.id;
  return tx
    .selectFrom('probes as p')
    .where((eb) => eb.or([eb('p.id', '=', parent), eb('p.parent_probe_id', '=', parent)]));
};

const STARTED = { startedAt: ['i.started_at', 'instant'] } as const;
/** The order of the contract: incidents in progress, then the latest ones. */
const OPEN_FIRST: ListOrder = [
  ['i.resolved', 'flag', 'asc'],
  ['i.started_at', 'instant', 'desc'],
  ['i.id', 'id', 'desc'],
];

/** Each sibling's index has the default order: this reads as many of each as could be on the page, then the page. */
export const listIncidents = (
  tx: Tx,
  probe: Sibling,
  { severity, state }: IncidentFilter,
  sort: 'openFirst' | SortOf<typeof STARTED>,
  w: Slice,
) => {
  const order = sort === 'openFirst' ? OPEN_FIRST : orderOf(STARTED, sort, ['i.id', 'id']);
  const keys = siblings(tx, probe)
    .innerJoinLateral(
      (eb) =>
        sliced(
          eb
            .selectFrom('probe_incidents as i')
            .whereRef('i.probe_id', '=', 'p.id')
            .$if(severity !== undefined, (q) => q.where('i.severity', '=', severity as Severity))
            .$if(state !== undefined, (q) => q.where('i.resolved', '=', state === 'resolved'))
            .select(['i.id', 'i.resolved', 'i.started_at']),
          order,
          { ...w, offset: 0, limit: w.offset + w.limit },
        ).as('i'),
      (join) => join.onTrue(),
    )
    .select(['i.id', 'i.place'])
    .limit(w.limit)
    .offset(w.offset);
  const shown = shownIncidents(tx)
    .innerJoin(inOrder(keys, order, w).as('k'), 'k.id', 'i.id')
    .select('k.place');
  return inOrder(shown, order, w).execute();
};

export const countIncidents = async (tx: Tx, probe: Sibling, { severity, state }: IncidentFilter): Promise<number> =>
  (
    await siblings(tx, probe)
      .innerJoin('probe_incident_totals as t', 't.probe_id', 'p.id')
      .$if(severity !== undefined, (q) => q.where('t.severity', '=', severity as Severity))
      .$if(state !== undefined, (q) => q.where('t.resolved', '=', state === 'resolved'))
      .select(sql<number>`coalesce(sum(t.incidents), 0)::bigint`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;
