/** All runs of a project, newest first, with a selection for comparison. */
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCall } from '../../api.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { MOST_COMPARED } from '../../show/run/compare.ts';
import { RunTable } from '../../show/run/run-table.tsx';

export function RunsPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const search = useSearch({ strict: false }) as { page?: string; compare?: string };
  const navigate = useNavigate();
  const chosen = search.compare?.split(',').filter(Boolean) ?? [];
  const go = (change: { page?: string; compare?: string }) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, v]) => v));
    void navigate({ to: '.', search: next, resetScroll: false });
  };
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id];
    go({ compare: next.join(',') });
  };
  const runs = useCall('listTestRuns', { projectId, page: Number(search.page ?? 1) }, { everyMs: 2000 });
  const toTests = (
    <Button component={Link} to={`/projects/${projectId}/tests`} variant="default">
      Go to tests
    </Button>
  );
  return (
    <Page
      title="Runs"
      actions={
        runs.data !== undefined &&
        runs.data.rows.length > 1 && (
          <>
            {chosen.length > 0 && (
              <Button variant="subtle" onClick={() => go({ compare: '' })}>
                Clear selection
              </Button>
            )}
            <Button
              disabled={chosen.length < 2}
              onClick={() =>
                void navigate({ to: `/projects/${projectId}/compare`, search: { runs: chosen.join(',') } })
              }
            >
              {chosen.length < 2 ? `Compare: choose 2 to ${MOST_COMPARED}` : `Compare ${chosen.length} runs`}
            </Button>
          </>
        )
      }
    >
      <Card pad={false}>
        <Answer of={runs}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No runs yet" action={toTests}>
                Start a test, or let a probe run. Each run appears here with its results, its calls and their SIP
                messages.
              </Empty>
            ) : (
              <>
                <RunTable
                  projectId={projectId}
                  rows={rows}
                  {...(pagination.total > 1 && { choice: { chosen, most: MOST_COMPARED, onToggle: toggle } })}
                />
                <Pages pagination={pagination} what="runs" onPage={(n) => go({ page: String(n) })} />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}
