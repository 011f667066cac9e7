/**
 * Checks whether a server answers, by a run of one endpoint that registers, or sends OPTIONS. It shows the answer, its duration,
 * or why there was none.
 */
import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { useCall, useChange } from '../../../api.ts';
import { Link } from '../../../router.tsx';
import { Figure } from '../../basics/figure.tsx';
import { number } from '../../basics/figures.ts';
import { Answer, Card, Failed } from '../../basics/page.tsx';
import { Mark, plain, type Tone } from '../../basics/words.tsx';
import { RegionSelect } from './region-select.tsx';

type Registrar = Output<'getRegistrar'>;

export function RegistrarCheck({ projectId, registrar }: { projectId: string; registrar: Registrar }) {
  const [region, setRegion] = useState('local');
  const [runId, setRunId] = useState<string | null>(null);
  const check = useChange('checkRegistrar', ({ testRunId }) => setRunId(testRunId));
  const word = registrar.register ? 'REGISTER' : 'OPTIONS';
  return (
    <Card
      title={`Check by ${word}`}
      note={
        registrar.register
          ? 'An agent registers with the first SIP account, then removes the registration.'
          : 'An agent sends OPTIONS to the trunk.'
      }
      actions={
        <Group gap="sm" align="flex-end">
          <RegionSelect value={region} onChange={setRegion} />
          <Button
            loading={check.isPending}
            onClick={() => check.mutate({ projectId, registrarId: registrar.id, region })}
          >
            Check now
          </Button>
        </Group>
      }
    >
      {check.error && <Failed error={check.error} />}
      {runId ? (
        <Checked key={runId} projectId={projectId} runId={runId} word={word} />
      ) : (
        <Text size="sm" c="dimmed">
          Not checked yet.
        </Text>
      )}
    </Card>
  );
}

const OVER = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'CANNOT_RUN_FOR_NOW']);

function Checked({ projectId, runId, word }: { projectId: string; runId: string; word: string }) {
  const [isOver, setIsOver] = useState(false);
  const everyMs = isOver ? false : 500;
  const run = useCall('getTestRun', { projectId, testRunId: runId }, { everyMs });
  const endpoints = useCall('listTestRunEndpoints', { projectId, testRunId: runId }, { everyMs });
  const status = run.data?.status;
  const id = endpoints.data?.rows[0]?.id;
  if (status && OVER.has(status) && !isOver && (id || status !== 'COMPLETED')) setIsOver(true);
  return (
    <Answer of={run}>
      {(r) => (
        <Stack>
          {!OVER.has(r.status) && (
            <Mark tone="accent" moving>
              {plain(r.status)}
            </Mark>
          )}
          {r.error && (
            <Alert color="orange" variant="outline" title={plain(r.error.code)}>
              {r.error.message}
            </Alert>
          )}
          {id && OVER.has(r.status) && <Outcome projectId={projectId} runId={runId} endpointId={id} word={word} />}
        </Stack>
      )}
    </Answer>
  );
}

type OutcomeProps = { projectId: string; runId: string; endpointId: string; word: string };

function Outcome({ projectId, runId, endpointId, word }: OutcomeProps) {
  const endpoint = useCall('getTestRunEndpoint', { projectId, testRunId: runId, endpointId });
  const messages = useCall('listTestRunMessages', { projectId, testRunId: runId, endpoint_id: endpointId });
  const answers = (messages.data?.rows ?? []).filter((m) => m.method === word && m.direction === 'RECEIVED');
  return (
    <Answer of={endpoint}>
      {(e) => {
        const tone: Tone = e.outcome === 'SUCCESS' ? 'good' : 'bad';
        const end = answers.findIndex((m) => ![401, 407].includes(m.statusCode ?? 0) && (m.statusCode ?? 0) >= 200);
        const [first, after] = end === -1 ? [answers, []] : [answers.slice(0, end + 1), answers.slice(end + 1)];
        const status = e.failure?.sipStatus ?? e.finalStatusCode ?? answers.at(-1)?.statusCode ?? null;
        return (
          <>
            <div role="status">
              <Mark tone={tone}>
                {e.outcome === 'SUCCESS' ? 'Reachable' : `${plain(e.failure?.cause ?? 'FAILED')}`}
              </Mark>
              {e.failure && (
                <Text size="sm" mt={4}>
                  {e.failure.reason || plain(e.failure.cause)}. Fault: {e.failure.party}.
                </Text>
              )}
            </div>
            <SimpleGrid cols={{ base: 2, sm: 4 }}>
              <Figure
                name="Answers"
                value={first.length === 0 ? '–' : first.map((m) => m.statusCode).join(', ')}
                note={
                  after.length > 0
                    ? `removed: ${after.at(-1)?.statusCode}`
                    : status === null
                      ? 'none came'
                      : `final: ${status}`
                }
              />
              <Figure name="Round trip" value={number(e.registerRttMs ?? e.optionsRttMs, 1)} unit="ms" />
              <Figure name="Server lookup" value={number(e.dnsMs, 1)} unit="ms" explain="DNS, RFC 3263" />
              <Figure name="Retransmissions" value={String(e.counts.retransmissions)} />
            </SimpleGrid>
            <Text size="sm">
              <Anchor
                component={Link}
                to={`/projects/${projectId}/runs/${runId}/endpoints/${endpointId}`}
                underline="always"
              >
                Show SIP messages
              </Anchor>
            </Text>
          </>
        );
      }}
    </Answer>
  );
}
