/** A run's results and thresholds. A probe's execution is shown with the current limits, a test's run with its own. */
import { Anchor, Group, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { useCall } from '../../../api.ts';
import { Link } from '../../../router.tsx';
import { Answer, Card } from '../../basics/page.tsx';
import { Health, Mark } from '../../basics/words.tsx';
import { passedOf } from '../../heard/passed.ts';
import { ThresholdTable } from '../../heard/threshold-table.tsx';

type Run = Output<'getTestRun'>;
type Probe = NonNullable<Output<'getTestRunConfiguration'>['probe']>;
type Props = { readonly projectId: string; readonly run: Run };

export function RunThresholds({ projectId, run }: Props) {
  const answer = useCall('getTestRunConfiguration', { projectId, testRunId: run.id });
  return (
    <Answer of={answer}>{({ probe }) => probe && <Graded projectId={projectId} run={run} probe={probe} />}</Answer>
  );
}

function Graded({ projectId, run, probe }: Props & { probe: Probe }) {
  const limits = new Map(probe.thresholds.map((t) => [t.metricKey, t]));
  return (
    <Card
      title="Thresholds"
      note={
        <>
          An execution of{' '}
          <Anchor component={Link} to={`/projects/${projectId}/probes/${probe.id}`} size="sm">
            {probe.name}
          </Anchor>
        </>
      }
      actions={<Health state={probe.status} />}
      pad={false}
    >
      {probe.thresholdResults.length === 0 ? (
        <Text c="dimmed" size="sm" px={18} pb={16}>
          No thresholds were applied to this execution.
        </Text>
      ) : (
        <ThresholdTable
          rows={probe.thresholdResults.map((r) => ({ ...limitsOf(limits.get(r.metricKey)), ...r }))}
          isJudged={run.validity?.verdict !== 'VOID'}
        />
      )}
    </Card>
  );
}

const limitsOf = (t: Probe['thresholds'][number] | undefined) =>
  t && { greenValue: t.greenValue, orangeValue: t.orangeValue };

/** Whether a test's run has passed, with each threshold. This is empty if the test has no thresholds. */
export function Gate({ run }: { run: Run }) {
  const passed = passedOf(run);
  if (passed === null) return null;
  return (
    <Card
      title="Thresholds"
      note="A run passes if every metric was measured and none is beyond its degraded limit"
      actions={
        <Group gap="sm">
          <Mark tone={passed.tone}>{passed.word}</Mark>
          {passed.why !== null && (
            <Text size="sm" c="dimmed">
              {passed.why}
            </Text>
          )}
        </Group>
      }
      pad={false}
    >
      <ThresholdTable rows={run.thresholds} isJudged={run.passed !== null} />
    </Card>
  );
}
