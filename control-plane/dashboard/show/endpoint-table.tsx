/** A run's endpoints, worst first; the filters stand in the address, so that they can be sent to a colleague. */
import { Anchor, Group, Select, Table, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { CallInput } from '../../contract/call.ts';
import { ENDPOINT_TYPES, OUTCOMES } from '../../contract/words.ts';
import { useCall } from '../api.ts';
import { number } from './figures.ts';
import { Answer, Card, Empty } from './page.tsx';
import { Pages } from './pages.tsx';
import { Mark, plain } from './words.tsx';

type Filters = { page?: string; outcome?: string; type?: string; order?: string };
type Props = { readonly projectId: string; readonly runId: string; readonly everyMs: number | false };

const WORST = 'worst';

export function EndpointTable({ projectId, runId, everyMs }: Props) {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const input: CallInput<'listTestRunEndpoints'> = {
    projectId,
    testRunId: runId,
    page: Number(search.page ?? 1),
    order: search.order === 'number' ? 'number' : WORST,
    ...(search.outcome && { outcome: search.outcome as (typeof OUTCOMES)[number] }),
    ...(search.type && { endpoint_type: search.type as (typeof ENDPOINT_TYPES)[number] }),
  };
  const endpoints = useCall('listTestRunEndpoints', input, { everyMs });
  const filter = (change: Filters) => {
    const next = Object.fromEntries(Object.entries({ ...search, page: undefined, ...change }).filter(([, v]) => v));
    void navigate({ to: '.', search: next, resetScroll: false });
  };
  return (
    <Card
      title="Endpoints"
      pad={false}
      actions={
        <Group gap="xs">
          <Select
            aria-label="Outcome"
            placeholder="Every outcome"
            clearable
            size="xs"
            w={180}
            data={OUTCOMES.map((o) => ({ value: o, label: plain(o) }))}
            value={search.outcome ?? null}
            onChange={(outcome) => filter({ outcome: outcome ?? undefined })}
          />
          <Select
            aria-label="Role"
            placeholder="Callers and callees"
            clearable
            size="xs"
            w={170}
            data={ENDPOINT_TYPES.map((o) => ({ value: o, label: `${plain(o)}s` }))}
            value={search.type ?? null}
            onChange={(type) => filter({ type: type ?? undefined })}
          />
          <Select
            aria-label="Order"
            size="xs"
            w={130}
            allowDeselect={false}
            data={[
              { value: WORST, label: 'Worst first' },
              { value: 'number', label: 'In order' },
            ]}
            value={search.order ?? WORST}
            onChange={(order) => filter({ order: order === WORST ? undefined : (order ?? undefined) })}
          />
        </Group>
      }
    >
      <Answer of={endpoints}>
        {({ rows, pagination }) =>
          rows.length === 0 ? (
            <Empty title="No endpoint of this kind" />
          ) : (
            <>
              <Table miw={820}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Endpoint</Table.Th>
                    <Table.Th>Outcome</Table.Th>
                    <Table.Th>What happened</Table.Th>
                    <Table.Th ta="right">Set-up</Table.Th>
                    <Table.Th ta="right">First media</Table.Th>
                    <Table.Th>Worker</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((e) => (
                    <Table.Tr key={e.id}>
                      <Table.Td>
                        <Anchor component={Link} to={`/projects/${projectId}/runs/${runId}/endpoints/${e.id}`} fw={600}>
                          {plain(e.endpointType)}
                        </Anchor>
                        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                          {e.endpointType === 'CALLER' ? e.calleeUri : e.registrar.name}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Mark tone={e.outcome === null ? 'accent' : e.outcome === 'SUCCESS' ? 'good' : 'bad'}>
                          {plain(e.outcome ?? e.phase)}
                        </Mark>
                      </Table.Td>
                      <Table.Td>
                        {e.failure
                          ? `${e.failure.sipStatus ?? ''} ${e.failure.reason || plain(e.failure.cause)} (${e.failure.party})`
                          : e.callTiming?.finalStatusCode
                            ? `${e.callTiming.finalStatusCode} ${e.callTiming.finalReasonPhrase ?? ''}`
                            : '–'}
                      </Table.Td>
                      <Table.Td ta="right">{ms(e.callTiming?.callSetupMs)}</Table.Td>
                      <Table.Td ta="right">{ms(e.callTiming?.timeToFirstMediaMs)}</Table.Td>
                      <Table.Td>{e.worker.name}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <Pages pagination={pagination} what="endpoints" onPage={(n) => filter({ page: String(n) })} />
            </>
          )
        }
      </Answer>
    </Card>
  );
}

const ms = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${number(value)} ms`;
