/** Incidents, as they open, worsen and end; probes.ts lists them. */
import { sql } from 'kysely';
import type { Severity } from '../contract/words.ts';
import type { Tx } from './db.ts';
import { changedNow } from './versions.ts';

export type OpenIncident = { readonly id: string; readonly severity: Severity; readonly startedAt: Date };

export const openIncidentOf = (tx: Tx, probeId: string): Promise<OpenIncident | undefined> =>
  tx
    .selectFrom('probe_incidents')
    .where('probe_id', '=', probeId)
    .where('ended_at', 'is', null)
    .select(['id', 'severity', 'started_at as startedAt'])
    .executeTakeFirst();

export const insertIncident = (tx: Tx, i: OpenIncident & { readonly probeId: string }): Promise<unknown> =>
  tx
    .insertInto('probe_incidents')
    .values({ id: i.id, probe_id: i.probeId, severity: i.severity, started_at: i.startedAt })
    .execute();

export const worsenIncident = (tx: Tx, id: string, severity: Severity): Promise<unknown> =>
  tx.updateTable('probe_incidents').set({ severity }).where('id', '=', id).execute();

export const resolveIncident = (tx: Tx, id: string, endedAt: Date): Promise<unknown> =>
  tx.updateTable('probe_incidents').set({ ended_at: endedAt }).where('id', '=', id).execute();

/** What is open of a project's probes but for those of these slugs, with its probe, which is locked. */
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
      'p.id as probeId',
      'p.name',
      'p.project_id as projectId',
      'o.organization_id as organizationId',
    ])
    .orderBy('p.id')
    .forUpdate('p')
    .execute();

/** An incident that is open, its probe and itself locked. */
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
      'i.escalated_at as escalatedAt',
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

export const markEscalated = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('probe_incidents').set({ escalated_at: at }).where('id', '=', id).execute();

export const pauseProbe = (tx: Tx, probeId: string, reason: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('probes')
    .set({ enabled: false, auto_paused_at: at, auto_pause_reason: reason, ...changedNow() })
    .where('id', '=', probeId)
    .execute();
