/** Where the palette looks. Lists are loaded when it is opened; calls are asked for by what was typed. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { outcomeOf } from '../../../contract/run-outcome.ts';
import { call, useCall } from '../../api.ts';
import { calledWords, clockWords, endingWords } from '../call/call-words.ts';
import { capital } from '../run/result/run-result.ts';
import { callIdIn, idIn, numberIn, type PaletteEntry } from './palette-model.ts';

const PER_PAGE = 100;
const MAX_PAGES = 10;
const SHOWN_CALLS = 5;
const SHOWN_PAGES = 6;
/** Characters from which on the documentation is asked. */
const MIN_WORDS = 3;

export type Looked = { readonly entries: readonly PaletteEntry[]; readonly isLoading: boolean };

/** `text`: what was typed some time ago, since each text is asked for. */
export function usePaletteEntries(projectId: string | undefined, text: string): Looked {
  const all = useCall('listProjects', { per_page: PER_PAGE });
  const known = all.data?.rows ?? [];
  const words = text.trim();
  const asked: ReturnType<typeof testsOf>[] = words === '' ? [] : [namedIn(words)];
  const lists = useQueries({
    queries: projectId === undefined ? asked : [testsOf(projectId), probesOf(projectId), runsOf(projectId)],
  });
  const calls = useQueries({ queries: projectId === undefined ? callsEverywhere(text) : callsIn(projectId, text) });
  const docs = useQuery({ ...query('docs', text, () => foundInDocs(text)), enabled: isQuestion(text) });
  const entries = [
    ...known.map(
      ({ id, name }): PaletteEntry => ({ kind: 'Projects', label: name, detail: '', to: `/projects/${id}` }),
    ),
    ...[...lists, ...calls].flatMap(({ data }) => data ?? []),
    ...(docs.data ?? []),
  ];
  return { entries, isLoading: [all, ...lists, ...calls, docs].some((one) => one.isLoading) };
}

/** All rows of a list, as far as somebody would look through them. */
async function allOf<N extends 'listTests' | 'listProbes'>(name: N, projectId: string): Promise<Output<N>[]> {
  const rows: Output<N>[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await call(name, { projectId, page, per_page: PER_PAGE } as CallInput<N>);
    const { rows: more, pagination } = answer as { rows: Output<N>[]; pagination: { totalPages: number } };
    rows.push(...more);
    if (page >= pagination.totalPages) break;
  }
  return rows;
}

const STALE_MS = 30_000;
const query = (of: string, projectId: string, ask: () => Promise<PaletteEntry[]>) => ({
  queryKey: ['palette', of, projectId],
  queryFn: ask,
  staleTime: STALE_MS,
});

const testsOf = (projectId: string) =>
  query('tests', projectId, async () =>
    (await allOf('listTests', projectId)).map(({ id, name }) => ({
      kind: 'Tests',
      label: name,
      detail: '',
      to: `/projects/${projectId}/tests/${id}`,
    })),
  );

const probesOf = (projectId: string) =>
  query('probes', projectId, async () =>
    (await allOf('listProbes', projectId)).map(({ id, name }) => ({
      kind: 'Probes',
      label: name,
      detail: '',
      to: `/projects/${projectId}/probes/${id}`,
    })),
  );

/** The last ones. Older runs are found by their id, or in their list. */
const runsOf = (projectId: string) =>
  query('runs', projectId, async () =>
    (await call('listTestRuns', { projectId, per_page: PER_PAGE })).rows.map((run) => runEntry(projectId, run)),
  );

/** Tests, probes and runs of all projects: the server finds them by their names. */
const namedIn = (words: string) =>
  query('names', words, async () => {
    const { tests, probes, runs } = await call('findByName', { text: words.slice(0, 200) });
    const named = (kind: 'Tests' | 'Probes', part: string) => (one: (typeof tests)[number]) =>
      ({
        kind,
        label: one.name,
        detail: one.projectName,
        to: `/projects/${one.projectId}/${part}/${one.id}`,
        isFound: true,
      }) as const;
    return [
      ...tests.map(named('Tests', 'tests')),
      ...probes.map(named('Probes', 'probes')),
      ...runs.map((run) => {
        const entry = runEntry(run.projectId, { ...run, labels: {} });
        return { ...entry, detail: `${run.projectName} · ${entry.detail}`, isFound: true as const };
      }),
    ];
  });

