/** The capacity searches of a project. The last started comes first, so they are a history of the targets' capacity. */
import { Anchor, Group, Select, Table } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Link, useParams } from '../../../dashboard/router.tsx';
import { count, DASH, duration, number } from '../../../dashboard/show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../../dashboard/show/basics/page.tsx';
import { Pages } from '../../../dashboard/show/basics/pages.tsx';
import { pageOf } from '../../../dashboard/show/basics/periods.ts';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { useAddress } from '../../../dashboard/show/basics/use-address.ts';
import { Mark } from '../../../dashboard/show/basics/words.tsx';
import { FirstStep } from '../../../dashboard/show/workers/first-step.tsx';
import { FindCapacity } from './find-capacity.tsx';
import { FOUND_WORDS, OBJECTIVE, STATUS } from './search-words.ts';

type Search = Output<'listCapacitySearches'>;

export function CapacityPage() {
  const { projectId } = useParams() as { projectId: string };
  const [search, go] = useAddress<{ test?: string; page?: string }>('page');
  const may = useMay(projectId);
  const tests = useCall('listTests', { projectId, per_page: 100 });
  const searches = useCall(
    'listCapacitySearches',
    { projectId, page: pageOf(search.page), ...(search.test && { test_id: search.test }) },
    { everyMs: 3000 },
  );
  const start = may('TESTER') && (
    <FindCapacity
      projectId={projectId}
      label="New search"
      filled
      {...(search.test && { first: { testId: search.test } })}
    />
  );
  const isAny = search.test || (searches.data?.rows.length ?? 0) > 0;
  return (
    <Page title="Capacity" actions={isAny && start}>
      <Card pad={false}>
        <Answer of={searches}>
          {({ rows, pagination }) =>
            rows.length === 0 && !search.test ? (
              <FirstStep projectId={projectId} title="No capacity search yet" needsTest action={start}>
                A search runs a test at one load after another, and finds the highest load that your system carries
                within limits that you set.
              </FirstStep>
            ) : (
              <>
                <Group px={18} py={14}>
                  <Select
                    label="Test"
                    placeholder="All tests"
                    clearable
                    searchable
                    size="xs"
                    w={220}
                    data={(tests.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                    value={search.test ?? null}
                    onChange={(test) => go({ test: test ?? '' })}
                  />
                </Group>
                {rows.length === 0 ? (
                  <Empty title="No capacity search of this test" />
                ) : (
                  <Searches projectId={projectId} rows={rows} />
                )}
                <Pages pagination={pagination} what="searches" onPage={(n) => go({ page: String(n) })} />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

const Searches = ({ projectId, rows }: { projectId: string; rows: readonly Search[] }) => (
  <Table miw={720}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Test</Table.Th>
        <Table.Th ta="right">Capacity</Table.Th>
        <Table.Th miw={220}>Result</Table.Th>
        <Table.Th ta="right">Trials</Table.Th>
        <Table.Th>Started</Table.Th>
        <Table.Th ta="right">Took</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((one) => {
        const isOpen = one.endedAt === null;
        const [tone, word] = one.answer ? FOUND_WORDS[one.answer.found] : STATUS[one.status];
        return (
          <Table.Tr key={one.id}>
            <Table.Td>
              <Anchor component={Link} to={`/projects/${projectId}/capacity/${one.id}`} fw={600}>
                {one.testName}
              </Anchor>
              {one.method === 'RFC7502_STRICT' && <div className="quiet">RFC 7502, strict</div>}
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {one.answer?.level == null ? DASH : `${number(one.answer.level, 1)} ${OBJECTIVE[one.objective]}`}
            </Table.Td>
            <Table.Td>
              <Mark tone={tone} moving={isOpen}>
                {word}
              </Mark>
              {(one.answer?.sentence ?? one.error) && <div className="quiet">{one.answer?.sentence ?? one.error}</div>}
            </Table.Td>
            <Table.Td ta="right">{count(one.trialCount)}</Table.Td>
            <Table.Td>
              <Time at={one.createdAt} relative />
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {one.endedAt ? duration((Date.parse(one.endedAt) - Date.parse(one.createdAt)) / 1000) : DASH}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </Table.Tbody>
  </Table>
);
