/** Trials of capacity searches, and the results of their runs. */

import type { Tx } from '../../../store/db.ts';
import type { TrialEvidence } from '../contract/capacity.ts';
import type { TrialPhase, TrialResult } from '../contract/words.ts';

export const trialsOf = (tx: Tx, searchId: string) =>
  tx
    .selectFrom('capacity_trials')
    .where('search_id', '=', searchId)
    .select([
      'number',
      'run_id as testRunId',
      'level',
      'phase',
      'result',
      'evidence',
      'started_at as startedAt',
      'ended_at as endedAt',
    ])
    .orderBy('number')
    .execute();

type NewTrial = {
  readonly searchId: string;
  readonly number: number;
  readonly runId: string;
  readonly level: number;
  readonly phase: TrialPhase;
};

export const insertTrial = (tx: Tx, t: NewTrial, startedAt: Date): Promise<unknown> =>
  tx
    .insertInto('capacity_trials')
    .values({
      search_id: t.searchId,
      number: t.number,
      run_id: t.runId,
      level: t.level,
      phase: t.phase,
      started_at: startedAt,
    })
    .execute();

export const endTrial = (
  tx: Tx,
  { searchId, number }: Pick<NewTrial, 'searchId' | 'number'>,
  result: TrialResult,
  evidence: TrialEvidence,
  endedAt: Date,
): Promise<unknown> =>
  tx
    .updateTable('capacity_trials')
    .set({ result, evidence: JSON.stringify(evidence), ended_at: endedAt })
    .where('search_id', '=', searchId)
    .where('number', '=', number)
    .execute();

/** The search and trial of a run; undefined: the run is not a trial. */
export const trialOfRun = (tx: Tx, runId: string) =>
  tx
    .selectFrom('capacity_trials')
    .where('run_id', '=', runId)
    .select(['search_id as searchId', 'number'])
    .executeTakeFirst();

/** The result of a trial's run; undefined: the run was deleted. */
export const trialRun = (tx: Tx, runId: string) =>
  tx
    .selectFrom('test_runs')
    .where('id', '=', runId)
    .select([
      'status',
      'error',
      'folded as isFolded',
      'started_at as startedAt',
      'ended_at as endedAt',
      'summary',
      'call_timing as callTiming',
      'call_quality as callQuality',
      'starts',
      'validity',
    ])
    .executeTakeFirst();