type Run = Pick<Output<'listTestRuns'>, 'id' | 'testName' | 'status' | 'submittedAt' | 'labels'> &
  Partial<Pick<Output<'listTestRuns'>, 'result'>>;
const runEntry = (projectId: string, { id, testName, status, result, submittedAt, labels }: Run): PaletteEntry => ({
  kind: 'Runs',
  label: testName,
  detail: [
    // Without its result, that a run completed says nothing.
    ...(result === undefined && status === 'COMPLETED' ? [] : [capital(outcomeOf(status, result).sentence)]),
    `${submittedAt.slice(0, 16).replace('T', ' ')} UTC`,
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ].join(' · '),
  to: `/projects/${projectId}/runs/${id}`,
});

const callEntry = (projectId: string, row: Output<'listCalls'>, where: readonly string[] = []): PaletteEntry => ({
  kind: 'Calls',
  label: `${calledWords(row.calleeUri).number}, ${endingWords(row).title}`,
  detail: [...where, ...(row.inviteAt ? [clockWords(row.inviteAt).exact.split(';')[0]] : []), row.run.testName].join(
    ' · ',
  ),
  to: `/projects/${projectId}/runs/${row.run.id}/endpoints/${row.id}`,
  isFound: true,
});

/** The calls of all projects that the text names: the server looks through them at once. A run is found with the names. */
function callsEverywhere(text: string) {
  const [number, callId] = [numberIn(text), callIdIn(text)];
  const asked = [...(number === null ? [] : [{ number }]), ...(callId === null ? [] : [{ call_id: callId }])];
  return asked.map((filter) =>
    query(`calls ${Object.keys(filter).join()}`, text.trim(), async () =>
      (await call('findCalls', filter)).calls.map((row) => callEntry(row.projectId, row, [row.projectName])),
    ),
  );
}

/** The calls, or the run, that the text names. */
function callsIn(projectId: string, text: string) {
  const [number, callId, runId] = [numberIn(text), callIdIn(text), idIn(text)];
  const found = async (filter: { number: string } | { call_id: string }): Promise<PaletteEntry[]> =>
    (await call('listCalls', { projectId, per_page: SHOWN_CALLS, ...filter })).rows.map((row) =>
      callEntry(projectId, row),
    );
  const every = (parameter: 'number' | 'callId', value: string): PaletteEntry => ({
    kind: 'Calls',
    label: parameter === 'number' ? `All calls to ${value}` : `All calls with this Call-ID`,
    detail: '',
    to: `/projects/${projectId}/calls?${new URLSearchParams({ [parameter]: value })}`,
    isFound: true,
  });
  return [
    ...(number === null
      ? []
      : [query(`number ${number}`, projectId, async () => [...(await found({ number })), every('number', number)])]),
    ...(callId === null
      ? []
      : [
          query(`callId ${callId}`, projectId, async () => {
            const rows = await found({ call_id: callId });
            return rows.length === 0 ? [] : [...rows, every('callId', callId)];
          }),
        ]),
    ...(runId === null
      ? []
      : [
          query(`run ${runId}`, projectId, async () => {
            // It may be the id of anything.
            const run = await call('getTestRun', { projectId, testRunId: runId }).catch(() => null);
            return run === null ? [] : [{ ...runEntry(projectId, run), isFound: true as const }];
          }),
        ]),
  ];
}

type AskDocs = (words: string, limit: number) => Promise<{ id: string; title: string; heading: string }[]>;

/** A number or a Call-ID is not looked up in the documentation. */
const isQuestion = (text: string): boolean =>
  text.trim().length >= MIN_WORDS && !/^[^\s\d@]*[\d@]\S*$/.test(text.trim());

/** What the search of the documentation finds. Empty: this installation was built without it. */
async function foundInDocs(text: string): Promise<PaletteEntry[]> {
  const program = new URL('/docs/ask.js', window.location.origin).href;
  const { ask } = (await import(program).catch(() => ({ ask: async () => [] }))) as { ask: AskDocs };
  const found = await ask(text, SHOWN_PAGES).catch(() => []);
  return found.map(({ id, title, heading }) => ({
    kind: 'Documentation',
    label: heading,
    detail: heading === title ? '' : title,
    to: id,
    isFound: true,
  }));
}
