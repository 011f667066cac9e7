/** One run: while it goes on, what it does now; afterwards, whether to believe it, what failed, and how it sounded. */
import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { Output } from '../../contract/catalogue.ts';
import { call, queries, useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { Confirm } from '../show/confirm.tsx';
import { EndpointTable } from '../show/endpoint-table.tsx';
import { Figure } from '../show/figure.tsx';
import { count, DASH, duration, measured, number, percent } from '../show/figures.ts';
import { Answer, Card, Page } from '../show/page.tsx';
import { RunCharts } from '../show/run-charts.tsx';
import { Clusters, Codes, Timings, ValidityCard } from '../show/run-figures.tsx';
import { Time } from '../show/time.tsx';
import { plain, RunState } from '../show/words.tsx';

type Run = Output<'getTestRun'>;

export function RunPage() {
  const { projectId, runId } = useParams({ strict: false }) as { projectId: string; runId: string };
  const may = useMay(projectId);
  const run = useCall('getTestRun', { projectId, testRunId: runId }, { everyMs: 1000 });
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
          beside={<RunState status={r.status} />}
          actions={r.endedAt === null && may('TESTER') && <Stop projectId={projectId} runId={runId} />}
        >
          <Body projectId={projectId} run={r} />
        </Page>
      )}
    </Answer>
  );
}

const Stop = ({ projectId, runId }: { projectId: string; runId: string }) => (
  <Confirm
    label="Stop"
    title="Stop this run?"
    size="md"
    filled
    act={async () => {
      await call('cancelTestRun', { projectId, testRunId: runId });
      await queries.invalidateQueries();
    }}
  >
    No new calls start, calls that go on are hung up, registrations are removed. What was measured is kept.
  </Confirm>
);

function Body({ projectId, run }: { projectId: string; run: Run }) {
  const isOpen = run.endedAt === null;
  return (
    <>
      {run.error && (
        <Alert color="red" variant="outline" title={plain(run.error.code)} role="alert">
          {run.error.message}
        </Alert>
      )}
      {isOpen ? <Now run={run} /> : run.validity && <ValidityCard validity={run.validity} />}
      <Summary run={run} isOpen={isOpen} />
      {(run.failureClusters.length > 0 || !isOpen) && <Clusters projectId={projectId} run={run} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Timings timing={run.callTiming} />
        <Codes run={run} />
      </SimpleGrid>
      <RunCharts projectId={projectId} runId={run.id} everyMs={isOpen ? 2000 : false} />
      <EndpointTable projectId={projectId} runId={run.id} everyMs={isOpen ? 3000 : false} />
    </>
  );
}

/** How far it is. */
function Now({ run }: { run: Run }) {
  const { progress, starts } = run;
  const part = progress.expectedSeconds > 0 ? Math.min(1, progress.elapsedSeconds / progress.expectedSeconds) : 0;
  const inCall = progress.phases.INCALL ?? 0;
  return (
    <Card>
      <Stack gap="md">
        <div>
          <div
            className="bar accent"
            role="progressbar"
            aria-label="Progress"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(part * 100)}
          >
            <span style={{ width: `${part * 100}%` }} />
          </div>
          <Text size="sm" c="dimmed" mt={6}>
            {duration(progress.elapsedSeconds)} of about {duration(progress.expectedSeconds)}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
          <Figure name="Calls due" value={count(starts.planned)} explain="Calls whose planned instant has passed" />
          <Figure
            name="Calls started"
            value={count(starts.started)}
            note={
              starts.late + starts.dropped > 0
                ? `${count(starts.late)} late, ${count(starts.dropped)} dropped`
                : 'none late'
            }
          />
          <Figure name="Endpoints in a call" value={count(inCall)} />
          <Figure name="Ended" value={count(progress.callsEnded)} />
          <Figure name="Failed" value={count(progress.failures)} />
          <Figure name="MOS now" value={number(progress.currentMos)} note="mean of the last seconds" />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

function Summary({ run, isOpen }: { run: Run; isOpen: boolean }) {
  const { callTiming: c, summary: s } = run;
  const attempts = c.totalCalls - c.inProgressCount;
  return (
    <Card title={isOpen ? 'So far' : 'Summary'} note={isOpen ? undefined : <Took run={run} />}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} verticalSpacing="lg">
        <Figure
          name={isOpen ? 'Calls ended' : 'Calls'}
          value={count(attempts)}
          note={`${count(c.successCount)} good`}
        />
        <Figure
          name="Answer-seizure ratio"
          value={attempts === 0 ? DASH : percent(c.asr)}
          note={attempts === 0 ? undefined : `NER ${percent(c.ner)}`}
          explain="Answered calls of all attempts (ITU-T E.411); NER counts busy and no answer as the network's success"
        />
        <Figure
          name="Set-up, median"
          value={measured(c.callSetup.p50, c.callSetup.count, 1)}
          unit="ms"
          note={`p99 ${measured(c.callSetup.p99, c.callSetup.count, 1)} ms`}
        />
        <Figure
          name={`MOS, mean${s.mosScale ? ` (${s.mosScale.toUpperCase()})` : ''}`}
          value={measured(s.avgMos, s.measured.mos)}
          note={`lowest ${measured(s.minMos, s.measured.mos)}, ${count(s.measured.mos)} streams`}
        />
        <Figure
          name="Packets lost"
          value={s.measured.loss === 0 ? DASH : percent(s.avgPacketLossFraction * 100, 2)}
          note={`${count(s.totalPacketsLost)} packets`}
        />
        <Figure
          name="Jitter, mean"
          value={measured(s.avgJitter, s.measured.jitter)}
          unit="ms"
          note={`highest ${measured(s.maxJitter, s.measured.jitter)} ms`}
        />
      </SimpleGrid>
    </Card>
  );
}

const Took = ({ run }: { run: Run }) => (
  <>
    {run.startedAt ? (
      <>
        <Time at={run.startedAt} /> ·{' '}
        {run.endedAt && duration((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000)} ·{' '}
      </>
    ) : (
      'Never started · '
    )}
    {count(run.endpoints)} endpoints on{' '}
    {[...new Set(run.subPopulationInstances.map((i) => i.worker.name))].join(', ') || 'no worker'}
  </>
);
