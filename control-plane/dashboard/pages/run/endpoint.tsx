/** One endpoint, or one of its calls: messages, findings, and audio quality. */
import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { Link, useParams, useSearch } from '../../router.tsx';
import { Figure } from '../../show/basics/figure.tsx';
import { count, number, plural } from '../../show/basics/figures.ts';
import { Answer, Card, Page } from '../../show/basics/page.tsx';
import { Time } from '../../show/basics/time.tsx';
import { Mark, plain, type Tone } from '../../show/basics/words.tsx';
import { type CallList, CallSteps } from '../../show/call/call-steps.tsx';
import { EndpointFindings } from '../../show/call/endpoint-findings.tsx';
import { nameOf, viaWords } from '../../show/call/endpoint-row.tsx';
import {
  endpointsQueryOf,
  type Filters,
  listQueryOf,
  PAGE_ROWS,
  type PlaceSearch,
  placeOf,
} from '../../show/call/endpoint-search.ts';
import { EndpointStreams } from '../../show/call/endpoint-streams.tsx';
import { Ladder } from '../../show/call/ladder.tsx';
import { pairWords } from '../../show/call/pair-words.ts';
import { RtpLane } from '../../show/call/rtp-lane.tsx';
import { releaseWords } from '../../show/heard/failure-words.ts';
import { type CallSearch, callsQueryOf, FOUND_PAGE_ROWS } from '../../show/run/lists/call-search.ts';
import { RunCharts } from '../../show/run/result/run-charts.tsx';

type Endpoint = Output<'getTestRunEndpoint'>;
type Search = Filters & CallSearch & PlaceSearch;
type Ids = { readonly projectId: string; readonly runId: string; readonly endpointId: string };

export function EndpointPage() {
  const { projectId, runId, endpointId } = useParams() as Ids;
  const search = useSearch() as Search;
  const query = listQueryOf(search);
  const place = placeOf(search);
  const run = `/projects/${projectId}/runs/${runId}`;
  const endpoint = useCall('getTestRunEndpoint', { projectId, testRunId: runId, endpointId }, { everyMs: 3000 });
  const everyMs = endpoint.data?.outcome === null ? 3000 : false;
  return (
    <Answer of={endpoint}>
      {(e) => (
        <Page
          title={nameOf(e, e.calls !== null)}
          over={
            <>
              {search.in === 'project' && (
                <>
                  <Anchor component={Link} to={`/projects/${projectId}/calls${query}`} size="sm">
                    Calls
                  </Anchor>{' '}
                  ·{' '}
                </>
              )}
              <Anchor component={Link} to={search.in === undefined ? run + query : run} size="sm">
                The run
              </Anchor>
              {e.calls !== null && (
                <>
                  {' '}
                  ·{' '}
                  <Anchor
                    component={Link}
                    to={`${run}/endpoints/${e.endpoint.id}/calls${search.in === 'endpoint' ? query : ''}`}
                    size="sm"
                  >
                    {nameOf(e, false)}: {plural(e.calls.listed, 'call')}
                  </Anchor>
                </>
              )}
            </>
          }
          actions={
            <>
              {e.peerEndpointId && (
                <Anchor component={Link} to={`${run}/endpoints/${e.peerEndpointId}`} size="sm" underline="always">
                  The other end of its call{e.pairing === 'DEDUCED' && ' (deduced)'}
                </Anchor>
              )}
              {place !== null && (
                <CallSteps
                  of={listOf(search, { projectId, runId, endpointId: e.endpoint.id }, e.calls !== null)}
                  id={endpointId}
                  at={place}
                  everyMs={everyMs}
                  addressOf={(row) =>
                    `/projects/${projectId}/runs/${'run' in row ? row.run.id : runId}/endpoints/${row.id}`
                  }
                  search={search}
                />
              )}
            </>
          }
          beside={
            <Mark tone={toneOf(e)}>
              {plain(e.outcome ?? e.phase)}
              {e.outcome === 'SUCCESS' && e.findings.length > 0 && ', with findings'}
            </Mark>
          }
        >
          <EndpointFindings endpoint={e} />
          <Call endpoint={e} />
          {e.kept === false ? (
            <Text>{NOT_KEPT}</Text>
          ) : (
            <>
              <Ladder
                projectId={projectId}
                runId={runId}
                endpointId={endpointId}
                isCaller={e.endpointType === 'CALLER'}
                peerEndpointId={e.peerEndpointId}
                isOnOtherAgent={e.peer !== null && e.peer.worker.id !== e.worker.id}
                total={e.counts.sipMessages}
              />
              <RtpLane projectId={projectId} runId={runId} endpoint={e} everyMs={everyMs} />
            </>
          )}
          <EndpointStreams streams={e.streams} />
          {e.kept !== false && (
            <RunCharts projectId={projectId} runId={runId} endpointId={endpointId} everyMs={everyMs} />
          )}
        </Page>
      )}
    </Answer>
  );
}

