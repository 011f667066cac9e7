/** The runs of a project by filter, last submitted first. Runs of one test have a trend, and selected runs can be compared. */
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useCall } from '../../api.ts';
import { plural } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { MAX_COMPARED } from '../../show/run/compare/compare.ts';
import { RunFilters } from '../../show/run/lists/run-filters.tsx';
import { isFiltered, labelsOf, type RunSearch, runsQueryOf, withLabel } from '../../show/run/lists/run-search.ts';
import { RunTable } from '../../show/run/lists/run-table.tsx';

/** Charts are loaded when the first trend is shown. */
const RunTrend = lazy(() => import('../../show/run/compare/run-trend.tsx'));

export function RunsPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const search = useSearch({ strict: false }) as RunSearch;
  const navigate = useNavigate();
  const chosen = search.compare?.split(',').filter(Boolean) ?? [];
  const go = (change: RunSearch) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, v]) => v));
    void navigate({ to: '.', search: next, resetScroll: false });
  };
  const filter = (change: RunSearch) => go({ page: undefined, ...change });
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id];
    go({ compare: next.join(',') });
  };
  const isSome = isFiltered(search, Date.now());
  const runs = useCall('listTestRuns', { projectId, ...runsQueryOf(search, Date.now()) }, { everyMs: 2000 });
  const toTests = (
    <Button component={Link} to={`/projects/${projectId}/tests`} variant="default">
      Go to tests
    </Button>
  );
  const isAny = isSome || (runs.data?.rows.length ?? 0) > 0;
  return (
    <Page
      title="Runs"
      actions={
        isAny && (
          <>
            <Button component={Link} to={`/projects/${projectId}/failed-calls`} variant="default">
              Search failed calls
            </Button>
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
              {chosen.length < 2 ? `Compare: choose 2 to ${MAX_COMPARED}` : `Compare ${chosen.length} runs`}
            </Button>
          </>
        )
      }
    >
      {search.test && (
        <Suspense fallback={null}>
          <RunTrend projectId={projectId} testId={search.test} />
        </Suspense>
      )}
      <Card pad={false}>
        {isAny && <RunFilters projectId={projectId} search={search} isFiltered={isSome} onChange={filter} />}
        <Answer of={runs}>
          {({ rows, pagination }) =>
            rows.length === 0 && !isSome ? (
              <Empty title="No runs yet" action={toTests}>
                Start a test, or let a probe run. Each run appears here with its results, its calls and their SIP
                messages.
              </Empty>
            ) : rows.length === 0 ? (
              <Empty title="No matching run">Change the filters, or clear them.</Empty>
            ) : (
              <>
                <div className="quiet" style={{ padding: '0 18px 6px' }}>
                  {isSome && plural(pagination.total, 'matching run')}
                </div>
                <RunTable
                  projectId={projectId}
                  rows={rows}
                  onLabel={(label) => labelsOf(search).includes(label) || filter(withLabel(search, label))}
                  {...((pagination.total > 1 || chosen.length > 0) && {
                    choice: { chosen, most: MAX_COMPARED, onToggle: toggle },
                  })}
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
