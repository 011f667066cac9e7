/** Failed calls over all runs of a project, each with a link to its page. The search is in the address. */
import { Anchor, Table, Text } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { count, plural } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { Time } from '../../show/basics/time.tsx';
import { Mark, plain } from '../../show/basics/words.tsx';
import { failureTitle } from '../../show/heard/failure-words.ts';
import { FailedFilters } from '../../show/run/lists/failed-filters.tsx';
import { type FailedSearch, failedCallsQueryOf, isFiltered } from '../../show/run/lists/failed-search.ts';

type Row = Output<'listFailedCalls'>;

export function FailedCallsPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const search = useSearch({ strict: false }) as FailedSearch;
  const navigate = useNavigate();
  const go = (change: FailedSearch) => {
    const next = Object.fromEntries(Object.entries({ ...search, page: undefined, ...change }).filter(([, v]) => v));
    void navigate({ to: '.', search: next, resetScroll: false });
  };
  const isSome = isFiltered(search, Date.now());
  const calls = useCall('listFailedCalls', { projectId, ...failedCallsQueryOf(search, Date.now()) });
  return (
    <Page
      title="Failed calls"
      over={
        <Anchor component={Link} to={`/projects/${projectId}/runs`} size="sm">
          Runs
        </Anchor>
      }
    >
      <Card pad={false}>
        <FailedFilters projectId={projectId} search={search} isFiltered={isSome} onChange={go} />
        <Answer of={calls}>
          {({ rows, pagination, search: looked }) => (
            <>
              <Text size="sm" c="dimmed" px={18} pb={6} component="div">
                {pagination.total > 0 && `${plural(pagination.total, 'failed call')}, last first. `}
                {looked && !looked.complete && (
                  <>
                    Only the last {count(looked.scanned)} runs with failures were searched, back to{' '}
                    <Time at={looked.until} />. For older ones, choose a test or an earlier time.
                  </>
                )}
              </Text>
              {rows.length === 0 ? (
                <Empty title={isSome ? 'No matching failed call' : 'No call has failed'}>
                  {isSome ? 'Change the filters, or clear them.' : 'Failed calls of all runs are found here.'}
                </Empty>
              ) : (
                <Calls projectId={projectId} rows={rows} />
              )}
              <Pages pagination={pagination} what="failed calls" onPage={(n) => go({ page: String(n) })} />
            </>
          )}
        </Answer>
      </Card>
    </Page>
  );
}

const nameOf = ({ endpointType, endpointNumber, call }: Row): string =>
  `${plain(endpointType)} ${endpointNumber}${call === null ? '' : `, call ${call}`}`;

const Calls = ({ projectId, rows }: { projectId: string; rows: readonly Row[] }) => (
  <Table miw={900}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th miw={170}>Call</Table.Th>
        <Table.Th miw={200}>Failure</Table.Th>
        <Table.Th>Called</Table.Th>
        <Table.Th>Run</Table.Th>
        <Table.Th>Planned</Table.Th>
        <Table.Th>Worker</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td>
            <Anchor component={Link} to={`/projects/${projectId}/runs/${row.run.id}/endpoints/${row.id}`} fw={600}>
              {nameOf(row)}
            </Anchor>
            {row.callId && (
              <div className="quiet" style={{ overflowWrap: 'anywhere' }}>
                {row.callId}
              </div>
            )}
          </Table.Td>
          <Table.Td>
            <Mark tone="bad" wraps>
              {row.failure ? failureTitle(row.failure) : plain(row.outcome)}
            </Mark>
            {row.failure && <div className="quiet">{row.failure.party}</div>}
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.calleeUri}</Table.Td>
          <Table.Td>
            <Anchor component={Link} to={`/projects/${projectId}/runs/${row.run.id}`}>
              {row.run.testName}
            </Anchor>
            <div className="quiet">
              <Time at={row.run.submittedAt} relative />
            </div>
          </Table.Td>
          <Table.Td>
            <Time at={row.plannedAt} />
          </Table.Td>
          <Table.Td>{row.worker.name}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