/** The list from which the user came, as its address says. */
function listOf(search: Search, { projectId, runId, endpointId }: Ids, hasCalls: boolean): CallList {
  if (search.in === 'project')
    return {
      list: 'listCalls',
      input: { projectId, ...callsQueryOf(search, Date.now()), per_page: FOUND_PAGE_ROWS },
      perPage: FOUND_PAGE_ROWS,
    };
  const input = { projectId, testRunId: runId, per_page: PAGE_ROWS, ...endpointsQueryOf(search) };
  return {
    list:
      search.in === 'endpoint' ? 'listTestRunEndpointCalls' : hasCalls ? 'listTestRunCalls' : 'listTestRunEndpoints',
    input: (search.in === 'endpoint' ? { ...input, endpointId } : input) as CallList['input'],
    perPage: PAGE_ROWS,
  };
}

const NOT_KEPT =
  'The messages of this call were not kept. In a run of this size, messages are kept for a sample of the calls, and for some calls of each kind of failure and finding. The figures of this call are complete.';

/** A call may succeed without audio. */
const toneOf = ({ outcome, findings }: Endpoint): Tone =>
  outcome === null ? 'accent' : outcome !== 'SUCCESS' ? 'bad' : findings.length > 0 ? 'warn' : 'good';

const ms = (value: number | null | undefined): string => number(value ?? null, 1);

function Call({ endpoint: e }: { endpoint: Endpoint }) {
  const t = e.callTiming;
  return (
    <Card
      title="The call"
      note={
        <>
          {e.endpointType === 'CALLER' ? `To ${e.calleeUri}, ${viaWords(e.registrar)}` : `Via ${e.registrar.name}`},
          from the worker {e.worker.name}
          {e.plannedAt && (
            <>
              {' '}
              · planned <Time at={e.plannedAt} withMs />
            </>
          )}
        </>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} verticalSpacing="lg">
        <Figure
          name="INVITE delay"
          value={ms(e.inviteLateMs)}
          unit="ms"
          explain="From the planned start to the first byte of the INVITE"
        />
        <Figure name="Time to ringing" value={ms(t?.timeToRingingMs)} unit="ms" />
        <Figure name="Set-up" value={ms(t?.callSetupMs)} unit="ms" />
        <Figure name="Answer to first media" value={ms(t?.timeToFirstMediaMs)} unit="ms" />
        <Figure
          name="Duration"
          value={t?.callDurationMs ? number(t.callDurationMs / 1000, 1) : '–'}
          unit="s"
          note={e.endedBy ? `ended by the ${e.endedBy === 'LOCAL' ? 'endpoint' : 'far end'}` : undefined}
        />
        <Figure
          name="Retransmissions"
          value={count(e.counts.retransmissions)}
          note={plural(e.counts.sipMessages, 'message')}
        />
      </SimpleGrid>
      {(e.peer !== null || e.callerUri !== null) && (
        <Text size="sm" c="dimmed" mt="md" style={{ overflowWrap: 'anywhere' }}>
          {e.callerUri !== null && `Called by ${e.callerUri}. `}
          {e.peer !== null && `The other end is on ${e.peer.worker.name}. ${pairWords(e.peer)}`}
        </Text>
      )}
      {!e.failure && e.release && (
        <Text size="sm" c="dimmed" mt="md" style={{ overflowWrap: 'anywhere' }}>
          {releaseWords(e).join(' · ')}
        </Text>
      )}
    </Card>
  );
}
