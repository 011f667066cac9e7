/**
 * Finds both ends of calls that went through a B2BUA, when the run settles: the consequences are the same as for
 * signalled pairs.
 */

import { sipUser } from '../../contract/sip-uri.ts';
import { deducePairs } from '../../domain/pairing/deduced-pairs.ts';
import { calledNames, type LooseEnd, partyName } from '../../domain/pairing/loose-end.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';
import { callerNames, type LooseEndRow, looseEnds, storePairs } from '../../store/run/loose-ends.ts';

/** The ends of 200,000 calls: the compared data are in memory. */
const MAX_ENDS = 400_000;

export async function deduceCallPairs(
  { log }: Pick<Ports, 'log'>,
  tx: Tx,
  { id: runId, endpoints, isFolded }: Pick<LockedRun, 'id' | 'endpoints' | 'isFolded'>,
): Promise<void> {
  // Without a row for each call, the absence of a call would make another the only match.
  if (isFolded) return;
  const rows = await looseEnds(tx, runId, endpoints, MAX_ENDS + 1);
  const { CALLER: callers = [], CALLEE: callees = [] } = Object.groupBy(rows, (row) => row.endpointType);
  if (callers.length === 0 || callees.length === 0) return;
  if (rows.length > MAX_ENDS) {
    log.warn({ runId, most: MAX_ENDS }, 'too many ends of calls to find out which belong together');
    return;
  }
  const named = (await callerNames(tx, runId, endpoints)).flatMap(distinct);
  const callersBy = new Map([...Map.groupBy(named, (name) => name)].map(([name, all]) => [name, all.length]));
  const { pairs, undecided } = deducePairs(callers.map(callerEnd), callees.map(calleeEnd), callersBy);
  if (pairs.length > 0) await storePairs(tx, runId, pairs);
  log.info({ runId, pairs: pairs.length, undecided }, 'ends of calls put together');
}

const distinct = (names: readonly string[]): string[] => [...new Set(names.flatMap((name) => partyName(name) ?? []))];
const userOf = (uri: string | null): string | null => partyName(uri === null ? null : sipUser(uri));

const instantsOf = ({ answeredAtMs, ...row }: LooseEndRow) => ({ ...row, answeredAtMs: answeredAtMs ?? Number.NaN });

const callerEnd = (row: LooseEndRow): LooseEnd => ({
  ...instantsOf(row),
  names: distinct(row.names),
  other: userOf(row.calleeUri),
});

const calleeEnd = (row: LooseEndRow): LooseEnd => ({
  ...instantsOf(row),
  names: calledNames({ planned: row.names, requestUser: sipUser(row.calleeUri) }),
  other: userOf(row.callerUri),
});
