/** Decides when a maintenance window is open. Pure. */

export type MaintenanceSpan = { readonly startsAt: Date; readonly endsAt: Date };

/** A window must not disable alarms permanently. */
export const MAX_WINDOW_MS = 31 * 86_400_000;

export const stateOf = ({ startsAt, endsAt }: MaintenanceSpan, now: Date): 'PLANNED' | 'CURRENT' | 'PAST' => {
  if (now < startsAt) return 'PLANNED';
  return now < endsAt ? 'CURRENT' : 'PAST';
};

/** The reason why a window is invalid; null: it is valid. */
export function windowFault({ startsAt, endsAt }: MaintenanceSpan): string | null {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  if (lengthMs <= 0) return 'a window ends after it starts';
  return lengthMs > MAX_WINDOW_MS ? 'a window is at most 31 days long' : null;
}
