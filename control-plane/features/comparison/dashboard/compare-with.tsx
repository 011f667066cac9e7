/** The button of a run that has ended: earlier and later runs of its test that it can be compared with. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../../dashboard/api.ts';
import { Link } from '../../../dashboard/router.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';

/** The number of runs that a menu has space for. */
const MAX_SHOWN = 8;
const MAX_RUNS = 100;

type Props = { readonly projectId: string; readonly run: Output<'getTestRun'> };

export const CompareWith = ({ projectId, run }: Props) =>
  run.isProbeRun ? null : <RunsOfTest projectId={projectId} run={run} />;

function RunsOfTest({ projectId, run }: Props) {
  const [isOpen, setOpen] = useState(false);
  const query = { projectId, testId: run.testId, per_page: MAX_RUNS };
  const trend = useCall('listTestTrend', query, { enabled: isOpen });
  const others = (trend.data?.rows ?? []).filter(
    ({ testRunId, status }) => testRunId !== run.id && status === 'COMPLETED',
  );
  // The baseline comes first.
  const shown = others.toSorted((a, b) => Number(b.isBaseline) - Number(a.isBaseline)).slice(0, MAX_SHOWN);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default">Compare with</Button>
      </Menu.Target>
      <Menu.Dropdown maw="min(420px, 94vw)" style={{ overflowWrap: 'anywhere' }}>
        {shown.map((other) => (
          <Menu.Item
            key={other.testRunId}
            component={Link}
            to={`/projects/${projectId}/compare`}
            // The earlier run is the baseline.
            search={{ runs: `${other.testRunId},${run.id}`, baseline: other.testRunId }}
          >
            {other.isBaseline && 'Baseline, '}
            <Time at={other.submittedAt} />
            <div className="quiet">
              {`${other.verdict.toLowerCase()}; `}
              {Object.entries(other.labels)
                .map(([name, value]) => `${name}=${value}`)
                .join(', ')}
            </div>
          </Menu.Item>
        ))}
        {trend.data && shown.length === 0 && <Menu.Item disabled>No other run of this test has completed.</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
