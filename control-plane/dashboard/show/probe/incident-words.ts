/** An incident in words: state, duration, and a link to its executions. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { sinceOf } from '../../../contract/probe/words.ts';
import { duration } from '../basics/figures.ts';
import { minuteOf } from '../basics/instants.ts';
import type { Tone } from '../basics/tones.ts';
import type { ExecutionSearch } from './execution-search.ts';

type Incident = Output<'listProbeIncidents'>;
type Detail = Output<'getProbeIncident'>;

export function incidentState(i: Pick<Incident, 'endedAt' | 'acknowledgedAt'>): readonly [Tone, string] {
  if (i.endedAt !== null) return ['good', 'Resolved'];
  return i.acknowledgedAt === null ? ['bad', 'Open'] : ['accent', 'Acknowledged'];
}

/** The time from the first failure, if it is known, to the end of the incident, otherwise until now. */
export const lastedSeconds = (i: Pick<Incident, 'startedAt' | 'firstFailedAt' | 'endedAt'>, nowMs: number): number =>
  Math.max(0, (i.endedAt === null ? nowMs : Date.parse(i.endedAt)) - Date.parse(sinceOf(i))) / 1000;

/** `resolved after 12 min`, `still open` */
export const endWords = (i: Pick<Incident, 'startedAt' | 'firstFailedAt' | 'endedAt'>): string =>
  i.endedAt === null ? 'still open' : `resolved after ${duration(lastedSeconds(i, 0))}`;

/** The link to all of its executions: from the first known one to the one that resolved it. */
export function executionsSearch({ startedAt, endedAt, executions }: Detail): ExecutionSearch {
  const first = executions.map((e) => e.scheduledAt).sort()[0] ?? startedAt;
  return {
    from: minuteOf(first < startedAt ? first : startedAt),
    ...(endedAt !== null && { to: minuteOf(Date.parse(endedAt) + 60_000) }),
  };
}
