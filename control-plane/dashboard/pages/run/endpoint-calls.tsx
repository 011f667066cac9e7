/** An endpoint with several calls: the results of all calls, and each call. */
import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { Link, useParams } from '../../router.tsx';
import { Figure } from '../../show/basics/figure.tsx';
import { count, DASH, share } from '../../show/basics/figures.ts';
import { Answer, Card, Page } from '../../show/basics/page.tsx';
import { failuresWords, nameOf, viaWords } from '../../show/call/endpoint-row.tsx';
import { EndpointTable } from '../../show/call/endpoint-table.tsx';

type Calls = NonNullable<Output<'getTestRunEndpoint'>['calls']>;
type Ids = { readonly projectId: string; readonly runId: string; readonly endpointId: string };

export function EndpointCallsPage() {
  const { projectId, runId, endpointId } = useParams() as Ids;
  const run = useCall('getTestRun', { projectId, testRunId: runId }, { everyMs: 5000 });
  const everyMs = run.data?.endedAt === null ? 5000 : false;
  const endpoint = useCall('getTestRunEndpoint', { projectId, testRunId: runId, endpointId }, { everyMs });
  return (
    <Answer of={endpoint}>
      {(e) => (
        <Page
          title={nameOf(e, false)}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/runs/${runId}`} size="sm">
              The run
            </Anchor>
          }
        >
          <Text size="sm" c="dimmed" mt={-10} style={{ overflowWrap: 'anywhere' }}>
            {e.endpointType === 'CALLER' ? `Calls ${e.calleeUri}, ${viaWords(e.registrar)}` : `Via ${e.registrar.name}`}
            , from the worker {e.worker.name}
          </Text>
          {e.calls && <CallResults calls={e.calls} />}
          <section className="card" aria-label="Its calls">
            <EndpointTable projectId={projectId} runId={runId} everyMs={everyMs} kind="call" endpointId={endpointId} />
          </section>
        </Page>
      )}
    </Answer>
  );
}

function CallResults({ calls }: { calls: Calls }) {
  const { total, successful, failed, answered, dropped, notPlaced, inProgress, failures } = calls;
  if (total === null)
    return (
      <Card title="Call results">
        <Text size="sm">
          A run of this size does not count calls per endpoint. The list has the first call of this endpoint, calls in
          progress, and calls whose detail was kept.
        </Text>
      </Card>
    );
  const ended = total - inProgress;
  const ofEnded = (n: number | null) => (ended === 0 ? undefined : `${share((100 * (n ?? 0)) / ended)} of those ended`);
  return (
    <Card title="Call results">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} verticalSpacing="lg">
        <Figure
          name="Calls"
          value={count(total)}
          note={inProgress > 0 ? `${count(inProgress)} in progress` : 'all calls have ended'}
        />
        <Figure name="Good" value={ended === 0 ? DASH : count(successful ?? 0)} note={ofEnded(successful)} />
        <Figure name="Failed" value={ended === 0 ? DASH : count(failed ?? 0)} note={ofEnded(failed)} />
        <Figure name="Answered" value={count(answered ?? 0)} />
        <Figure
          name="Dropped"
          value={count(dropped ?? 0)}
          explain="Answered calls that ended early, not by the endpoint"
        />
        <Figure name="Not placed" value={count(notPlaced ?? 0)} explain="Planned calls for which no INVITE was sent" />
      </SimpleGrid>
      {failures.length > 0 && (
        <Text size="sm" c="dimmed" mt="md">
          Most often: {failuresWords(failures)}
        </Text>
      )}
    </Card>
  );
}
