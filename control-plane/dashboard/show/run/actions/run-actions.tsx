/** Actions for a run that has ended: it can be repeated, and made the baseline of its test. */
import { Button } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { useChange } from '../../../api.ts';
import { navigate } from '../../../router.tsx';
import { IconStar, IconStarFilled } from '../../basics/icons.tsx';
import { Failed } from '../../basics/page.tsx';
import { mayBeBaseline } from './baseline.ts';

type Run = Output<'getTestRun'>;
type Props = { readonly projectId: string; readonly run: Run };

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
