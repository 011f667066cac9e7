/** Two to five runs side by side: figures, progress since the start, and settings that differ. */
import { Anchor, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Output } from '../../../contract/catalogue.ts';
import type { Resolution } from '../../../contract/run/metrics.ts';
import { RESOLUTION_SECONDS } from '../../../contract/run/metrics.ts';
import type { Timeline } from '../../../contract/run/timeline.ts';
import { outcomeOf } from '../../../contract/run-outcome.ts';
import { call } from '../../../dashboard/api.ts';
import { Link, navigate, useParams, useSearch } from '../../../dashboard/router.tsx';
import { Chart } from '../../../dashboard/show/basics/chart.tsx';
import { count, DASH, number } from '../../../dashboard/show/basics/figures.ts';
import { Card, Empty, Failed, Page, Waiting } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark, VerdictMark } from '../../../dashboard/show/basics/words.tsx';
import { passedOf } from '../../../dashboard/show/heard/passed.ts';
import { mayBeBaseline } from '../../../dashboard/show/run/actions/baseline.ts';
import { RunLabels } from '../../../dashboard/show/run/lists/run-labels.tsx';
import { capital } from '../../../dashboard/show/run/result/run-result.ts';
import { RunState } from '../../../dashboard/show/run/result/run-state.tsx';
import {
  aligned,
  baselineOf,
  type Compared,
  deltaOf,
  differences,
  FIGURES,
  findingFigures,
  sameScale,
} from './compare.ts';
import { MAX_COMPARED } from './most-compared.ts';
import { RunStatistics } from './run-statistics.tsx';

type Run = Output<'getTestRun'>;
type Configuration = Output<'getTestRunConfiguration'>;

const DASHES = [undefined, [8, 4], [2, 4], [10, 3, 2, 3], [4, 2]];
const colorOf = (i: number): string => `--carillon-run-${i + 1}`;

export function ComparePage() {
  const { projectId } = useParams() as { projectId: string };
  const { runs = '' } = useSearch() as { runs?: string };
  const ids = [...new Set(runs.split(',').filter(Boolean))].slice(0, MAX_COMPARED);
  const asked = (testRunId: string) => ({ projectId, testRunId });
  const all = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['compared', asked(id)],
      queryFn: async () => ({
        run: await call('getTestRun', asked(id)),
        configuration: await call('getTestRunConfiguration', asked(id)),
      }),
    })),
  });
  const failed = all.find((q) => q.error)?.error;
  const found = all.flatMap((q) => q.data ?? []);
  const over = (
    <Anchor component={Link} to={`/projects/${projectId}/runs`} size="sm">
      Runs
    </Anchor>
  );
  return (
    <Page title="Compare runs" over={over}>
      {ids.length < 2 ? (
        <Card>
          <Empty
            title="Choose two to five runs"
            action={
              <Button component={Link} to={`/projects/${projectId}/runs`}>
                Go to runs
              </Button>
            }
          >
            Select them with the check boxes in the list of runs.
          </Empty>
        </Card>
      ) : failed ? (
        <Failed error={failed} />
      ) : found.length < ids.length ? (
        <Waiting />
      ) : (
        <Comparison projectId={projectId} runs={found.map((f) => f.run)} settings={found.map((f) => f.configuration)} />
      )}
    </Page>
  );
}

type Props = { readonly projectId: string; readonly runs: readonly Run[]; readonly settings: readonly Configuration[] };

/** Letters distinguish runs of one test. */
const letter = (i: number): string => String.fromCharCode(65 + i);
const nameOf = (run: Run, i: number): string => `${letter(i)} ${run.testName}`;

