/** A project's tests, each with a button to run it. */
import { Anchor, Button, Group, Table } from '@mantine/core';
import { useState } from 'react';
import { call, queries, useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { Link, useParams } from '../router.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { count, duration } from '../show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';
import { StartRun } from '../show/run/actions/start-run.tsx';
import { RunState } from '../show/run/result/run-state.tsx';

export function TestsPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId);
  const [page, setPage] = useState(1);
  const tests = useCall('listTests', { projectId, page }, { everyMs: 5000 });
  const make = may('EDITOR') && (
    <Button component={Link} to={`/projects/${projectId}/tests/new`}>
      New test
    </Button>
  );
  return (
    <Page title="Tests" actions={make}>
      <Card pad={false}>
        <Answer of={tests}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No test yet" action={make}>
                A test says how many calls are placed, at what rate, and between whom. Begin with a template such as
                Trunk load, or without a PBX: agents call each other.
              </Empty>
            ) : (
              <>
                <Table miw={760}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Test</Table.Th>
                      <Table.Th>Last run</Table.Th>
                      <Table.Th ta="right">Endpoints</Table.Th>
                      <Table.Th ta="right">Build-up</Table.Th>
                      <Table.Th ta="right">Call duration</Table.Th>
                      <Table.Th>Changed</Table.Th>
                      <ActionsHeading />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((test) => (
                      <Table.Tr key={test.id}>
                        <Table.Td>
                          <Anchor component={Link} to={`/projects/${projectId}/tests/${test.id}`} fw={600}>
                            {test.name}
                          </Anchor>
                        </Table.Td>
                        <Table.Td>
                          {test.lastRunStatus ? (
                            <RunState run={{ status: test.lastRunStatus, result: test.lastRunResult }} />
                          ) : (
                            'never run'
                          )}
                        </Table.Td>
                        <Table.Td ta="right">{count(test.endpoints)}</Table.Td>
                        <Table.Td ta="right">{duration(test.buildup)}</Table.Td>
                        <Table.Td ta="right">{duration(test.durationSeconds)}</Table.Td>
                        <Table.Td>
                          <Time at={test.updatedAt} relative />
                        </Table.Td>
                        <Table.Td>
                          <Group gap="xs" justify="flex-end" wrap="nowrap">
                            {may('TESTER') && (
                              <StartRun projectId={projectId} test={test} size="xs" ariaLabel={`Run ${test.name}`} />
                            )}
                            {may('EDITOR') && (
                              <Confirm
                                label="Delete"
                                title={`Delete ${test.name}?`}
                                act={async () => {
                                  await call('deleteTest', { projectId, testId: test.id });
                                  await queries.invalidateQueries();
                                }}
                              >
                                Its runs are kept.
                              </Confirm>
                            )}
                          </Group>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                <Pages pagination={pagination} what="tests" onPage={setPage} />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}
