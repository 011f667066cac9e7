/** Deletes data older than the retention period, in small statements that block nothing. */

import { secondsAfter } from '../domain/seconds-after.ts';
import { LIMITS } from '../limits/limits.ts';
import { sumRefusals } from '../limits/refusals.ts';
import type { Ports } from '../ports.ts';
import { dropSamplePartitions } from '../store/measured/samples.ts';
import { announceChange } from '../store/memory.ts';
import { deleteOldAnnouncements } from '../store/notify/announcements.ts';
import { failLostDeliveries } from '../store/notify/deliveries.ts';
import { deleteOldAuditEntries } from '../store/people/audit.ts';
import { dropDevices } from '../store/people/devices.ts';
import { deleteGoneOrganization } from '../store/people/gone-organizations.ts';
import { dropIdempotencyKeys } from '../store/people/idempotency-keys.ts';
import { dropInvitations } from '../store/people/invitations.ts';
import { dropSessions } from '../store/people/sessions.ts';
import { dropWindows } from '../store/people/windows.ts';
import { deleteOldSkips } from '../store/probe/probe-executions.ts';
import { deleteOldHours } from '../store/probe/probe-grades.ts';
import {
  deleteOldCommands,
  deleteOldDetails,
  deleteOldExecutionDetails,
  deleteOldExecutions,
  deleteOldOutboxes,
  deleteOldRuns,
  deleteRetired,
} from '../store/retention.ts';
import { IDEMPOTENCY_SECONDS } from './request/change.ts';
import { DEVICE_SECONDS, IDLE_SECONDS } from './request/session.ts';

const DAY_SECONDS = 86_400;
/** The retention of announcements and deliveries. */
const ANNOUNCEMENT_SECONDS = 14 * DAY_SECONDS;
/** The retention of the audit log: a year, plus time to look back. */
const AUDIT_SECONDS = 400 * DAY_SECONDS;
/** The retention of verdicts by the hour. Those of the last 24 are read, and those by the day stay. */
const HOURS_SECONDS = 2 * DAY_SECONDS;
/** The margin after the last attempt is due: a job that waits in a full queue still arrives. */
const LOST_SECONDS = 3600;
const BATCH_ROWS = 5000;
/** The runs of a deleted organization are being stopped: after this time they are looked at again. */
const RUNS_END_SECONDS = 10;
/** The batches of one job; the next one handles the rest. */
const BATCHES = 50;

export async function retain(ports: Ports): Promise<void> {
  const { db } = ports.database;
  const ago = (seconds: number): Date => secondsAfter(ports.now(), -seconds);
  const { sampleRetentionDays } = ports.settings;
  const before = ago(sampleRetentionDays * DAY_SECONDS);
  const dropped = await dropSamplePartitions(db, before);
  if (dropped.length > 0) {
    await announceChange(db);
    ports.log.info({ dropped }, 'old samples dropped');
  }
  // An expired window never changes: replica clocks differ by less than a window.
  const past = (withinMs: number): Date => ago((2 * withinMs) / 1000);
  await dropWindows(db, 'rate_windows', past(LIMITS.sessionRequests.withinMs));
  await dropSessions(db, ago(IDLE_SECONDS), ports.now());
  await dropInvitations(db, ports.now());
  await dropWindows(db, 'login_windows', past(LIMITS.network.withinMs));
  await dropDevices(db, ago(DEVICE_SECONDS));
  await sumRefusals(ports);
  await dropIdempotencyKeys(db, ago(IDEMPOTENCY_SECONDS));
  for (const { retain: retainOwn } of ports.hooks) await retainOwn?.(ports);
  await deleteOldHours(db, ago(HOURS_SECONDS));
  await failLostDeliveries(db, ago(LOST_SECONDS));
  await deleteOldSkips(db, before);
  await deleteOldOutboxes(db, before);
  await deleteOldCommands(db, before);
  await deleteInBatches(ports);
}

/** Each batch is of the first kind that has anything left; an organization that waits for its runs is looked at again later. */
async function deleteInBatches(ports: Ports): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const deletion = await ports.database.transaction((tx) => deleteGoneOrganization(tx, ports.now(), BATCH_ROWS));
    if (deletion === 'GOES_ON' || (await deleteFirst(ports))) continue;
    if (deletion === 'WAITS') await retainAgain(ports, RUNS_END_SECONDS);
    return;
  }
  await retainAgain(ports, 0);
}

/** True: rows of one kind were deleted, and more may be left. */
async function deleteFirst({ database: { db }, now, settings }: Ports): Promise<boolean> {
  const ago = (seconds: number): Date => secondsAfter(now(), -seconds);
  const { sampleRetentionDays, probeRetentionDays, runRetentionDays } = settings;
  const details = ago(sampleRetentionDays * DAY_SECONDS);
  const kinds: readonly (() => boolean | Promise<boolean>)[] = [
    () => deleteOldAuditEntries(db, ago(AUDIT_SECONDS), BATCH_ROWS),
    () => deleteOldAnnouncements(db, ago(ANNOUNCEMENT_SECONDS), BATCH_ROWS),
    () => deleteOldExecutions(db, ago(probeRetentionDays * DAY_SECONDS)),
    () => runRetentionDays !== null && deleteOldRuns(db, ago(runRetentionDays * DAY_SECONDS), BATCH_ROWS),
    () => deleteOldExecutionDetails(db, details),
    () => deleteOldDetails(db, details, BATCH_ROWS),
    () => deleteRetired(db, BATCH_ROWS),
  ];
  for (const deleteSome of kinds) if (await deleteSome()) return true;
  return false;
}

const retainAgain = (ports: Ports, seconds: number): Promise<void> =>
  ports.jobs.enqueue(ports.database.db, 'data.retain', {}, { startAfter: secondsAfter(ports.now(), seconds) });
