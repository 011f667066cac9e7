/** Calls that failed in the same way, as one line of a report. Pure. */
import type { Output } from '../../contract/catalogue.ts';

export type FailedRow = Omit<Output<'listTestRunEndpoints'>, 'calls'>;

/**
 * Null: the call is a line by itself, since it did not fail. Numbers within sentences, such as the seconds without audio,
 * do not make failures different.
 */
function kindOf({ endpointType, outcome, phase, failure, findings }: FailedRow): string | null {
  if (outcome === null || outcome === 'SUCCESS') return null;
  const { cause, sipStatus, reason, q850, reasonText, warning, party } = failure ?? {};
  const found = findings.map((f) => [f.finding, f.tolerated]);
  return JSON.stringify([
    endpointType,
    outcome,
    phase,
    cause,
    sipStatus,
    reason,
    q850,
    reasonText,
    warning,
    party,
    found,
  ]);
}

/** In the order of their first calls. */
export function alike(all: readonly FailedRow[]): (readonly [first: FailedRow, ...others: FailedRow[]])[] {
  const groups = new Map<string, [FailedRow, ...FailedRow[]]>();
  for (const one of all) {
    const kind = kindOf(one) ?? one.id;
    const known = groups.get(kind);
    if (known) known.push(one);
    else groups.set(kind, [one]);
  }
  return [...groups.values()];
}
