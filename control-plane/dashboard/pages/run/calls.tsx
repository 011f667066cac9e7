/** Calls over all runs of a project, each with a link to its page. The search is in the address. */
import { Anchor, Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { Link, useParams } from '../../router.tsx';
import { DASH, number, plural, seconds } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { Time } from '../../show/basics/time.tsx';
import { useAddress } from '../../show/basics/use-address.ts';
import { plain } from '../../show/basics/words.tsx';
import { CalledCell, CallIdCell, EndingCell, WhenCell } from '../../show/call/call-cells.tsx';
import { placedQueryOf } from '../../show/call/endpoint-search.ts';
import { CallFilters } from '../../show/run/lists/call-filters.tsx';
import { type CallSearch, callsQueryOf, FOUND_PAGE_ROWS, isFiltered } from '../../show/run/lists/call-search.ts';
import { FirstStep, ToTests } from '../../show/workers/first-step.tsx';

type Row = Output<'listCalls'>;

export function CallsPage() {
  const { projectId } = useParams() as { projectId: string };
  const [search, go] = useAddress<CallSearch>('page');
  const isSome = isFiltered(search, Date.now());
  const calls = useCall('listCalls', { projectId, ...callsQueryOf(search, Date.now()), per_page: FOUND_PAGE_ROWS });
  return (
    <Page
      title="Calls"
      over={
        <Anchor component={Link} to={`/projects/${projectId}/runs`} size="sm">
          Runs
        </Anchor>
      }
    >
      <Card pad={false}>
        <CallFilters
          projectId={projectId}
          search={search}
          isFiltered={isSome}
          onChange={(change) => go({ older: undefined, ...change })}
        />
        <Answer of={calls}>
          {({ rows, pagination, search: looked }) => (
            <>
              <Text size="sm" c="dimmed" px={18} pb={6} component="div">
                {pagination.total > 0 && `${plural(pagination.total, 'call')}, last first. `}
                {search.older && (
                  <>
                    Only runs submitted until <Time at={search.older} />.{' '}
                    <Anchor component="button" type="button" size="sm" onClick={() => go({ older: undefined })}>
                      All runs
                    </Anchor>{' '}
                  </>
                )}
                {looked?.until && (
                  <>
                    {search.older ? 'These are of' : 'Only'} {plural(looked.scanned, 'run')}
                    {search.older ? '' : ', the last ones'}: those submitted until <Time at={looked.until} /> were not
                    searched.{' '}
                    <Anchor
                      component="button"
                      type="button"
                      size="sm"
                      onClick={() => go({ older: looked.until ?? undefined })}
                    >
                      Search these
                    </Anchor>
                  </>
                )}
              </Text>
              {rows.length === 0 ? (
                isSome ? (
                  <Empty title="No matching call">Change the filters, or clear them.</Empty>
                ) : (
                  <FirstStep
                    projectId={projectId}
                    title="No calls yet"
                    needsTest
                    action={<ToTests projectId={projectId} />}
                  >
                    Calls of all runs are found here, by number, Call-ID or result.
                  </FirstStep>
                )
              ) : (
                <Calls
                  projectId={projectId}
                  rows={rows}
                  queryOf={(n) =>
                    placedQueryOf(
                      { ...search, page: undefined, in: 'project' },
                      (pagination.page - 1) * FOUND_PAGE_ROWS + n,
                    )
                  }
                />
              )}
              <Pages pagination={pagination} what="calls" onPage={(n) => go({ page: String(n) })} />
            </>
          )}
        </Answer>
      </Card>
    </Page>
  );
}

const nameOf = ({ endpointType, endpointNumber, call }: Row): string =>
  `${plain(endpointType)} ${endpointNumber}${call === null ? '' : `, call ${call}`}`;

type CallsProps = {
  readonly projectId: string;
  readonly rows: readonly Row[];
  /** For the page of a call: the search, and the place in its result. */
  readonly queryOf: (n: number) => string;
};

const Calls = ({ projectId, rows, queryOf }: CallsProps) => (
  <div className="stack-box">
    <Table className="stacks found-calls" horizontalSpacing={9}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Call</Table.Th>
          <Table.Th>Time (UTC)</Table.Th>
          <Table.Th>Called</Table.Th>
          <Table.Th>Call-ID</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="right">Set-up</Table.Th>
          <Table.Th ta="right">MOS</Table.Th>
          <Table.Th ta="right">Talk time</Table.Th>
          <Table.Th>Run</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, n) => (
          <Table.Tr key={row.id}>
            <Table.Td data-half>
              <Anchor
                component={Link}
                to={`/projects/${projectId}/runs/${row.run.id}/endpoints/${row.id}${queryOf(n)}`}
                fw={600}
              >
                {nameOf(row)}
              </Anchor>
              <small>{row.worker.name}</small>
            </Table.Td>
            <Table.Td data-half>
              <WhenCell at={row.inviteAt} />
            </Table.Td>
            <Table.Td data-half>
              <CalledCell uri={row.calleeUri} />
            </Table.Td>
            <Table.Td data-whole className="found-call-id">
              <CallIdCell callId={row.callId} />
            </Table.Td>
            <Table.Td data-whole miw={150}>
              <EndingCell of={row} />
            </Table.Td>
            <Table.Td ta="right" data-column="Set-up">
              {ms(row.callSetupMs)}
            </Table.Td>
            <Table.Td ta="right" data-column="MOS">
              {number(row.mos)}
            </Table.Td>
            <Table.Td ta="right" data-column="Talk time">
              {row.callDurationMs === null ? DASH : seconds(row.callDurationMs / 1000)}
            </Table.Td>
            <Table.Td data-whole>
              <Anchor component={Link} to={`/projects/${projectId}/runs/${row.run.id}`}>
                {row.run.testName}
              </Anchor>
              <small>
                <Time at={row.run.submittedAt} relative />
              </small>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

const ms = (value: number | null): string => (value === null ? DASH : `${number(value, 0)} ms`);
