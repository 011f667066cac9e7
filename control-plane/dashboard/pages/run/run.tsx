/** One run: its progress, and after its end the verdict, failures, and audio quality. */
import { Alert, Anchor, Loader, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { Fragment, lazy, type ReactNode, Suspense } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import { call, queries, useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link, navigate, useParams } from '../../router.tsx';
import { Confirm } from '../../show/basics/confirm.tsx';
import { WhatToDo } from '../../show/basics/fault.tsx';
import { Figure } from '../../show/basics/figure.tsx';
import { count, DASH, duration, measured, number, percent, plural } from '../../show/basics/figures.ts';
import { Answer, Card, Page, Waiting } from '../../show/basics/page.tsx';
import { Time } from '../../show/basics/time.tsx';
import { useAddress } from '../../show/basics/use-address.ts';
import { plain } from '../../show/basics/words.tsx';
import { EndpointTable } from '../../show/call/endpoint-table.tsx';
import { Clusters } from '../../show/heard/clusters.tsx';
import { HeardCard } from '../../show/heard/heard-card.tsx';
import { RunAgain, Star } from '../../show/run/actions/run-actions.tsx';
import { RunLabels } from '../../show/run/lists/run-labels.tsx';
import { type Liveness, useLiveRun } from '../../show/run/live/live-run.ts';
import { RunLoad } from '../../show/run/live/run-load.tsx';
import { Now } from '../../show/run/live/run-now.tsx';
import { RunCharts } from '../../show/run/result/run-charts.tsx';
import { Codes, Timings, VerdictCard } from '../../show/run/result/run-figures.tsx';
import { Histograms } from '../../show/run/result/run-histograms.tsx';
import { RunState } from '../../show/run/result/run-state.tsx';
import { Gate, RunThresholds } from '../../show/run/result/run-thresholds.tsx';
import { RunTimeline } from '../../show/run/timeline/run-timeline.tsx';

const RunEvents = lazy(() =>
  import('../../show/run/timeline/run-events.tsx').then((all) => ({ default: all.RunEvents })),
);
const RunMessages = lazy(() =>
  import('../../show/run/timeline/run-messages.tsx').then((all) => ({ default: all.RunMessages })),
);

type Run = Output<'getTestRun'>;

export function RunPage() {
  const { projectId, runId } = useParams() as { projectId: string; runId: string };
  const may = useMay(projectId);
  const key = { projectId, testRunId: runId };
  const known = queries.getQueryData<Run>(['getTestRun', key]);
  const liveness = useLiveRun(projectId, runId, known?.endedAt === null);
  const everyMs = liveness === 'ASKING' ? 1000 : known && liveness === 'OVER' && isOpenFor(known) ? 2000 : false;
  const run = useCall('getTestRun', key, { everyMs });
  return (
    <Answer of={run}>
      {(r) => (
        <Page
          title={r.testName}
          over={
            <>
              <Anchor component={Link} to={`/projects/${projectId}/runs`} size="sm">
                Runs
              </Anchor>{' '}
              · submitted <Time at={r.submittedAt} />
            </>
          }
          beside={
            <>
              {/* The verdict below says what it came to. */}
              {r.result === null && <RunState run={r} />}
              <RunLabels labels={r.labels} />
            </>
          }
          actions={
            r.endedAt === null ? (
              may('TESTER') && <Stop projectId={projectId} runId={runId} />
            ) : (
              <Actions projectId={projectId} run={r} />
            )
          }
        >
          <Body projectId={projectId} run={r} liveness={liveness} />
        </Page>
      )}
    </Answer>
  );
}

const OF_FEATURES = FEATURE_PAGES.flatMap(({ runActions = [] }) => runActions);
const PARTS = FEATURE_PAGES.flatMap(({ runParts = [] }) => runParts);
const isOpenFor = (run: Run): boolean => FEATURE_PAGES.some(({ isRunOpen }) => isRunOpen?.(run) === true);

/** What may be done with a run that has ended. */
function Actions({ projectId, run }: { projectId: string; run: Run }) {
  const may = useMay(projectId);
  const isOfTest = !run.isProbeRun;
  const own: readonly (readonly [place: number, ReactNode])[] = [
    [10, isOfTest && may('TESTER') && <Star projectId={projectId} run={run} />],
    [20, isOfTest && may('TESTER') && <RunAgain projectId={projectId} run={run} />],
    [50, isOfTest && may('EDITOR') && <Remove projectId={projectId} runId={run.id} />],
  ];
  const ofFeatures = OF_FEATURES.map(
    ({ place, key, Action }) => [place, <Action key={key} projectId={projectId} run={run} />] as const,
  );
  const all = [...own, ...ofFeatures].toSorted(([a], [b]) => a - b);
  // They appear together: a button that came later would move the others.
  return (
    <Suspense fallback={<Loader size="xs" role="status" aria-label="Loading" />}>
      {all.map(([place, action]) => (
        <Fragment key={place}>{action}</Fragment>
      ))}
    </Suspense>
  );
}

const Stop = ({ projectId, runId }: { projectId: string; runId: string }) => (
  <Confirm
    label="Stop"
    title="Stop this run?"
    size="lg"
    filled
    act={async () => {
      await call('cancelTestRun', { projectId, testRunId: runId });
      await queries.invalidateQueries();
    }}
  >
    No new calls start, calls in progress are hung up, and registrations are removed. Results are kept.
  </Confirm>
);

function Remove({ projectId, runId }: { projectId: string; runId: string }) {
  return (
    <Confirm
      label="Delete"
      title="Delete this run?"
      act={async () => {
        await call('deleteTestRun', { projectId, testRunId: runId });
        await navigate({ to: '/projects/$projectId/runs', params: { projectId } });
        await queries.invalidateQueries();
      }}
    >
      All results of this run are deleted. This cannot be undone.
    </Confirm>
  );
}

function Body({ projectId, run, liveness }: { projectId: string; run: Run; liveness: Liveness }) {
  const isOpen = run.endedAt === null;
  const may = useMay(projectId);
  const isTimed = !isOpen || run.callTiming.callSetup.count > 0;
  const asks = liveness === 'ASKING';
  const timeline = useCall('getTestRunTimeline', { projectId, testRunId: run.id }, { everyMs: asks ? 2000 : false });
  // Failed calls are looked at first. During a run the charts are, and a list above them would move them.
  const isCallsFirst = !isOpen && run.failureClusters.length > 0;
  const lists = (
    <Lists
      projectId={projectId}
      runId={run.id}
      everyMs={isOpen ? 5000 : false}
      isFolded={run.figures.from === 'SUMS'}
      callAfterCall={run.callAfterCall}
    />
  );
  return (
    <>
      {run.error && (
        <Alert color="red" variant="outline" title={plain(run.error.code)} role="alert">
          {run.error.message} <WhatToDo code={run.error.code} />
        </Alert>
      )}
      {run.revisedAt && (
        <Alert color="blue" variant="outline" title="Revised">
          The results were recalculated <Time at={run.revisedAt} />: an agent that was considered lost came back and
          delivered its results. The run's WORKER events name it.
        </Alert>
      )}
      {isOpen ? (
        <Now run={run} timeline={timeline.data} liveness={liveness} />
      ) : (
        run.validity && <VerdictCard run={run} validity={run.validity} />
      )}
      <RunLoad projectId={projectId} run={run} timeline={timeline.data} mayChange={may('TESTER')} />
      <Suspense fallback={null}>
        {PARTS.map(([key, Part]) => (
          <Part key={key} projectId={projectId} run={run} />
        ))}
      </Suspense>
      <HeardCard projectId={projectId} run={run} />
      {run.isProbeRun && !isOpen && <RunThresholds projectId={projectId} run={run} />}
      <Gate run={run} />
      {!isOpen && <Summary run={run} />}
      {(run.failureClusters.length > 0 || !isOpen) && <Clusters projectId={projectId} run={run} />}
      {isCallsFirst && lists}
      <Answer of={timeline}>
        {(t) => (
          <RunTimeline timeline={t} group={run.id} goesOn={isOpen}>
            {!isOpen && run.summary.totalStreams > 0 && (
              <RunCharts
                projectId={projectId}
                runId={run.id}
                everyMs={false}
                title="Media details"
                without={['packetLossFraction']}
              />
            )}
          </RunTimeline>
        )}
      </Answer>
      <SimpleGrid cols={{ base: 1, lg: isTimed ? 2 : 1 }} spacing="lg">
        {isTimed && <Timings timing={run.callTiming} {...run.figures} />}
        <Stack gap="lg">
          {!isOpen && <Histograms projectId={projectId} runId={run.id} timing={run.callTiming} />}
          <Codes run={run} />
        </Stack>
      </SimpleGrid>
      {!isCallsFirst && lists}
    </>
  );
}

type ListsProps = {
  readonly projectId: string;
  readonly runId: string;
  readonly everyMs: number | false;
  /** True: calls are only added to sums, so not every call has a row. */
  readonly isFolded: boolean;
  readonly callAfterCall: boolean;
};

/** With this padding four tabs fit side by side, even on a phone. */
const TAB = { px: { base: 8, xs: 'md' } } as const;

/** The selected tab is in the address. */
function Lists({ isFolded, callAfterCall, ...props }: ListsProps) {
  const lists = [...(callAfterCall ? ['calls'] : []), 'endpoints', 'events', 'messages'];
  const [usual = ''] = lists;
  const [search, go] = useAddress<{ list?: string | undefined }>();
  const shown = lists.find((l) => l === search.list) ?? usual;
  const show = (list: string | null) => go({ list: list === usual ? undefined : (list ?? undefined) });
  return (
    <section
      className="card"
      id="endpoints"
      aria-label={callAfterCall ? 'Calls, endpoints, events and messages' : 'Endpoints, events and messages'}
    >
      <Tabs value={shown} onChange={show} keepMounted={false}>
        <Tabs.List px={10} pt={6}>
          {callAfterCall && (
            <Tabs.Tab {...TAB} value="calls">
              Calls
            </Tabs.Tab>
          )}
          <Tabs.Tab {...TAB} value="endpoints">
            Endpoints
          </Tabs.Tab>
          <Tabs.Tab {...TAB} value="events">
            Events
          </Tabs.Tab>
          <Tabs.Tab {...TAB} value="messages">
            SIP messages
          </Tabs.Tab>
        </Tabs.List>
        {callAfterCall && (
          <Tabs.Panel value="calls">
            {isFolded && (
              <Text size="sm" c="dimmed" px={18} pt={10}>
                In a run of this size, the list has the first call of each endpoint, calls in progress, and calls whose
                detail was kept. The figures cover all calls.
              </Text>
            )}
            <EndpointTable {...props} kind="call" />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="endpoints">
          <EndpointTable {...props} kind={callAfterCall ? 'endpointOfCalls' : 'endpoint'} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <Suspense fallback={<Waiting />}>
            <RunEvents {...props} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <Suspense fallback={<Waiting />}>
            <RunMessages projectId={props.projectId} runId={props.runId} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Summary({ run }: { run: Run }) {
  const { callQuality: q, callTiming: c, summary: s } = run;
  const attempts = c.totalCalls - c.inProgressCount;
  return (
    <Card title="Summary" note={<RunTimes run={run} />}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} verticalSpacing="lg">
        <Figure name="Calls" value={count(attempts)} note={`${count(q.answered)} answered`} />
        <Figure
          name="Answer ratio (ASR)"
          value={attempts === 0 ? DASH : percent(c.asr)}
          note={attempts === 0 ? undefined : `NER ${percent(c.ner)}`}
          explain="Answer-seizure ratio: answered calls as a share of all attempts (ITU-T E.411). NER counts busy and no answer as success of the network"
        />
        <Figure
          name="Set-up, median"
          value={measured(c.callSetup.p50, c.callSetup.count, 1)}
          unit="ms"
          note={c.callSetup.count > 0 ? `p99 ${measured(c.callSetup.p99, c.callSetup.count, 1)} ms` : undefined}
        />
        <Figure
          name={`MOS, mean${s.mosScale ? ` (${s.mosScale.toUpperCase()})` : ''}`}
          value={measured(s.avgMos, s.measured.mos)}
          note={s.measured.mos > 0 ? `lowest ${number(s.minMos)}, ${plural(s.measured.mos, 'stream')}` : 'no streams'}
        />
        <Figure
          name="Packets lost"
          value={s.measured.loss === 0 ? DASH : percent(s.avgPacketLossFraction * 100, 2)}
          note={s.measured.loss > 0 ? plural(s.totalPacketsLost, 'packet') : undefined}
        />
        <Figure
          name="Jitter, mean"
          value={measured(s.avgJitter, s.measured.jitter)}
          unit="ms"
          note={s.measured.jitter > 0 ? `highest ${number(s.maxJitter)} ms` : undefined}
        />
      </SimpleGrid>
    </Card>
  );
}

const RunTimes = ({ run }: { run: Run }) => (
  <>
    {run.startedAt ? (
      <>
        <Time at={run.startedAt} /> ·{' '}
        {run.endedAt && duration((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000)} ·{' '}
      </>
    ) : (
      'Not started · '
    )}
    {count(run.endpoints)} {run.endpoints === 1 ? 'endpoint' : 'endpoints'} on{' '}
    {[...new Set(run.subPopulationInstances.map((i) => i.worker.name))].join(', ') || 'no worker'}
  </>
);