function Comparison({ projectId, runs, settings }: Props) {
  const { baseline: chosen } = useSearch() as { baseline?: string };
  const baseline = baselineOf(runs, chosen);
  const named = runs.map((run, i) => ({ id: run.id, name: nameOf(run, i), color: colorOf(i) }));
  return (
    <>
      {baseline === null && (
        <section className="card card-pad banner warn" aria-label="No baseline">
          <b>No baseline.</b> Each of these runs is void or did not complete, so no differences are shown.
        </section>
      )}
      {baseline && (
        <RunStatistics
          projectId={projectId}
          baselineId={baseline.id}
          baselineName={named.find(({ id }) => id === baseline.id)?.name ?? ''}
          others={named.filter(({ id }) => id !== baseline.id)}
        />
      )}
      <Figures projectId={projectId} runs={runs} baseline={baseline} />
      <Course projectId={projectId} runs={runs} />
      <Settings runs={runs} settings={settings} />
    </>
  );
}

type HeadProps = { projectId: string; run: Run; i: number; isBaseline: boolean };

function Head({ projectId, run, i, isBaseline }: HeadProps) {
  const { tone, words } = outcomeOf(run.status, run.result).apart;
  const passed = passedOf(run);
  const search = useSearch();
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap">
        <span className="swatch" style={{ background: `var(${colorOf(i)})` }} aria-hidden />
        <Anchor component={Link} to={`/projects/${projectId}/runs/${run.id}`} fw={650}>
          {nameOf(run, i)}
        </Anchor>
      </Group>
      <Text size="xs" c="dimmed" component="div">
        <Time at={run.startedAt ?? run.submittedAt} />
      </Text>
      {run.result !== null && (
        <Text size="sm" component="div">
          <Mark tone={tone} wraps>
            {capital(words)}
          </Mark>
        </Text>
      )}
      {passed && run.passed === null && (
        <Text size="sm" component="div">
          <Mark tone={passed.tone}>{passed.word}</Mark>
        </Text>
      )}
      <Group gap="xs">
        {run.validity ? <VerdictMark verdict={run.validity.verdict} /> : <RunState run={run} />}
        {isBaseline ? (
          <b>Baseline</b>
        ) : mayBeBaseline(run) ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Use as baseline: ${nameOf(run, i)}`}
            onClick={() => void navigate({ to: '.', search: { ...search, baseline: run.id }, resetScroll: false })}
          >
            Use as baseline
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            no baseline
          </Text>
        )}
      </Group>
      <RunLabels labels={run.labels} />
    </Stack>
  );
}

function Figures({ projectId, runs, baseline }: { projectId: string; runs: readonly Run[]; baseline: Run | null }) {
  return (
    <Card
      title="Figures"
      note={
        <>
          Each percentile covers all values of its run, which are counted below it. Whether a difference is more than
          chance: see above.
          <MoreBeside runs={runs.length} />
        </>
      }
      pad={false}
    >
      <Table className="side-by-side" style={{ '--columns': runs.length }} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <span className="skip">Figure</span>
            </Table.Th>
            {runs.map((run, i) => (
              <Table.Th key={run.id} scope="col" style={{ fontWeight: 400 }}>
                <Head projectId={projectId} run={run} i={i} isBaseline={run === baseline} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...FIGURES, ...findingFigures(runs)].map((figure) => (
            <Table.Tr key={figure.name}>
              <Table.Th scope="row">{figure.name}</Table.Th>
              {runs.map((run) => (
                <Table.Td key={run.id}>
                  <Cell figure={figure} run={run} baseline={baseline} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

/** A phone shows two columns. */
const MoreBeside = ({ runs }: { runs: number }) => (
  <Text span inherit hiddenFrom="sm">
    {' '}
    Swipe sideways to see all {runs} runs.
  </Text>
);

function Cell({ figure, run, baseline }: { figure: Compared; run: Run; baseline: Run | null }) {
  const value = figure.value(run);
  const base = baseline && run !== baseline && sameScale(run, baseline, figure) ? figure.value(baseline) : null;
  const delta = value !== null && base !== null ? deltaOf(value, base) : null;
  const sign = (n: number) => (n > 0 ? `+${number(n)}` : n < 0 ? `−${number(-n)}` : '±0');
  return (
    <>
      <Text fw={600}>{value === null ? DASH : `${number(value)} ${figure.unit}`}</Text>
      {delta && (
        <Text size="sm">
          {sign(delta.by)} {figure.unit}
          {delta.percent !== null && ` (${sign(delta.percent)} %)`}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {count(figure.count(run))} {figure.of}
        {figure.name.startsWith('MOS') && run.summary.mosScale ? `, ${run.summary.mosScale.toUpperCase()}` : ''}
      </Text>
    </>
  );
}

/** The charts of all runs, with the same steps: those of the run with the coarsest ones. */
function Course({ projectId, runs }: { projectId: string; runs: readonly Run[] }) {
  const seconds = Math.max(
    ...runs.map((r) =>
      r.startedAt ? (Date.parse(r.endedAt ?? new Date().toISOString()) - Date.parse(r.startedAt)) / 1000 : 0,
    ),
  );
  const resolution = (Object.keys(RESOLUTION_SECONDS) as Resolution[]).find(
    (r) => seconds / RESOLUTION_SECONDS[r] < 590,
  );
  const all = useQueries({
    queries: runs.map((run) => {
      const asked = { projectId, testRunId: run.id, resolution: resolution ?? '5m' };
      return { queryKey: ['getTestRunTimeline', asked], queryFn: () => call('getTestRunTimeline', asked) };
    }),
  });
  const failed = all.find((q) => q.error)?.error;
  const found = all.flatMap((q) => q.data ?? []);
  if (failed) return <Failed error={failed} />;
  if (found.length < runs.length) return <Waiting />;
  const rate = (t: Timeline, values: readonly number[]) => values.map((v) => v / t.resolutionSeconds);
  const charts: [string, string, boolean, (t: Timeline) => readonly (number | null)[]][] = [
    ['Calls started', 'per second', true, (t) => rate(t, t.calls.started)],
    ['Calls at once', '', true, (t) => t.calls.concurrent],
    ['Calls failed', 'per second', true, (t) => rate(t, t.calls.failed)],
    ['Set-up, p95', 'ms', true, (t) => t.setupMs.p95],
    ['MOS, p5', '', false, (t) => t.mos.p5],
    ['Packet loss', '%', true, (t) => t.lossFraction.map((v) => v && v * 100)],
  ];
  return (
    <Card title="Since the start" note="Minutes and seconds since each run started; crosshair and zoom are shared.">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
        {charts.map(([title, unit, fromZero, column]) => {
          const { times, values } = aligned(found, column);
          return (
            <Chart
              key={title}
              title={title}
              unit={unit}
              fromZero={fromZero}
              times={times}
              whole={title === 'Calls at once'}
              axis="since"
              group="compare"
              lines={runs.map((run, i) => ({
                name: nameOf(run, i),
                color: colorOf(i),
                values: values[i] ?? [],
                ...(DASHES[i] && { dash: DASHES[i] }),
              }))}
            />
          );
        })}
      </SimpleGrid>
    </Card>
  );
}

function Settings({ runs, settings }: { runs: readonly Run[]; settings: readonly Configuration[] }) {
  const rows = differences(settings.map(({ testRunId: _, probe: __, ...rest }) => rest));
  return (
    <Card title="Settings that differ" note={rows.length > 0 && <MoreBeside runs={runs.length} />} pad={false}>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm" px={18} pb={16}>
          None: the tests have the same settings.
        </Text>
      ) : (
        <Table className="side-by-side" style={{ '--columns': runs.length }} layout="fixed" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Setting</Table.Th>
              {runs.map((run, i) => (
                <Table.Th key={run.id}>{nameOf(run, i)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ path, values }) => (
              <Table.Tr key={path}>
                <Table.Th scope="row" style={{ overflowWrap: 'anywhere', fontWeight: 500 }}>
                  {path}
                </Table.Th>
                {values.map((value, i) => (
                  <Table.Td key={runs[i]?.id} style={{ overflowWrap: 'anywhere' }}>
                    {value}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
