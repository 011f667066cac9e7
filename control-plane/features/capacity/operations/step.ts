/**
 * One step of a capacity search. A job names the status and the number of trials that it watches, and does nothing if
 * the search has moved on. WAITING and due: starts a trial. TRYING and its run has ended: judges the trial, followed by
 * another one, or the result.
 */
import { step } from '@carillon/proto/base/machine.ts';
import { withOverrides } from '../../../domain/project/overrides.ts';
import { isOver } from '../../../domain/run/run-machine.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { submitValues } from '../../../operations/submission/submit-values.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import type { SearchSettings } from '../contract/capacity.ts';
import type { SearchStatus } from '../contract/words.ts';
import { answerSentence } from '../domain/report.ts';
import { nextStep } from '../domain/rfc7502.ts';
import { type Next, nextTrial, type TriedLevel } from '../domain/search.ts';
import { CAPACITY_SEARCH, type SearchEvent } from '../domain/search-machine.ts';
import { trialOverrides } from '../domain/trial-load.ts';
import { changeSearch, type LockedSearch, lockSearch, openSearches, type SearchChange } from '../store/searches.ts';
import { endTrial, insertTrial, trialOfRun, trialRun, trialsOf } from '../store/trials.ts';
import { judgedTrial } from './trial-figures.ts';

type Watched = { readonly searchId: string; readonly status: SearchStatus; readonly trials: number };

/** The labels of the run of a trial: the search, and the number of the trial. */
export const SEARCH_LABELS = ['capacity-search', 'trial'] as const;

/** The polling interval for a trial whose end was not reported. */
const LOOK_SECONDS = 60;

export const stepSearch = (ports: Ports, watched: Watched): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const search = await lockSearch(tx, watched.searchId);
    if (search?.status !== watched.status || search.trialCount !== watched.trials) return;
    if (search.status === 'WAITING') await startDue(ports, tx, search);
    if (search.status === 'TRYING') await endTried(ports, tx, search);
  });

/** The new status; null: the table lacks the step. */
async function move(
  ports: Ports,
  tx: Tx,
  search: LockedSearch,
  event: SearchEvent,
  change: Omit<SearchChange, 'status'> = {},
): Promise<SearchStatus | null> {
  const to = step(CAPACITY_SEARCH.transitions, search.status, event);
  if (to === null) return null;
  const isLast = CAPACITY_SEARCH.finals.includes(to);
  await changeSearch(tx, search.id, { ...change, status: to, ...(isLast && { endedAt: ports.now() }) });
  const trials = change.trialCount ?? search.trialCount;
  if (!isLast) {
    const startAfter = change.dueAt ?? secondsAfter(ports.now(), LOOK_SECONDS);
    await ports.jobs.enqueue(tx, 'capacity.step', { searchId: search.id, status: to, trials }, { startAfter });
  }
  ports.log.info({ capacitySearchId: search.id, from: search.status, to, event, trials }, 'capacity search moved');
  return to;
}

export const nextOf = (s: SearchSettings, trials: readonly TriedLevel[]): Next =>
  s.method === 'RFC7502_STRICT' && s.rfc7502
    ? nextStep({ start: s.rfc7502.startRate, window: s.rfc7502.window, mostTrials: s.rfc7502.mostSteps }, trials)
    : nextTrial(
        {
          least: s.least,
          most: s.most,
          start: s.start,
          grain: s.objective === 'CALLS_AT_ONCE' ? 1 : 0.1,
          precision: s.precisionPercent / 100,
          confirmations: s.confirmations,
          mostTrials: s.mostTrials,
        },
        trials,
      );

const judgedOf = (rows: Awaited<ReturnType<typeof trialsOf>>): TriedLevel[] =>
  rows.flatMap(({ level, result }) => (result === null ? [] : [{ level, result }]));

