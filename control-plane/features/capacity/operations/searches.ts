/** Capacity searches as the API shows, starts and cancels them. */
import type { Output } from '../../../contract/catalogue.ts';
import { ApiError, invalid } from '../../../contract/errors.ts';
import { withOverrides } from '../../../domain/project/overrides.ts';
import { completeConfig } from '../../../domain/run/group/scenario.ts';
import { changing, creating } from '../../../operations/request/change.ts';
import { listed } from '../../../operations/request/listed.ts';
import { requireNamed } from '../../../operations/request/named.ts';
import { byId, type Handler, known } from '../../../operations/request/perform.ts';
import { cancelRun } from '../../../operations/run/cancel.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import { registrarPlans } from '../../../store/project/registrars.ts';
import { findTest } from '../../../store/project/tests.ts';
import { lockRun } from '../../../store/run/locked-run.ts';
import type { SearchSettings } from '../contract/capacity.ts';
import { rfc7502Report } from '../domain/report.ts';
import { CAPACITY_SEARCH } from '../domain/search-machine.ts';
import { trialOverrides } from '../domain/trial-load.ts';
import { countSearches, findSearch, insertSearch, listSearches as list, lockSearch } from '../store/searches.ts';
import { trialsOf } from '../store/trials.ts';
import { endSearch, nextOf } from './step.ts';

type Row = Omit<Awaited<ReturnType<typeof list>>[number], 'place'>;
type FoundSearch = NonNullable<Awaited<ReturnType<typeof findSearch>>>;

const summary = ({ settings, ...s }: Row) => ({
  ...s,
  method: settings.method,
  objective: settings.objective,
  createdAt: s.createdAt.toISOString(),
  endedAt: s.endedAt?.toISOString() ?? null,
});

export const listCapacitySearches: Handler<'listCapacitySearches'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, test_id: testId, status } = input;
  await requireNamed(db, projectId, { test: testId });
  const total = await countSearches(db, projectId, { testId, status });
  const found = await listed(input, total, (w) => list(db, projectId, { testId, status }, input.sort, w));
  return { ...found, rows: found.rows.map(summary) };
};

async function view(tx: Tx, projectId: string, id: string): Promise<Output<'getCapacitySearch'>> {
  const found = known('capacity search', id, await byId(id, () => findSearch(tx, projectId, id)));
  const { config, durationSeconds: _, ...row } = found;
  const trials = await trialsOf(tx, id);
  return {
    ...summary(row),
    settings: row.settings,
    trials: trials.map((trial) => ({
      ...trial,
      startedAt: trial.startedAt.toISOString(),
      endedAt: trial.endedAt?.toISOString() ?? null,
    })),
    report: row.answer && row.settings.method === 'RFC7502_STRICT' ? await report(tx, found, trials) : null,
  };
}

async function report(tx: Tx, search: FoundSearch, trials: Awaited<ReturnType<typeof trialsOf>>) {
  const config = completeConfig(search.config);
  const registrars = await registrarPlans(tx, search.projectId);
  const protocol = registrars.find(({ id }) => id === config.groups[0]?.registrarId)?.protocol ?? 'UDP';
  const tried = trials.map(({ level, evidence }) => ({ level, planned: evidence?.planned ?? 0 }));
  const rate = search.answer?.found === 'CEILING' ? search.answer.level : null;
  return rfc7502Report(config, search.settings.callSeconds, tried, rate, { protocol, cipher: null });
}

export const getCapacitySearch: Handler<'getCapacitySearch'> = ({ ports }, { projectId, capacitySearchId }) =>
  view(ports.database.db, projectId, capacitySearchId);

const FIRST_LEVEL = 10;

export const startCapacitySearch = creating(
  'startCapacitySearch',
  async ({ ports, actor }, tx, { projectId, testId, start, callSeconds, ...asked }) => {
    const test = known('test', testId, await byId(testId, () => findTest(tx, projectId, testId)));
    const settings: SearchSettings = {
      ...asked,
      ...(asked.method === 'RFC7502_STRICT' && {
        objective: 'CALLS_PER_SECOND' as const,
        rfc7502: asked.rfc7502 ?? { sessions: 50_000, startRate: 100, window: 0.1, mostSteps: 60 },
      }),
      start: Math.min(asked.most, Math.max(asked.least, start ?? FIRST_LEVEL)),
      callSeconds: callSeconds ?? test.durationSeconds,
    };
    refuseUnfit(settings, start, asked.rfc7502 !== undefined);
    const config = completeConfig(test.config);
    const first = nextOf(settings, []);
    const level = first.kind === 'TRY' ? first.level : settings.start;
    const { faults } = withOverrides({ ...test, config }, trialOverrides(settings, level));
    if (faults.length > 0)
      throw invalid(faults.map(({ message }) => ({ path: ['testId'], message: `its first trial: ${message}` })));
    const id = newId();
    const at = ports.now();
    const { durationSeconds, buildup: buildupSeconds, name: testName } = test;
    const { organizationId, userId: startedBy } = actor;
    await insertSearch(
      tx,
      { id, projectId, organizationId, testId, testName, settings, config, durationSeconds, buildupSeconds, startedBy },
      CAPACITY_SEARCH.initial,
      at,
    );
    await ports.jobs.enqueue(tx, 'capacity.step', { searchId: id, status: CAPACITY_SEARCH.initial, trials: 0 });
    return view(tx, projectId, id);
  },
);

/** @throws ApiError VALIDATION_ERROR */
function refuseUnfit(s: SearchSettings, start: number | undefined, hasRfcParameters: boolean): void {
  const isWhole = s.objective === 'CALLS_PER_SECOND' || [s.least, s.most, s.start].every(Number.isInteger);
  const faults = [
    ...(s.least > s.most ? [{ path: ['least'], message: `is above most, ${s.most}` }] : []),
    ...(start !== undefined && (start < s.least || start > s.most)
      ? [{ path: ['start'], message: `must be between ${s.least} and ${s.most}` }]
      : []),
    ...(isWhole
      ? []
      : [{ path: ['objective'], message: 'CALLS_AT_ONCE needs whole numbers as least, most and start' }]),
    ...(s.method === 'BISECT' && hasRfcParameters
      ? [{ path: ['rfc7502'], message: 'applies to RFC7502_STRICT only' }]
      : []),
  ];
  if (faults.length > 0) throw invalid(faults);
}

export const cancelCapacitySearch = changing<'cancelCapacitySearch'>(
  async ({ ports }, tx, { projectId, capacitySearchId: id }) => {
    known('capacity search', id, await byId(id, () => findSearch(tx, projectId, id)));
    const search = await lockSearch(tx, id);
    if (!search || CAPACITY_SEARCH.finals.includes(search.status))
      throw new ApiError('CONFLICT', `The search has already ended: ${search?.status}. Nothing was changed.`);
    const trial = (await trialsOf(tx, id)).at(-1);
    const run = trial && (await lockRun(tx, trial.testRunId));
    await endSearch(ports, tx, search);
    if (run) await cancelRun(ports, tx, run);
    return view(tx, projectId, id);
  },
);
