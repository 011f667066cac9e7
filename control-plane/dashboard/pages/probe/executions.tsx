/** Every stored execution of a probe, filtered by result and time, page by page. */
import { Anchor } from '@mantine/core';
import { useCall } from '../../api.ts';
import { Link, useParams } from '../../router.tsx';
import { plural } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { useAddress } from '../../show/basics/use-address.ts';
import { ExecutionFilters } from '../../show/probe/execution-filters.tsx';
import { type ExecutionSearch, executionQueryOf, isFiltered } from '../../show/probe/execution-search.ts';
import { ExecutionTable } from '../../show/probe/execution-table.tsx';

const PER_PAGE = 50;

export function ExecutionsPage() {
  const { projectId, probeId } = useParams() as { projectId: string; probeId: string };
  const [search, go] = useAddress<ExecutionSearch>('page');
  const probe = useCall('getProbe', { projectId, probeId });
  const query = executionQueryOf(search, Date.now());
  const executions = useCall(
    'listProbeInstances',
    { projectId, probeId, per_page: PER_PAGE, ...query },
    { everyMs: 5000 },
  );
  return (
    <Answer of={probe}>
      {(p) => (
        <Page
          title="Executions"
          over={
            <Anchor component={Link} to={`/projects/${projectId}/probes/${probeId}`} size="sm">
              {p.name}
            </Anchor>
          }
        >
          <Card
            title={executions.data ? plural(executions.data.pagination.total, 'execution') : 'Executions'}
            note="Newest first; steps in milliseconds"
            pad={false}
          >
            <ExecutionFilters search={search} onChange={(change) => go(change, { replace: true })} />
            <Answer of={executions}>
              {({ rows, pagination }) =>
                rows.length === 0 ? (
                  <Empty title={isFiltered(search, Date.now()) ? 'No matching execution' : 'Not executed yet'}>
                    {isFiltered(search, Date.now())
                      ? 'Change the filters, or clear them.'
                      : 'Each call of the probe is listed here with what it measured.'}
                  </Empty>
                ) : (
                  <>
                    <ExecutionTable projectId={projectId} mode={p.mode} rows={rows} />
                    <Pages pagination={pagination} what="executions" onPage={(n) => go({ page: String(n) })} />
                  </>
                )
              }
            </Answer>
          </Card>
        </Page>
      )}
    </Answer>
  );
}
