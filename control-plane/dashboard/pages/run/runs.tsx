/** The runs of a project by filter, last submitted first. Features add what they know of one test, and what is done with selected runs. */
import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
import { useCall } from '../../api.ts';
import type { FeaturePages } from '../../feature.ts';
import { Link, navigate, useParams } from '../../router.tsx';
import { plural } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { useAddress } from '../../show/basics/use-address.ts';
import { RunFilters } from '../../show/run/lists/run-filters.tsx';
import { isFiltered, labelsOf, type RunSearch, runsQueryOf, withLabel } from '../../show/run/lists/run-search.ts';
import { RunTable } from '../../show/run/lists/run-table.tsx';
import { FirstStep, ToTests } from '../../show/workers/first-step.tsx';

const FEATURES: readonly FeaturePages[] = FEATURE_PAGES;
const ABOVE = FEATURES.flatMap(({ aboveRunsOfTest = [] }) => aboveRunsOfTest);
const SELECTION = FEATURES.find(({ runSelection }) => runSelection)?.runSelection;

type Search = RunSearch & Readonly<Record<string, string | undefined>>;

export function RunsPage() {
  const { projectId } = useParams() as { projectId: string };
  const [search, go] = useAddress<Search>();
  const chosen = (SELECTION && search[SELECTION.parameter])?.split(',').filter(Boolean) ?? [];
  const filter = (change: RunSearch) => go({ page: undefined, ...change });
  const choose = (ids: readonly string[]) => SELECTION && go({ [SELECTION.parameter]: ids.join(',') });
  const toggle = (id: string) => choose(chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id]);
  const isSome = isFiltered(search, Date.now());
  const runs = useCall('listTestRuns', { projectId, ...runsQueryOf(search, Date.now()) }, { everyMs: 2000 });
  const isAny = isSome || (runs.data?.rows.length ?? 0) > 0;
  return (
    <Page
      title="Runs"
      actions={
        isAny && (
          <>
            <Button component={Link} to={`/projects/${projectId}/calls`} variant="default">
              Search calls
            </Button>
            {chosen.length > 0 && (
              <Button variant="subtle" onClick={() => choose([])}>
                Clear selection
              </Button>
            )}
            {SELECTION && (
              <Button
                disabled={chosen.length < SELECTION.least}
                onClick={() => void navigate(SELECTION.addressOf(projectId, chosen))}
              >
                {chosen.length < SELECTION.least
                  ? `${SELECTION.verb}: choose ${SELECTION.least} to ${SELECTION.most}`
                  : `${SELECTION.verb} ${chosen.length} runs`}
              </Button>
            )}
          </>
        )
      }
    >
      {search.test &&
        ABOVE.map(([key, Part]) => (
          <Suspense key={key} fallback={null}>
            <Part projectId={projectId} testId={search.test ?? ''} />
          </Suspense>
        ))}
      <Card pad={false}>
        {isAny && <RunFilters projectId={projectId} search={search} isFiltered={isSome} onChange={filter} />}
        <Answer of={runs}>
          {({ rows, pagination }) =>
            rows.length === 0 && !isSome ? (
              <FirstStep projectId={projectId} title="No runs yet" needsTest action={<ToTests projectId={projectId} />}>
                Each run of a test or a probe is here, with its results, its calls and their SIP messages.
              </FirstStep>
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
                  {...(SELECTION &&
                    (pagination.total > 1 || chosen.length > 0) && {
                      choice: { verb: SELECTION.verb, chosen, most: SELECTION.most, onToggle: toggle },
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
