/** Every run of a project, last submitted first. */
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCall } from '../api.ts';
import { Answer, Card, Empty, Page } from '../show/page.tsx';
import { Pages } from '../show/pages.tsx';
import { RunTable } from '../show/run-table.tsx';

export function RunsPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const { page = '1' } = useSearch({ strict: false }) as { page?: string };
  const navigate = useNavigate();
  const runs = useCall('listTestRuns', { projectId, page: Number(page) }, { everyMs: 2000 });
  const toTests = (
    <Button component={Link} to={`/projects/${projectId}/tests`} variant="default">
      To the tests
    </Button>
  );
  return (
    <Page title="Runs">
      <Card pad={false}>
        <Answer of={runs}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="Nothing has run yet" action={toTests}>
                Start a test, or let a probe run: each run is kept here with its figures, its calls and their SIP
                messages.
              </Empty>
            ) : (
              <>
                <RunTable projectId={projectId} rows={rows} />
                <Pages
                  pagination={pagination}
                  what="runs"
                  onPage={(n) => void navigate({ to: '.', search: { page: String(n) } })}
                />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}
