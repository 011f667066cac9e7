/** A maintenance window as its form holds it, and as requests need it. Pure. */
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { instantOf, minuteOf } from '../basics/instants.ts';
import type { Tone } from '../basics/tones.ts';

export type MaintenanceWindow = Output<'listMaintenanceWindows'>;

export const WINDOW: Readonly<Record<MaintenanceWindow['state'], readonly [Tone, string]>> = {
  PLANNED: ['none', 'Planned'],
  CURRENT: ['accent', 'Now'],
  PAST: ['none', 'Over'],
};

export const MAINTENANCE_MEANS = 'Executions continue and are graded, but they are not counted and raise no alarm.';

export type WindowDraft = {
  /** '': every probe of the project. */
  readonly probeId: string;
  /** Minutes in UTC; '': the field is empty. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly note: string;
};

/** A new window begins now and lasts an hour. */
export const newWindow = (probeId: string, nowMs: number): WindowDraft => ({
  probeId,
  startsAt: minuteOf(nowMs),
  endsAt: minuteOf(nowMs + 3_600_000),
  note: '',
});

export const draftOfWindow = (w: MaintenanceWindow): WindowDraft => ({
  probeId: w.probeId ?? '',
  startsAt: minuteOf(w.startsAt),
  endsAt: minuteOf(w.endsAt),
  note: w.note,
});

type Creation = Omit<CallInput<'createMaintenanceWindow'>, 'projectId'>;

export const creationOf = (d: WindowDraft): Creation => ({
  probeId: d.probeId === '' ? null : d.probeId,
  startsAt: instantOf(d.startsAt) ?? d.startsAt,
  endsAt: instantOf(d.endsAt) ?? d.endsAt,
  note: d.note,
});

type Change = Omit<CallInput<'updateMaintenanceWindow'>, 'projectId' | 'maintenanceWindowId'>;

/** Only the differences: a field shows minutes, while an instant has milliseconds. */
export function changeOf(d: WindowDraft, w: MaintenanceWindow): Change {
  const before = draftOfWindow(w);
  const { startsAt, endsAt } = creationOf(d);
  return {
    ...(d.startsAt !== before.startsAt && { startsAt }),
    ...(d.endsAt !== before.endsAt && { endsAt }),
    ...(d.note !== before.note && { note: d.note }),
  };
}