async function startDue(ports: Ports, tx: Tx, search: LockedSearch): Promise<void> {
  const at = ports.now();
  if (search.dueAt && at < search.dueAt) {
    const { id: searchId, status, trialCount: trials } = search;
    await ports.jobs.enqueue(tx, 'capacity.step', { searchId, status, trials }, { startAfter: search.dueAt });
    return;
  }
  const next = nextOf(search.settings, judgedOf(await trialsOf(tx, search.id)));
  if (next.kind === 'DONE') throw new Error(`capacity search ${search.id} waits, and is answered`);
  const test = { config: search.config, durationSeconds: search.durationSeconds, buildup: search.buildupSeconds };
  const overrides = trialOverrides(search.settings, next.level);
  const { values, faults } = withOverrides(test, overrides);
  if (faults.length > 0) {
    const why = faults.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
    await move(ports, tx, search, 'broken', { error: `At ${next.level} the test breaks a rule: ${why}` });
    return;
  }
  const runId = newId();
  const number = search.trialCount + 1;
  const { projectId, organizationId, testId, testName, startedBy } = search;
  const labels = { [SEARCH_LABELS[0]]: search.id, [SEARCH_LABELS[1]]: String(number) };
  const run = { id: runId, projectId, organizationId, testId, testName, startedBy, labels, overrides };
  await submitValues(ports, tx, run, values, at);
  await insertTrial(tx, { searchId: search.id, number, runId, level: next.level, phase: next.phase }, at);
  await move(ports, tx, search, 'due', { trialCount: number });
}

async function endTried(ports: Ports, tx: Tx, search: LockedSearch): Promise<void> {
  const at = ports.now();
  const rows = await trialsOf(tx, search.id);
  const trial = rows.at(-1);
  if (trial === undefined) throw new Error(`capacity search ${search.id} has no trial`);
  const run = await trialRun(tx, trial.testRunId);
  if (run && !isOver(run.status)) {
    const { id: searchId, status, trialCount: trials } = search;
    const startAfter = secondsAfter(at, LOOK_SECONDS);
    await ports.jobs.enqueue(tx, 'capacity.step', { searchId, status, trials }, { startAfter });
    return;
  }
  const judged = await judgedTrial(tx, trial.testRunId, trial.level, search.settings);
  if (judged === undefined || judged.result === null) {
    const reason = judged?.evidence.reasons[0] ?? 'the run of a trial was deleted';
    await move(ports, tx, search, run?.status === 'CANCELLED' ? 'cancelled' : 'broken', { error: sentenceOf(reason) });
    return;
  }
  await endTrial(tx, { searchId: search.id, number: trial.number }, judged.result, judged.evidence, at);
  const next = nextOf(search.settings, [...judgedOf(rows), { level: trial.level, result: judged.result }]);
  if (next.kind === 'TRY') {
    await move(ports, tx, search, 'tried', { dueAt: secondsAfter(at, search.settings.drainSeconds) });
    return;
  }
  const answer = { ...next.answer, sentence: answerSentence(search.settings, next.answer) };
  await move(ports, tx, search, 'settled', { answer });
}

const sentenceOf = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;

export const endSearch = (ports: Ports, tx: Tx, search: LockedSearch): Promise<SearchStatus | null> =>
  move(ports, tx, search, 'cancelled');

/** If the run that has ended is the trial of a search, the search continues. */
export async function continueSearch(ports: Ports, tx: Tx, runId: string): Promise<void> {
  const trial = await trialOfRun(tx, runId);
  if (trial === undefined) return;
  const { searchId, number: trials } = trial;
  await ports.jobs.enqueue(tx, 'capacity.step', { searchId, status: 'TRYING', trials });
}

/** Repairs the state after a crash between two jobs. */
export async function resumeSearches(ports: Ports): Promise<void> {
  const { db } = ports.database;
  for (const { id: searchId, status, trialCount: trials } of await openSearches(db))
    await ports.jobs.enqueue(db, 'capacity.step', { searchId, status, trials });
}
