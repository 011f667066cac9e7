/** Actions for a run that has ended: it can be repeated, compared, and made the baseline of its test. */
import { Button, Menu } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { useCall, useChange } from '../../../api.ts';
import { IconStar, IconStarFilled } from '../../basics/icons.tsx';
import { Failed } from '../../basics/page.tsx';
import { Time } from '../../basics/time.tsx';
import { mayBeBaseline } from '../compare/compare.ts';

type Run = Output<'getTestRun'>;
type Props = { readonly projectId: string; readonly run: Run };

/** The number of earlier runs that a menu has space for. */
const MAX_SHOWN = 8;
/** The number of runs that are requested. Some are trials of capacity searches, which have loads of their own. */
const MAX_RUNS = 50;

export function CompareWith({ projectId, run }: Props) {
  const [isOpen, setOpen] = useState(false);
  const query = { projectId, test_id: run.testId, status: ['COMPLETED' as const], per_page: MAX_RUNS };
  const others = useCall('listTestRuns', query, { enabled: isOpen });
  const trend = useCall('listTestTrend', { projectId, testId: run.testId, per_page: 100 }, { enabled: isOpen });
  const starredId = trend.data?.rows.find(({ isBaseline }) => isBaseline)?.testRunId;
  const starred = useCall(
    'getTestRun',
    { projectId, testRunId: starredId ?? '' },
    { enabled: isOpen && starredId !== undefined && starredId !== run.id },
  );
  const baseline = starredId === run.id ? undefined : starred.data;
  const rest = (others.data?.rows ?? []).filter(
    ({ id, labels }) => id !== run.id && id !== baseline?.id && !('capacity-search' in labels),
  );
  const shown = [...(baseline ? [baseline] : []), ...rest].slice(0, MAX_SHOWN);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default">Compare with</Button>
      </Menu.Target>
      <Menu.Dropdown maw="min(420px, 94vw)" style={{ overflowWrap: 'anywhere' }}>
        {shown.map((other) => (
          <Menu.Item
            key={other.id}
            component={Link}
            to={`/projects/${projectId}/compare`}
            // The earlier run is the baseline.
            search={{ runs: `${other.id},${run.id}`, baseline: other.id } as never}
          >
            {other.isBaseline && 'Baseline, '}
            <Time at={other.submittedAt} />
            <div className="quiet">
              {other.result && `${other.result.verdict.toLowerCase()}; `}
              {Object.entries(other.labels)
                .map(([name, value]) => `${name}=${value}`)
                .join(', ')}
            </div>
          </Menu.Item>
        ))}
        {others.data && shown.length === 0 && <Menu.Item disabled>No other run of this test has completed.</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

export function Star({ projectId, run }: Props) {
  const change = useChange('updateTestRunBaseline');
  const { isBaseline } = run;
  if (!isBaseline && !mayBeBaseline(run)) return null;
  const Icon = isBaseline ? IconStarFilled : IconStar;
  return (
    <>
      <Button
        variant="default"
        aria-pressed={isBaseline}
        leftSection={<Icon size={16} />}
        loading={change.isPending}
        onClick={() => change.mutate({ projectId, testRunId: run.id, isBaseline: !isBaseline })}
      >
        Baseline
      </Button>
      {change.error && <Failed error={change.error} />}
    </>
  );
}

export function RunAgain({ projectId, run }: Props) {
  const navigate = useNavigate();
  const start = useChange('replayTestRun', ({ testRunId }) => {
    void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId: testRunId } });
  });
  return (
    <>
      <Button
        variant="default"
        loading={start.isPending}
        title="With the original settings of this run, even if its test has changed"
        onClick={() => start.mutate({ projectId, testRunId: run.id })}
      >
        Run again
      </Button>
      {start.error && <Failed error={start.error} />}
    </>
  );
}
