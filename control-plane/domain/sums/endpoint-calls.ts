/** The results of the calls of an endpoint with several calls, in the contract's shape. Pure. */
import { type EndpointCalls, MAX_CALL_FAILURES } from '../../contract/run/run.ts';
import type { CallKind } from './call-kinds.ts';

/** The number of its calls with the same end or progress. */
export type EndCount = Pick<CallKind, 'endpointType' | 'attempted' | 'answered' | 'dropped' | 'outcome' | 'calling'> & {
  readonly cause: string | null;
  readonly causeStatus: number | null;
  readonly n: number;
};

const hasFailed = ({ outcome }: EndCount): boolean => outcome !== null && outcome !== 'SUCCESS';
const isBegun = ({ attempted, calling }: EndCount): boolean => attempted || calling;
/** Callees without a caller had no call. */
const isNotPlaced = (e: EndCount): boolean => e.endpointType === 'CALLER' && !e.attempted && hasFailed(e);

/** `isWhole`: all of its calls are included. */
export function endpointCallsOf(ends: readonly EndCount[], isWhole: boolean): EndpointCalls {
  const count = (test: (end: EndCount) => boolean): number =>
    ends.reduce((sum, end) => (test(end) ? sum + end.n : sum), 0);
  const ofAll = (test: (end: EndCount) => boolean): number | null => (isWhole ? count(test) : null);
  return {
    total: ofAll(isBegun),
    answered: ofAll((e) => e.answered),
    successful: ofAll((e) => e.attempted && e.outcome === 'SUCCESS'),
    failed: ofAll((e) => e.attempted && hasFailed(e)),
    dropped: ofAll((e) => e.answered && e.dropped),
    notPlaced: ofAll(isNotPlaced),
    inProgress: count((e) => isBegun(e) && e.outcome === null),
    listed: count((e) => isBegun(e) || isNotPlaced(e)),
    failures: failuresOf(ends.filter((e) => hasFailed(e) && (e.attempted || isNotPlaced(e)))),
  };
}

function failuresOf(ends: readonly EndCount[]): EndpointCalls['failures'] {
  const alike = Map.groupBy(ends, ({ cause, causeStatus }) => `${cause} ${causeStatus}`);
  return [...alike.values()]
    .map(([first, ...others]) => ({
      cause: first?.cause ?? '',
      sipStatus: first?.causeStatus ?? null,
      calls: others.reduce((sum, { n }) => sum + n, first?.n ?? 0),
    }))
    .sort((a, b) => b.calls - a.calls || a.cause.localeCompare(b.cause) || (a.sipStatus ?? 0) - (b.sipStatus ?? 0))
    .slice(0, MAX_CALL_FAILURES);
}
