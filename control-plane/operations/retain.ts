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
import { type Deletion, deleteGoneOrganization } from '../store/people/gone-organizations.ts';
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

/** The retention of announcements and deliveries. */
const ANNOUNCEMENT_SECONDS = 14 * 86_400;
/** The retention of the audit log: a year, plus time to look back. */
const AUDIT_SECONDS = 400 * 86_400;
/** The retention of verdicts by the hour. Those of the last 24 are read, and those by the day stay. */
const HOURS_SECONDS = 2 * 86_400;
/** The margin after the last attempt is due: a job that waits in a full queue still arrives. */
const LOST_SECONDS = 3600;
const BATCH_ROWS = 5000;
/** The runs of a deleted organization are being stopped: after this time they are looked at again. */
const RUNS_END_SECONDS = 10;
/** The batches of one job; the next one handles the rest. */
const BATCHES = 50;

export async function retain(ports: Ports): Promise<void> {
  const { db } = ports.database;
  const before = secondsAfter(ports.now(), -ports.settings.sampleRetentionDays * 86_400);
  const executionsBefore = secondsAfter(ports.now(), -ports.settings.probeRetentionDays * 86_400);
  const { runRetentionDays } = ports.settings;
  const runsBefore = runRetentionDays === null ? null : secondsAfter(ports.now(), -runRetentionDays * 86_400);
  const dropped = await dropSamplePartitions(db, before);
  if (dropped.length > 0) {
    await announceChange(db);
    ports.log.info({ dropped }, 'old samples dropped');
  }
  // An expired window never changes: replica clocks differ by less than a window.
  const past = (withinMs: number): Date => secondsAfter(ports.now(), (-2 * withinMs) / 1000);
  await dropWindows(db, 'rate_windows', past(LIMITS.sessionRequests.withinMs));
  await dropSessions(db, secondsAfter(ports.now(), -IDLE_SECONDS), ports.now());
  await dropInvitations(db, ports.now());
  await dropWindows(db, 'login_windows', past(LIMITS.network.withinMs));
  await dropDevices(db, secondsAfter(ports.now(), -DEVICE_SECONDS));
  await sumRefusals(ports);
  await dropIdempotencyKeys(db, secondsAfter(ports.now(), -IDEMPOTENCY_SECONDS));
  for (const { retain: retainOwn } of ports.hooks) await retainOwn?.(ports);
  await deleteOldHours(db, secondsAfter(ports.now(), -HOURS_SECONDS));
  await failLostDeliveries(db, secondsAfter(ports.now(), -LOST_SECONDS));
  await deleteOldSkips(db, before);
  await deleteOldOutboxes(db, before);
  await deleteOldCommands(db, before);
  let deletion: Deletion = 'DONE';
  for (let batch = 0; batch < BATCHES; batch++) {
    deletion = await ports.database.transaction((tx) => deleteGoneOrganization(tx, ports.now(), BATCH_ROWS));
    if (deletion === 'GOES_ON') continue;
    if (await deleteOldAuditEntries(db, secondsAfter(ports.now(), -AUDIT_SECONDS), BATCH_ROWS)) continue;
    if (await deleteOldAnnouncements(db, secondsAfter(ports.now(), -ANNOUNCEMENT_SECONDS), BATCH_ROWS)) continue;
    if (await deleteOldExecutions(db, executionsBefore)) continue;
    if (runsBefore !== null && (await deleteOldRuns(db, runsBefore, BATCH_ROWS))) continue;
    if (await deleteOldExecutionDetails(db, before)) continue;
    if ((await deleteOldDetails(db, before, BATCH_ROWS)) || (await deleteRetired(db, BATCH_ROWS))) continue;
    if (deletion === 'WAITS') await retainAgain(ports, RUNS_END_SECONDS);
    return;
  }
  await retainAgain(ports, 0);
}

const retainAgain = (ports: Ports, seconds: number): Promise<void> =>
  ports.jobs.enqueue(ports.database.db, 'data.retain', {}, { startAfter: secondsAfter(ports.now(), seconds) });
