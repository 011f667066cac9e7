/** Calls that ended in the same way, as one line of a report. Pure. */
import type { Output } from '../../contract/catalogue.ts';

export type EndedRow = Omit<Output<'listTestRunEndpoints'>, 'calls'>;

/**
 * Null: the call is a line by itself, since it goes on. Numbers within sentences, such as the seconds without audio, do not
 * make calls different.
 */
function kindOf({ endpointType, outcome, phase, failure, findings }: EndedRow): string | null {
  if (outcome === null) return null;
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
export function alike(all: readonly EndedRow[]): (readonly [first: EndedRow, ...others: EndedRow[]])[] {
  const groups = new Map<string, [EndedRow, ...EndedRow[]]>();
  for (const one of all) {
    const kind = kindOf(one) ?? one.id;
    const known = groups.get(kind);
    if (known) known.push(one);
    else groups.set(kind, [one]);
  }
  return [...groups.values()];
}
